import { join } from "node:path";
import type { Config, StoreSetting } from "../config/config.js";
import { storeIdentity } from "../config/schema/store-schema.js";
import { cacheFolder } from "./layout.js";
import { openOutput } from "./open-output.js";
import type { OpenOutputOptions } from "./output.js";
import { type LocalCopies, type ReadableSnapshot, readableFolder, readableStore } from "./readable-snapshot.js";
import { SeenManifests } from "./seen-manifests.js";
import { openFileStore } from "./store/file-store.js";

/** Opens what a configuration's output holds, for readers; nothing is written to a store, and nothing sent yet. */
export function openReadable(
  output: Pick<Config["output"], "dir" | "store">,
  options: Pick<LocalCopies, "onUnreachable"> & Pick<OpenOutputOptions, "bucket" | "env" | "onNote"> = {},
): ReadableSnapshot {
  if (output.store === undefined) return readableFolder(openFileStore(output.dir));
  const { onUnreachable, ...others } = options;
  return readableStore(openOutput(output, others).store, {
    seen: seenOf(output.dir, output.store, options.env),
    cache: openFileStore(cacheFolderOf(output)),
    onUnreachable,
  });
}

/** What this machine has seen of a store. */
export function seenOf(
  dir: string,
  setting: StoreSetting,
  env: NonNullable<OpenOutputOptions["env"]> = process.env,
): SeenManifests {
  return new SeenManifests(openFileStore(dir, { rebuildable: () => true }), storeIdentity(setting, env));
}

/** Where objects of a store are kept on this machine. */
export function cacheFolderOf({ dir, store }: Pick<Config["output"], "dir" | "store">): string {
  return store?.cacheDir ?? join(dir, cacheFolder);
}
