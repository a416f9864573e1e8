import { folder } from "./content-schema.js";
import { byDefault, optional, section } from "./section.js";
import { readStoreAddress, type StoreAddress } from "./store-address.js";
import { duration, flag, parsed, size, text, type ValueKind } from "./value-kinds.js";

const MB = 1024 * 1024;
const GB = 1024 * MB;
const second = 1000;

/** `s3://bucket/prefix`. */
export const storeAddress: ValueKind<StoreAddress> = {
  schema: { type: "string", pattern: "^s3://", examples: ["s3://bucket/prefix"] },
  read: readStoreAddress,
};

const cache = section("What is kept of the bucket on this machine.", {
  dir: optional(folder, "Where; by default a folder in output.dir."),
  maxBytes: byDefault(
    "5GB",
    size("5GB", 16 * MB, 10_000 * GB),
    "What it may take; what was not used for longest goes.",
  ),
});

/** How a bucket is reached and used. */
export const s3 = section("How the bucket of output.store is reached and used.", {
  endpoint: optional(
    parsed("an origin such as https://storage.example.com", { type: "string", format: "uri" }, originOf),
    "Where the storage answers; by default AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, the profile, or AWS itself.",
  ),
  region: optional(
    text("a region such as eu-central-1", (written) => /^[\w-]{1,64}$/.test(written)),
    "Its region; by default AWS_REGION, AWS_DEFAULT_REGION, the profile, or us-east-1.",
  ),
  pathStyle: optional(
    flag,
    "Whether the bucket stands in the path and not in the host name; by default where there is an endpoint.",
  ),
  profile: optional(
    text("the name of a profile", (written) => /^[\w .:@/+-]{1,128}$/.test(written)),
    "Profile of the AWS configuration files; by default AWS_PROFILE, or default.",
  ),
  singleWriter: byDefault(
    false,
    flag,
    "Whether storage that does not keep to conditions is written all the same, because nothing else writes there.",
  ),
  lease: byDefault(
    "60s",
    duration("60s", 5 * second, 3600 * second),
    "How long the right to write lasts without a sign of life: then another machine takes over.",
  ),
  cache: byDefault({}, cache),
});

function originOf(input: unknown): string | undefined {
  const written = typeof input === "string" ? input.trim() : "";
  const url = URL.canParse(written) ? new URL(written) : undefined;
  const isOrigin =
    (url?.protocol === "https:" || url?.protocol === "http:") &&
    /^\/*$/.test(url.pathname) &&
    url.search === "" &&
    url.hash === "" &&
    url.username === "" &&
    url.password === "";
  return isOrigin ? url.origin : undefined;
}
