import { resolve } from "node:path";
import type { Config } from "../../config/config.js";
import { isStoreAddress } from "../../config/schema/store-address.js";
import { storeSettingOf } from "../../config/schema/store-schema.js";
import { OffprintError } from "../../lib/errors.js";
import { bucketSource, folderSource, type PullSource } from "./pull-source.js";

export interface OpenSourceOptions {
  config: Config;
  /** What a relative path begins at. */
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
}

/**
 * Opens what a snapshot is copied from.
 * @param from `s3://bucket/prefix`, or the path of another output folder
 * @throws OffprintError `USAGE` where none is named, or the folder is that of the configuration
 */
export async function openSource(
  from: string | undefined,
  { config, cwd, env }: OpenSourceOptions,
): Promise<PullSource> {
  if (from === undefined) {
    throw new OffprintError("USAGE", "There is nothing to pull from.", {
      hint: "Name it with --from, an address such as s3://bucket/prefix or another output folder, or write output.store.",
    });
  }
  if (isStoreAddress(from)) {
    const { openBucket } = await import("../../snapshot/store/s3/open-bucket.js");
    return bucketSource(openBucket(storeSettingOf(from, {}, { cwd, env }).store, { env }));
  }
  const dir = resolve(cwd, from);
  if (dir === config.output.dir) {
    throw new OffprintError("USAGE", `${from} is the output folder itself.`, {
      hint: "Name another folder with --from, or another output folder with --output.",
    });
  }
  return folderSource(dir);
}
