import { createHash } from "node:crypto";
import { list, object, oneOf, orNull, text } from "../../lib/shape.js";
import type { Bucket } from "./bucket.js";
import { openFileStore } from "./file-store.js";
import type { Lease } from "./lease.js";
import type { ObjectCache } from "./object-cache.js";
import type { SeenObjects } from "./seen-objects.js";
import type { Store } from "./store.js";

/** Which names lie in a bucket that machines share, and what some of them are. */
export interface SharedLayout {
  /** The file that names the current generation. */
  pointer: string;
  /** What rides in the lease object. */
  state: string;
  /** Folder of the generations' files. */
  generations: string;
  /** Whether a file, or the files of a folder, lie in the bucket. */
  isShared(name: string): boolean;
  /** Whether a shared file is written without the lease. */
  isUnguarded(name: string): boolean;
  /** The beginning of the hash of a file's bytes, where its name holds it. */
  hashOf(name: string): string | undefined;
}

/** A bucket that machines share. */
export interface SharedBucket {
  bucket: Bucket;
  lease: Lease;
  layout: SharedLayout;
  /** Copies of what was read and written; the next process finds there what this one knows of the pointer. */
  cache: ObjectCache;
}

const noteFormat = 1;
const noteFile = ".bucket.json";

/** What a process knows of the pointer of a bucket, for the next one. */
interface PointerNote {
  tag: string;
  bytes: Uint8Array;
  /** The names in the folder of the generations, as the bucket had them when the pointer was in this state; null: not known. */
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

/** The pointer of a bucket, and the names of the generations that were there with each of its states. */
export class SharedPointer {
  readonly #options: SharedBucket;
  readonly #objects: SeenObjects;
  readonly #noteFiles: Store;
  #noteRead: Promise<void> | undefined;
  /** The names of the generations when the pointer was in this state; no tag: as this lease has left them. */
  #generations: { tag: string | undefined; names: string[] } | undefined;

  constructor(objects: SeenObjects, options: SharedBucket) {
    this.#objects = objects;
    this.#options = options;
    this.#noteFiles = openFileStore(options.cache.dir, { rebuildable: () => true });
  }

  async get(): Promise<Uint8Array | undefined> {
    const { lease } = this.#options;
    const name = this.#name;
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

  /** A file was written or removed: it may be a generation's. */
  note(name: string, isThere: boolean): void {
    const known = this.#generations;
    if (known === undefined || !name.startsWith(`${this.#options.layout.generations}/`)) return;
    const others = known.names.filter((other) => other !== name);
    known.names = isThere ? [...others, name].sort() : others;
  }

  /** Which generations there are is not known any more. */
  forgetGenerations(): void {
    this.#generations = undefined;
  }

  /** Notes for the next process what this one has left, before the lease is given back. */
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

  /** What an earlier process knew of the pointer is taken up once. */
  #readNote(): Promise<void> {
    this.#noteRead ??= (async () => {
      const note = await this.#noted();
      if (note === undefined) return;
      this.#objects.know(this.#name, note.tag, note.bytes);
      if (note.generations !== null) this.#generations ??= { tag: note.tag, names: note.generations };
    })();
    return this.#noteRead;
  }

  /** Undefined where nothing is noted of this bucket, or the two files of the note do not belong together. */
  async #noted(): Promise<PointerNote | undefined> {
    try {
      const [noted, bytes] = await Promise.all([this.#noteFiles.get(noteFile), this.#noteFiles.get(this.#name)]);
      if (noted === undefined || bytes === undefined) return undefined;
      const value: unknown = JSON.parse(Buffer.from(noted).toString("utf8"));
      const isOurs = noteShape.is(value) && value.address === this.#options.bucket.address;
      return isOurs && value.hash === hashOf(bytes) ? { ...value, bytes } : undefined;
    } catch {
      return undefined;
    }
  }

  /** Writes it beside the cached objects; quiet where that is not possible. */
  async #writeNote({ tag, bytes, generations }: PointerNote): Promise<void> {
    const { address } = this.#options.bucket;
    const note: WrittenNote = { format: noteFormat, address, tag, hash: hashOf(bytes), generations };
    try {
      await this.#noteFiles.replace(this.#name, bytes);
      await this.#noteFiles.replace(noteFile, Buffer.from(`${JSON.stringify(note)}\n`));
    } catch {
      // Without the note the next process asks for the pointer without a condition.
    }
  }
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
