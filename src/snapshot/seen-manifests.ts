import { tryManifest } from "./current-manifest.js";
import { seenFolder, seenGeneration, seenPointer, seenStoreFile } from "./layout.js";
import type { Manifest } from "./manifest.js";
import { manifestText } from "./manifest-text.js";
import type { Store } from "./store/store.js";

/** Number of remembered generations: those that a running build may have pinned. */
const rememberedGenerations = 5;

/** What the pointer of a store said, for when the store is unreachable. */
export class SeenManifests {
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
      if (last?.checksum === manifest.checksum && last.confirmed === manifest.confirmed) return;
      if (!(await this.#isOfThisStore())) await this.#beginAnew();
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
