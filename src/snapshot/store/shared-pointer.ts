import type { Bucket } from "./bucket.js";
import { openFileStore } from "./file-store.js";
import type { Lease } from "./lease.js";
import { type PointerNote, readPointerNote, writePointerNote } from "./pointer-note.js";
import type { SeenObjects } from "./seen-objects.js";
import type { Store } from "./store.js";

export interface SharedPointerOptions {
  bucket: Bucket;
  lease: Lease;
  /** Absolute path of the cache: the next process finds there what this one knows. */
  cacheDir: string;
  /** Name of the pointer. */
  pointer: string;
  /** Folder of the generations' files. */
  generations: string;
}

/** The pointer of a bucket, and the names of the generations that were there with each of its states. */
export class SharedPointer {
  readonly #options: SharedPointerOptions;
  readonly #objects: SeenObjects;
  readonly #noteFiles: Store;
  #noteRead: Promise<void> | undefined;
  /** The names of the generations when the pointer was in this state; no tag: as this lease has left them. */
  #generations: { tag: string | undefined; names: string[] } | undefined;

  constructor(objects: SeenObjects, options: SharedPointerOptions) {
    this.#objects = objects;
    this.#options = options;
    this.#noteFiles = openFileStore(options.cacheDir, { rebuildable: () => true });
  }

  async get(): Promise<Uint8Array | undefined> {
    const { lease, pointer: name } = this.#options;
    await this.#readNote();
    const before = this.#objects.tagOf(name);
    const bytes = await this.#objects.get(name);
    const pointer = this.#objects.keptOf(name);
    // A reader that lists nothing leaves the next process the tag, at least.
    if (pointer !== undefined && pointer.tag !== before && !lease.isHeld) {
      await this.#writeNote({ ...pointer, generations: null });
    }
    return bytes;
  }

  /**
   * The names of the generations' files. Whoever has the lease knows them, once listed: nobody else writes any. For others
   * they are those that were there when the pointer came into its state: a commit that has not reached the pointer is
   * completed by the next holder of the lease.
   */
  async generationNames(): Promise<string[]> {
    const { lease, pointer: name } = this.#options;
    if (lease.isHeld) {
      if (this.#generations === undefined || this.#generations.tag !== undefined) {
        this.#generations = { tag: undefined, names: await this.#listGenerations() };
      }
      return [...this.#generations.names];
    }
    await this.#readNote();
    const tag = this.#objects.tagOf(name);
    if (tag !== undefined && this.#generations?.tag === tag) return [...this.#generations.names];
    const names = await this.#listGenerations();
    this.#generations = tag === undefined ? undefined : { tag, names };
    const pointer = this.#objects.keptOf(name);
    if (pointer !== undefined && pointer.tag === tag) await this.#writeNote({ ...pointer, generations: names });
    return names;
  }

  /** A file was written or removed: it may be a generation's. */
  note(name: string, isThere: boolean): void {
    const known = this.#generations;
    if (known === undefined || !name.startsWith(`${this.#options.generations}/`)) return;
    const others = known.names.filter((other) => other !== name);
    known.names = isThere ? [...others, name].sort() : others;
  }

  /** Which generations there are is not known any more. */
  forgetGenerations(): void {
    this.#generations = undefined;
  }

  /** Notes for the next process what this one has left, before the lease is given back. */
  async keep(): Promise<void> {
    const pointer = this.#objects.keptOf(this.#options.pointer);
    const known = this.#generations;
    if (pointer === undefined || known === undefined || known.tag !== undefined) return;
    this.#generations = { tag: pointer.tag, names: known.names };
    await this.#writeNote({ ...pointer, generations: known.names });
  }

  async #listGenerations(): Promise<string[]> {
    const { bucket, generations } = this.#options;
    return (await bucket.list(`${generations}/`)).map(({ name }) => name);
  }

  /** What an earlier process knew of the pointer is taken up once. */
  #readNote(): Promise<void> {
    this.#noteRead ??= (async () => {
      const { bucket, pointer } = this.#options;
      const note = await readPointerNote(this.#noteFiles, bucket.address, pointer);
      if (note === undefined) return;
      this.#objects.know(pointer, note.tag, note.bytes);
      if (note.generations !== null) this.#generations ??= { tag: note.tag, names: note.generations };
    })();
    return this.#noteRead;
  }

  async #writeNote(note: PointerNote): Promise<void> {
    const { bucket, pointer } = this.#options;
    await writePointerNote(this.#noteFiles, bucket.address, pointer, note);
  }
}
