import { join } from "node:path";
import type { Config } from "../config/config.js";
import type { Bucket } from "../store/bucket.js";
import { openFileStore } from "../store/file-store.js";
import { cacheFolder } from "./layout.js";
import { openOutput } from "./open-output.js";
import { type LocalCopies, type ReadableSnapshot, readableFolder, readableStore } from "./readable-snapshot.js";

/** Opens what a configuration's output holds, for readers; nothing is written to a store, and nothing sent yet. */
export function openReadable(
  output: Pick<Config["output"], "dir" | "store">,
  options: Pick<LocalCopies, "onUnreachable"> & { bucket?: Bucket } = {},
): ReadableSnapshot {
  if (output.store === undefined) return readableFolder(openFileStore(output.dir));
  const { onUnreachable, ...others } = options;
  return readableStore(openOutput(output, others).store, {
    local: openFileStore(output.dir, { rebuildable: () => true }),
    cache: openFileStore(cacheFolderOf(output)),
    onUnreachable,
  });
}

/** Where objects of a store are kept on this machine. */
export function cacheFolderOf({ dir, store }: Pick<Config["output"], "dir" | "store">): string {
  return store?.cacheDir ?? join(dir, cacheFolder);
}
