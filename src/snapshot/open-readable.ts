import { join } from "node:path";
import type { Config, StoreSetting } from "../config/config.js";
import { storeIdentity } from "../config/schema/store-schema.js";
import { isOffprintError, OffprintError } from "../lib/errors.js";
import { currentManifest, pointedManifest, readManifest, tryManifest } from "./current-manifest.js";
import { shardsOf, sizesIn } from "./generation-files.js";
import {
  cacheFolder,
  generationFile,
  seenFolder,
  seenGeneration,
  seenPointer,
  seenStoreFile,
  snapshotFolder,
} from "./layout.js";
import type { Manifest } from "./manifest.js";
import { manifestText } from "./manifest-text.js";
import { openOutput } from "./open-output.js";
import type { OpenOutputOptions } from "./output.js";
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
  return new SeenManifests(openFileStore(dir, { rebuildable: true }), storeIdentity(setting, env));
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

/** Number of remembered generations: those that a running build may have pinned. */
const rememberedGenerations = 5;

/** What the pointer of a store said, for when the store is unreachable. */
class SeenManifests {
  readonly #local: Store;
  readonly #address: string;

  /** @param address forgets what was seen of another store */
  constructor(local: Store, address: string) {
    this.#local = local;
    this.#address = address;
  }

  /** Replaces the file only for another generation, which a watcher notices. Ignores a read-only folder. */
  async remember(manifest: Manifest): Promise<void> {
    try {
      const last = await this.last();
      const isSame = last?.checksum === manifest.checksum;
      if (isSame && last.confirmed === manifest.confirmed) return;
      // Numbers start again in a store that was emptied.
      const isOfOtherNumbers = !isSame && last !== undefined && manifest.generation <= last.generation;
      if (isOfOtherNumbers || !(await this.#isOfThisStore())) await this.#beginAnew();
      const bytes = Buffer.from(manifestText(manifest));
      await this.#local.replace(seenGeneration(manifest.generation), bytes);
      await this.#local.replace(seenPointer, bytes);
      const older = (await this.#local.list(seenFolder))
        .filter(({ name }) => name !== seenPointer && name !== seenStoreFile)
        .sort((a, b) => b.modifiedMs - a.modifiedMs)
        .slice(rememberedGenerations);
      for (const { name } of older) await this.#local.remove(name);
    } catch {
      // Folder not writable: the store is asked each time.
    }
  }

  async last(): Promise<Manifest | undefined> {
    if (!(await this.#isOfThisStore())) return undefined;
    return (await tryManifest(this.#local, seenPointer)).manifest;
  }

  /** A generation that the pointer once named. */
  async generation(number: number): Promise<Manifest | undefined> {
    if (!(await this.#isOfThisStore())) return undefined;
    return (await tryManifest(this.#local, seenGeneration(number), number)).manifest;
  }

  async #isOfThisStore(): Promise<boolean> {
    const noted = await this.#local.get(seenStoreFile);
    return noted !== undefined && Buffer.from(noted).toString() === this.#address;
  }

  /** Notes the store only while there are no files, so no file ever counts for another one. */
  async #beginAnew(): Promise<void> {
    for (const { name } of await this.#local.list(seenFolder)) await this.#local.remove(name);
    await this.#local.replace(seenStoreFile, Buffer.from(this.#address));
  }
}
