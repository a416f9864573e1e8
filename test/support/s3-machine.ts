import type { Config, StoreSetting } from "../../src/config/config.js";
import { openOutput } from "../../src/snapshot/open-output.js";
import type { OpenOutputOptions } from "../../src/snapshot/output.js";
import { sync } from "../../src/sync/sync.js";
import type { TestBucket } from "./s3-endpoint.js";
import type { Machine } from "./shared-project.js";
import { syncFolder } from "./sync-folder.js";

/** The setting of an output in a bucket of a test, below the prefix `site`. */
export function storeSettingOf(
  { bucket, endpoint, region }: TestBucket,
  more: Partial<StoreSetting> = {},
): StoreSetting {
  const common = { prefix: "site", singleWriter: false, leaseMs: 60_000, cacheBytes: 1e9 };
  return { bucket, endpoint, region, ...common, ...more };
}

/** The variables with the key of a bucket, and nothing else that a key is looked for in. */
export function keyVariables({ accessKeyId, secretAccessKey }: TestBucket): Record<string, string> {
  return { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, HOME: "/nowhere" };
}

/**
 * A machine with its own folder that shares a snapshot over S3.
 * @param source, more: YAML of its configuration
 */
export async function s3Machine(
  url: string,
  at: TestBucket,
  {
    source = "token: test-token",
    more = "",
    store = {},
  }: { source?: string; more?: string; store?: Partial<StoreSetting> } = {},
): Promise<Machine> {
  const folder = await syncFolder(
    `source: { url: "${url}", ${source} }\nqueue: { retries: 0, rateLimit: false }\n${more}`,
  );
  const known = await folder.config();
  const config: Config = { ...known, output: { ...known.output, store: storeSettingOf(at, store) } };
  const open = (options: OpenOutputOptions = {}) => openOutput(config.output, { env: keyVariables(at), ...options });
  return {
    config,
    dir: config.output.dir,
    open,
    sync: (options = {}, output = open()) => sync({ config, output, ...options }),
  };
}
