import { tryManifest } from "./current-manifest.js";
import { seenFolder, seenGeneration, seenPointer, seenStoreFile } from "./layout.js";
import type { Manifest } from "./manifest.js";
import { manifestText } from "./manifest-text.js";
import type { Store } from "./store/store.js";

/** So many generations are remembered: those that a build which runs may have pinned. */
const rememberedGenerations = 5;

/** What the pointer of a store said on this machine, for the time when the store cannot be reached. */
export class SeenManifests {
  readonly #local: Store;
  readonly #address: string;

  /**
   * @param local the folder of this machine
   * @param address tells the store from every other one: what was seen of another is forgotten
   */
  constructor(local: Store, address: string) {
    this.#local = local;
    this.#address = address;
  }

  /**
   * Remembers what the pointer says now. Its file is replaced where another generation is seen, which the watcher of a development
   * server notices. Where nothing can be written, nothing is remembered.
   */
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
      // A folder that cannot be written: the store is asked each time.
    }
  }

  /** What the pointer said when it was seen last. */
  async last(): Promise<Manifest | undefined> {
    if (!(await this.#isOfThisStore())) return undefined;
    return (await tryManifest(this.#local, seenPointer)).manifest;
  }

  /** A generation that the pointer named at some time. */
  async generation(number: number): Promise<Manifest | undefined> {
    if (!(await this.#isOfThisStore())) return undefined;
    return (await tryManifest(this.#local, seenGeneration(number), number)).manifest;
  }

  async #isOfThisStore(): Promise<boolean> {
    const noted = await this.#local.get(seenStoreFile);
    return noted !== undefined && Buffer.from(noted).toString() === this.#address;
  }

  /** Whose the files are is noted when there are none: whatever ends the process, none counts for another store. */
  async #beginAnew(): Promise<void> {
    for (const { name } of await this.#local.list(seenFolder)) await this.#local.remove(name);
    await this.#local.replace(seenStoreFile, Buffer.from(this.#address));
  }
}
