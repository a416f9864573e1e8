import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { contentHash } from "../../lib/content-hash.js";
import { OffprintError } from "../../lib/errors.js";
import { folder } from "./content-schema.js";
import { byDefault, optional, section } from "./section.js";
import { readStoreAddress, type StoreAddress, storeAddressText } from "./store-address.js";
import { duration, flag, type Misfit, parsed, type ReadOf, size, text, type ValueKind } from "./value-kinds.js";

export const storeAddress: ValueKind<StoreAddress> = {
  schema: { type: "string", pattern: "^s3://", examples: ["s3://bucket/prefix"] },
  read: readStoreAddress,
};

const cache = section("Local cache of the bucket.", {
  /** Folder; by default one in output.dir. */
  dir: optional(folder),
  /** Size limit. The least recently used files are evicted first. */
  maxBytes: byDefault("5GB", size("5GB", "16MB", "10000GB")),
});

export const s3 = section("Access to the bucket of output.store.", {
  /** Address of the storage; by default AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, the profile, or AWS itself. */
  endpoint: optional(
    parsed("an origin such as https://storage.example.com", { type: "string", format: "uri" }, originOf),
  ),
  /** Region; by default AWS_REGION, AWS_DEFAULT_REGION, the profile, or us-east-1. */
  region: optional(text("a region such as eu-central-1", (written) => /^[\w-]{1,64}$/.test(written))),
  /** Put the bucket into the path, not into the host name; the default with an endpoint. */
  pathStyle: optional(flag),
  /** Profile of the AWS configuration files; by default AWS_PROFILE, or default. */
  profile: optional(text("the name of a profile", (written) => /^[\w .:@/+-]{1,128}$/.test(written))),
  /** Write even if the storage ignores conditional writes. Safe only with a single writer. */
  singleWriter: byDefault(false, flag),
  /** How long the lease of a writer lasts without renewal. Then another machine takes over. */
  leaseMs: byDefault("60s", duration("60s", "5s", "1h")),
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

/** A snapshot in S3-compatible storage, shared by several machines. */
export interface StoreSetting extends StoreAddress, Omit<ReadOf<typeof s3>, "cache"> {
  /** Local cache of objects that were read: absolute path. Undefined: a folder in `output.dir`. */
  cacheDir?: string;
  /** Size limit of the cache. */
  cacheBytes: number;
}

/** Without `cacheDir`, which is relative to something. */
export function storeSetting(address: StoreAddress, { cache, ...access }: ReadOf<typeof s3>): StoreSetting {
  return { ...address, ...access, cacheBytes: cache.maxBytes };
}

/** Access to a store that no configuration names. */
export interface StoreOptions
  extends Pick<Partial<ReadOf<typeof s3>>, "endpoint" | "region" | "pathStyle" | "profile"> {
  /** Relative to the working folder. */
  cacheDir?: string;
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
  const read = s3.read(reached);
  if (!("value" in place)) throw unusable(address, place.misfits);
  if (!("value" in read)) throw unusable(address, read.misfits);
  const store = storeSetting(place.value, read.value);
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
