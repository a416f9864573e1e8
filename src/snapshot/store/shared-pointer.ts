import { contentHash } from "../../lib/content-hash.js";
import { parseAs } from "../../lib/parse-as.js";
import { list, object, oneOf, orNull, text } from "../../lib/shape.js";
import type { Bucket } from "./bucket.js";
import { openFileStore } from "./file-store.js";
import type { Lease } from "./lease.js";
import type { ObjectCache } from "./object-cache.js";
import type { SeenObjects } from "./seen-objects.js";
import type { Store } from "./store.js";

/** Which names are in a shared bucket, and the role of some. */
export interface SharedLayout {
  pointer: string;
  /** The part inside the lease object. */
  state: string;
  /** Folder of the generations' files. */
  generations: string;
  /** Whether a file, or a folder's files, are in the bucket. */
  isShared(name: string): boolean;
  /** Whether a shared file is written without the lease. */
  isUnguarded(name: string): boolean;
  /** The hash, or its beginning, in a file's name. */
  hashOf(name: string): string | undefined;
}

export interface SharedBucket {
  bucket: Bucket;
  lease: Lease;
  layout: SharedLayout;
  cache: ObjectCache;
}

const noteFormat = 1;
const noteFile = ".bucket.json";

interface PointerNote {
  tag: string;
  bytes: Uint8Array;
  /** The generations in the bucket when the pointer was in this state; null: unknown. */
  generations: string[] | null;
}

interface WrittenNote extends Omit<PointerNote, "bytes"> {
  format: typeof noteFormat;
  address: string;
  /** SHA-256 of the pointer's bytes. */
  hash: string;
}

const noteShape = object<WrittenNote>({
  format: oneOf(noteFormat),
  address: text,
  tag: text,
  hash: text,
  generations: orNull(list(text)),
});

/** A bucket's pointer, and the generation names at each of its states. */
export class SharedPointer {
  readonly #options: SharedBucket;
  readonly #objects: SeenObjects;
  readonly #noteFiles: Store;
  #noteRead: Promise<void> | undefined;
  /** The generation names at the pointer's state; no tag: as changed under this lease. */
  #generations: { tag: string | undefined; names: string[] } | undefined;

  constructor(objects: SeenObjects, options: SharedBucket) {
    this.#objects = objects;
    this.#options = options;
    this.#noteFiles = openFileStore(options.cache.dir, { rebuildable: true });
  }

  async get(): Promise<Uint8Array | undefined> {
    const { lease } = this.#options;
    const name = this.#name;
    await this.#readNote();
    const before = this.#objects.tagOf(name);
    const bytes = await this.#objects.get(name);
    const pointer = this.#objects.keptOf(name);
    // A reader that lists nothing still leaves the tag for the next process.
    if (pointer !== undefined && pointer.tag !== before && !lease.isHeld) {
      await this.#writeNote({ ...pointer, generations: null });
    }
    return bytes;
  }

  /** The lease holder lists once, as nobody else writes any. Others use those of the pointer's last write. */
  async generationNames(): Promise<string[]> {
    const name = this.#name;
    if (this.#options.lease.isHeld) {
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

  /** Notes a written or removed file, which may be a generation's. */
  note(name: string, isThere: boolean): void {
    const known = this.#generations;
    if (known === undefined || !name.startsWith(`${this.#options.layout.generations}/`)) return;
    const others = known.names.filter((other) => other !== name);
    known.names = isThere ? [...others, name].sort() : others;
  }

  forgetGenerations(): void {
    this.#generations = undefined;
  }

  /** Notes its knowledge for the next process, before the lease is released. */
  async keep(): Promise<void> {
    const pointer = this.#objects.keptOf(this.#name);
    const known = this.#generations;
    if (pointer === undefined || known === undefined || known.tag !== undefined) return;
    this.#generations = { tag: pointer.tag, names: known.names };
    await this.#writeNote({ ...pointer, generations: known.names });
  }

  get #name(): string {
    return this.#options.layout.pointer;
  }

  async #listGenerations(): Promise<string[]> {
    const { bucket, layout } = this.#options;
    return (await bucket.list(`${layout.generations}/`)).map(({ name }) => name);
  }

  /** Reads an earlier process's note once. */
  #readNote(): Promise<void> {
    this.#noteRead ??= (async () => {
      const note = await this.#noted();
      if (note === undefined) return;
      this.#objects.know(this.#name, note.tag, note.bytes);
      if (note.generations !== null) this.#generations ??= { tag: note.tag, names: note.generations };
    })();
    return this.#noteRead;
  }

  /** Undefined without a note for this bucket, or if its two files do not match. */
  async #noted(): Promise<PointerNote | undefined> {
    try {
      const [noted, bytes] = await Promise.all([this.#noteFiles.get(noteFile), this.#noteFiles.get(this.#name)]);
      if (bytes === undefined) return undefined;
      const note = parseAs(noted, noteShape);
      const isOurs = note?.address === this.#options.bucket.address && note.hash === contentHash(bytes);
      return isOurs ? { ...note, bytes } : undefined;
    } catch {
      return undefined;
    }
  }

  /** Writes it next to the cached objects; quiet if it cannot. */
  async #writeNote({ tag, bytes, generations }: PointerNote): Promise<void> {
    const { address } = this.#options.bucket;
    const note: WrittenNote = { format: noteFormat, address, tag, hash: contentHash(bytes), generations };
    try {
      await this.#noteFiles.replace(this.#name, bytes);
      await this.#noteFiles.replace(noteFile, Buffer.from(`${JSON.stringify(note)}\n`));
    } catch {
      // Without the note, the next process asks for the pointer without a condition.
    }
  }
}
