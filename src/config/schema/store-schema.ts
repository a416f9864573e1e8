import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { contentHash } from "../../lib/content-hash.js";
import { OffprintError } from "../../lib/errors.js";
import type { StoreSetting } from "../config.js";
import { folder } from "./content-schema.js";
import { byDefault, optional, section } from "./section.js";
import { readStoreAddress, type StoreAddress, storeAddressText } from "./store-address.js";
import { duration, flag, type Misfit, parsed, size, text, type ValueKind } from "./value-kinds.js";

export const storeAddress: ValueKind<StoreAddress> = {
  schema: { type: "string", pattern: "^s3://", examples: ["s3://bucket/prefix"] },
  read: readStoreAddress,
};

const cache = section("Local cache of the bucket.", {
  dir: optional(folder, "Folder; by default one in output.dir."),
  maxBytes: byDefault(
    "5GB",
    size("5GB", "16MB", "10000GB"),
    "Size limit. The least recently used files are evicted first.",
  ),
});

export const s3 = section("Access to the bucket of output.store.", {
  endpoint: optional(
    parsed("an origin such as https://storage.example.com", { type: "string", format: "uri" }, originOf),
    "Address of the storage; by default AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, the profile, or AWS itself.",
  ),
  region: optional(
    text("a region such as eu-central-1", (written) => /^[\w-]{1,64}$/.test(written)),
    "Region; by default AWS_REGION, AWS_DEFAULT_REGION, the profile, or us-east-1.",
  ),
  pathStyle: optional(flag, "Put the bucket into the path, not into the host name; the default with an endpoint."),
  profile: optional(
    text("the name of a profile", (written) => /^[\w .:@/+-]{1,128}$/.test(written)),
    "Profile of the AWS configuration files; by default AWS_PROFILE, or default.",
  ),
  singleWriter: byDefault(
    false,
    flag,
    "Write even if the storage ignores conditional writes. Safe only with a single writer.",
  ),
  lease: byDefault(
    "60s",
    duration("60s", "5s", "1h"),
    "How long the lease of a writer lasts without renewal. Then another machine takes over.",
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

/** Access to a store that no configuration names. */
export interface StoreOptions {
  endpoint?: string | undefined;
  region?: string | undefined;
  pathStyle?: boolean | undefined;
  profile?: string | undefined;
  /** Relative to the working folder. */
  cacheDir?: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Default cache: a folder per address in `$XDG_CACHE_HOME/offprint` or `~/.cache`. @throws OffprintError `USAGE` */
export function storeSettingOf(
  address: string,
  options: StoreOptions,
  { cwd, env }: { cwd: string; env: Environment },
): { dir: string; store: StoreSetting } {
  const { cacheDir, ...reached } = options;
  const place = readStoreAddress(address);
  const read = s3.read(Object.fromEntries(Object.entries(reached).filter(([, value]) => value !== undefined)));
  if (!("value" in place)) throw unusable(address, place.misfits);
  if (!("value" in read)) throw unusable(address, read.misfits);
  const { cache, lease, ...others } = read.value;
  const store: StoreSetting = { ...place.value, ...others, leaseMs: lease, cacheBytes: cache.maxBytes };
  const dir = cacheDir === undefined ? defaultFolder(store, env) : resolve(cwd, cacheDir);
  return { dir, store };
}

function unusable(address: string, misfits: readonly Misfit[]): OffprintError {
  const wrong = misfits.map(({ path, expects }) => `${[...path, ""].join(": ")}expected ${expects}`);
  return new OffprintError("USAGE", `${address}: ${wrong.join("; ")}.`, {
    hint: misfits.find(({ hint }) => hint !== undefined)?.hint ?? "Write the address as s3://bucket/prefix.",
  });
}

/** Identifies a store on this machine by endpoint and address. Ignores the profile's endpoint. */
export function storeIdentity(store: StoreSetting, env: Environment): string {
  const endpoint = store.endpoint ?? (env.AWS_ENDPOINT_URL_S3 || env.AWS_ENDPOINT_URL || "");
  return `${endpoint} ${storeAddressText(store)}`;
}

function defaultFolder(store: StoreSetting, env: Environment): string {
  const hash = contentHash(storeIdentity(store, env));
  const base = env.XDG_CACHE_HOME?.startsWith("/") === true ? env.XDG_CACHE_HOME : join(homedir(), ".cache");
  return join(base, "offprint", hash.slice(0, 32));
}
