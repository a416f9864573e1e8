import { join } from "node:path";
import type { Config, StoreSetting } from "../config/config.js";
import { storeIdentity } from "../config/schema/store-schema.js";
import { isOffprintError, OffprintError } from "../lib/errors.js";
import { currentManifest, pointedManifest, readManifest, tryManifest } from "./current-manifest.js";
import { shardsOf, sizesIn } from "./generation-files.js";
import { cacheFolder, generationFile, snapshotFolder } from "./layout.js";
import type { Manifest } from "./manifest.js";
import { openOutput } from "./open-output.js";
import type { OpenOutputOptions } from "./output.js";
import { SeenManifests } from "./seen-manifests.js";
import { openFileStore } from "./store/file-store.js";
import type { Store } from "./store/store.js";

/** Opens a configuration's output for readers. Never writes to a store, and sends nothing yet. */
export function openReadable(
  output: Pick<Config["output"], "dir" | "store">,
  options: Pick<LocalCopies, "onUnreachable"> & Pick<OpenOutputOptions, "bucket" | "env" | "onNote"> = {},
): ReadableSnapshot {
  if (output.store === undefined) {
    const store = openFileStore(output.dir);
    return { store, current: () => currentManifest(store), generation: (number) => keptOr(store, number) };
  }
  const { onUnreachable, ...others } = options;
  return readableStore(openOutput(output, others).store, {
    seen: seenOf(output.dir, output.store, options.env),
    cache: openFileStore(cacheFolderOf(output)),
    onUnreachable,
  });
}

export function seenOf(
  dir: string,
  setting: StoreSetting,
  env: NonNullable<OpenOutputOptions["env"]> = process.env,
): SeenManifests {
  return new SeenManifests(openFileStore(dir, { rebuildable: () => true }), storeIdentity(setting, env));
}

export function cacheFolderOf({ dir, store }: Pick<Config["output"], "dir" | "store">): string {
  return store?.cacheDir ?? join(dir, cacheFolder);
}

/** A read-only snapshot, in a folder or in a shared store. */
export interface ReadableSnapshot {
  store: Store;
  /** Undefined without a snapshot. @throws `STORE_UNREACHABLE` without a whole copy of the last seen one */
  current(): Promise<Manifest | undefined>;
  /** Undefined if not kept. @throws OffprintError as {@link current} */
  generation(number: number): Promise<Manifest | undefined>;
}

export interface LocalCopies {
  seen: SeenManifests;
  /** The cache of immutable objects, under the store's names. */
  cache: Pick<Store, "list">;
  /** Called once if the store is unreachable and this cached generation is read. */
  onUnreachable?: ((error: OffprintError, manifest: Manifest) => void) | undefined;
}

/** Finding the current generation costs one request; while the store is unreachable, it is the last seen one. */
function readableStore(store: Store, { seen, cache, onUnreachable }: LocalCopies): ReadableSnapshot {
  let isTold = false;
  const seenOr = async (
    see: () => Promise<Manifest | undefined>,
    remembered: () => Promise<Manifest | undefined>,
  ): Promise<Manifest | undefined> => {
    try {
      return await see();
    } catch (error) {
      if (!isOffprintError(error, "STORE_UNREACHABLE")) throw error;
      const manifest = await remembered();
      if (manifest === undefined || !(await isWhole(cache, manifest))) throw withoutCopy(error, manifest);
      if (!isTold) onUnreachable?.(error, manifest);
      isTold = true;
      return manifest;
    }
  };
  return {
    store,
    current: () =>
      seenOr(
        async () => {
          const manifest = await pointedManifest(store);
          if (manifest !== undefined) await seen.remember(manifest);
          return manifest;
        },
        () => seen.last(),
      ),
    generation: (number) =>
      seenOr(
        async () => (await seen.generation(number)) ?? keptOr(store, number),
        async () => undefined,
      ),
  };
}

async function keptOr(store: Store, generation: number): Promise<Manifest | undefined> {
  const { manifest, damage } = await tryManifest(store, generationFile(generation), generation);
  if (manifest === undefined && damage !== undefined) return readManifest(store, generation);
  return manifest;
}

async function isWhole(cache: Pick<Store, "list">, manifest: Manifest): Promise<boolean> {
  const sizes = await sizesIn(cache, snapshotFolder);
  return shardsOf(manifest).every(({ name, bytes }) => sizes.get(name) === bytes);
}

function withoutCopy(error: OffprintError, manifest: Manifest | undefined): OffprintError {
  const here =
    manifest === undefined
      ? "This machine has no copy."
      : `This machine has only part of the last seen generation, ${manifest.generation}.`;
  return new OffprintError(error.code, `${error.message} ${here}`, {
    hint: `${error.hint} \`offprint pull\` copies a whole generation here, so that builds work without the store.`.trim(),
    cause: error,
  });
}
