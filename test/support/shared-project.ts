import { join } from "node:path";
import type { Config } from "../../src/config/config.js";
import { currentManifest } from "../../src/snapshot/current-manifest.js";
import type { Manifest } from "../../src/snapshot/manifest.js";
import { openOutput } from "../../src/snapshot/open-output.js";
import type { OpenOutputOptions, Output } from "../../src/snapshot/output.js";
import { verifySnapshot } from "../../src/snapshot/verify/verify.js";
import type { SyncReport } from "../../src/sync/report.js";
import { sync } from "../../src/sync/sync.js";
import type { SyncOptions } from "../../src/sync/sync-options.js";
import { createMemoryBucket, type MemoryBucket } from "./memory-bucket.js";
import { syncFolder } from "./sync-folder.js";

/** A machine that shares a snapshot with others. */
export interface Machine {
  config: Config;
  /** Absolute path of its output folder. */
  dir: string;
  /** Opens the output as a new process does. */
  open(options?: OpenOutputOptions): Output;
  /** A sync of a new process. */
  sync(options?: Partial<SyncOptions>, output?: Output): Promise<SyncReport>;
}

/** A new machine with its own folder. @param more YAML of its configuration */
export async function sharedMachine(
  url: string,
  memory: MemoryBucket,
  { more = "", store = {} }: { more?: string; store?: Partial<NonNullable<Config["output"]["store"]>> } = {},
): Promise<Machine> {
  const folder = await syncFolder(
    `source: { url: "${url}", token: test-token }\nassets: { download: true }\nqueue: { retries: 0, rateLimit: false }\n${more}`,
  );
  const known = await folder.config();
  const setting = { bucket: "memory", prefix: "", singleWriter: false, leaseMs: 60_000, cacheBytes: 1e9, ...store };
  const config: Config = { ...known, output: { ...known.output, store: setting } };
  const open = (options: OpenOutputOptions = {}) => openOutput(config.output, { bucket: memory.client(), ...options });
  return {
    config,
    dir: config.output.dir,
    open,
    sync: (options = {}, output = open()) => sync({ config, output, ...options }),
  };
}

/**
 * The current generation, read by a machine that has never seen the bucket; fails if it is
 * incomplete.
 */
export async function wholeSnapshot(memory: MemoryBucket, dir: string): Promise<Manifest | undefined> {
  const setting = { bucket: "memory", prefix: "", singleWriter: false, leaseMs: 60_000, cacheBytes: 1e9 };
  const output = openOutput({ dir: join(dir, "none"), store: setting }, { bucket: memory.client() });
  const manifest = await currentManifest(output.store);
  if (manifest === undefined) return undefined;
  const { problems } = await verifySnapshot(output.store, { deep: true });
  const whole = problems.filter(({ message }) => !message.startsWith("manifest.json "));
  if (whole.length > 0) throw new Error(JSON.stringify(whole));
  return manifest;
}

/** A bucket whose requests are taken out of its log, the objects of the snapshot without their hashes. */
export function loggedBucket(options?: Parameters<typeof createMemoryBucket>[0]): MemoryBucket & { taken(): string[] } {
  const memory = createMemoryBucket(options);
  return Object.assign(memory, { taken: () => memory.requests.splice(0) });
}
