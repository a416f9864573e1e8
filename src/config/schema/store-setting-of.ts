import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { OffprintError } from "../../lib/errors.js";
import type { StoreSetting } from "../config.js";
import { readStoreAddress, storeAddressText } from "./store-address.js";
import { s3 } from "./store-schema.js";
import type { Misfit } from "./value-kinds.js";

/** How a store is reached that no configuration names. */
export interface StoreOptions {
  endpoint?: string | undefined;
  region?: string | undefined;
  pathStyle?: boolean | undefined;
  profile?: string | undefined;
  /** Relative to the working folder. */
  cacheDir?: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The settings of a store by its address, and the folder of this machine that belongs to it: by default one for each address
 * and endpoint in `$XDG_CACHE_HOME/offprint` or `~/.cache/offprint`.
 *
 * @throws OffprintError `USAGE` for an address that is none, or options that cannot be
 */
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
  const { endpoint, region, pathStyle, profile, singleWriter } = others;
  const store: StoreSetting = {
    ...place.value,
    singleWriter,
    leaseMs: lease,
    cacheBytes: cache.maxBytes,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(region === undefined ? {} : { region }),
    ...(pathStyle === undefined ? {} : { pathStyle }),
    ...(profile === undefined ? {} : { profile }),
  };
  const dir = cacheDir === undefined ? defaultFolder(store, env) : resolve(cwd, cacheDir);
  return { dir, store };
}

function unusable(address: string, misfits: readonly Misfit[]): OffprintError {
  const wrong = misfits.map(({ path, expects }) => `${[...path, ""].join(": ")}expected ${expects}`);
  return new OffprintError("USAGE", `${address}: ${wrong.join("; ")}.`, {
    hint: misfits.find(({ hint }) => hint !== undefined)?.hint ?? "Write the address as s3://bucket/prefix.",
  });
}

/** Tells a store from every other one of this machine: its endpoint and its address. The profile's endpoint is not read. */
export function storeIdentity(store: StoreSetting, env: Environment): string {
  const endpoint = store.endpoint ?? (env.AWS_ENDPOINT_URL_S3 || env.AWS_ENDPOINT_URL || "");
  return `${endpoint} ${storeAddressText(store)}`;
}

function defaultFolder(store: StoreSetting, env: Environment): string {
  const hash = createHash("sha256").update(storeIdentity(store, env)).digest("hex");
  const base = env.XDG_CACHE_HOME?.startsWith("/") === true ? env.XDG_CACHE_HOME : join(homedir(), ".cache");
  return join(base, "offprint", hash.slice(0, 32));
}
