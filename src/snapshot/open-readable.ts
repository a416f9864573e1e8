import { join } from "node:path";
import type { Config, StoreSetting } from "../config/config.js";
import { storeIdentity } from "../config/schema/store-schema.js";
import { isOffprintError, OffprintError } from "../lib/errors.js";
import { currentManifest, pointedManifest, readManifest, tryManifest } from "./current-manifest.js";
import { shardsOf } from "./generation-files.js";
import { cacheFolder, generationFile, snapshotFolder } from "./layout.js";
import type { Manifest } from "./manifest.js";
import { openOutput } from "./open-output.js";
import type { OpenOutputOptions } from "./output.js";
import { SeenManifests } from "./seen-manifests.js";
import { openFileStore } from "./store/file-store.js";
import type { Store } from "./store/store.js";

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

/** A snapshot that is only read, in a folder or in a store that machines share. */
export interface ReadableSnapshot {
  store: Store;
  /**
   * The current generation; undefined: there is no snapshot.
   * @throws OffprintError `SNAPSHOT_DAMAGED`, `SNAPSHOT_FORMAT`; `STORE_UNREACHABLE` where a store cannot be reached, and the
   * generation that was seen last is not whole on this machine
   */
  current(): Promise<Manifest | undefined>;
  /** A generation by its number; undefined: it is not kept. @throws OffprintError as {@link current} */
  generation(number: number): Promise<Manifest | undefined>;
}

/** A snapshot in a folder. */
function readableFolder(store: Store): ReadableSnapshot {
  return { store, current: () => currentManifest(store), generation: (number) => keptOr(store, number) };
}

/** What a reader of a store has on its machine. */
export interface LocalCopies {
  /** What this machine has seen of the store. */
  seen: SeenManifests;
  /** The cache of immutable objects, which have the names there that they have in the store. */
  cache: Pick<Store, "list">;
  /**
   * Called once where the store cannot be reached, and its last generation is read of the cache.
   * @param manifest the generation that is read
   */
  onUnreachable?: ((error: OffprintError, manifest: Manifest) => void) | undefined;
}

/**
 * A snapshot in a store that machines share. Which generation is current costs one request. Where the store cannot be
 * reached, it is the one that was seen last, if all of its shards are on this machine.
 */
function readableStore(store: Store, { seen, cache, onUnreachable }: LocalCopies): ReadableSnapshot {
  let isTold = false;
  /** What is seen of the store, or what was remembered of it. */
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
  const sizes = new Map((await cache.list(snapshotFolder)).map(({ name, size }) => [name, size]));
  return shardsOf(manifest).every(({ name, bytes }) => sizes.get(name) === bytes);
}

function withoutCopy(error: OffprintError, manifest: Manifest | undefined): OffprintError {
  const here =
    manifest === undefined
      ? "Nothing of it is on this machine."
      : `Generation ${manifest.generation}, which was seen last, is not whole on this machine.`;
  return new OffprintError(error.code, `${error.message} ${here}`, {
    hint: `${error.hint} \`offprint pull\` brings all of a generation here, so that builds go on without the store.`.trim(),
    cause: error,
  });
}
