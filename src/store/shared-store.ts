import { createHash } from "node:crypto";
import { OffprintError } from "../errors.js";
import type { Bucket } from "./bucket.js";
import { openFileStore } from "./file-store.js";
import type { Lease } from "./lease.js";
import type { ObjectCache, Spool } from "./object-cache.js";
import { PendingWrites } from "./pending-writes.js";
import { type PointerNote, readPointerNote, writePointerNote } from "./pointer-note.js";
import { SeenObjects } from "./seen-objects.js";
import type { ObjectWriter, Store, StoredBytes, StoreEntry } from "./store.js";
import { checkFolderName, checkName } from "./store-name.js";

/** How many writes are under way at the same time. */
const writesAtOnce = 16;
const pieceBytes = 65_536;
type Range = { start: number; end: number };

/** How often a file that its last writer wins is tried again. */
const mostAttempts = 5;

/** Which names lie in the bucket, and what some of them are. */
export interface SharedLayout {
  pointer: string;
  state: string;
  lease: string;
  generations: string;
  folders: readonly string[];
  isShared(name: string): boolean;
  isUnguarded(name: string): boolean;
  hashOf(name: string): string | undefined;
}

export interface SharedStoreOptions {
  bucket: Bucket;
  lease: Lease;
  layout: SharedLayout;
  /** What is not shared. */
  local: Store;
  cache: ObjectCache;
  /** Names in the local store that begin with this are the cache's. */
  cacheFolder: string;
}

/** A store whose snapshot lies in a bucket. */
export interface SharedStore extends Store {
  atOrigin(): Store;
  /** To be called when a writer has the lease: forgets what an earlier one failed with, and what a lease before this one left. */
  startWriting(isNewLease: boolean): Promise<void>;
  /** To be called before the lease is given back: what is known of the pointer is noted for the next process. */
  endWriting(): Promise<void>;
}

/**
 * One store over a bucket and a folder. Shared names are objects of the bucket, those whose names hold a hash with a copy in
 * a cache; the state rides in the lease object; every other name is a file of the folder. Nothing is written to the bucket
 * without the lease but what belongs to a consumer.
 *
 * `put` has begun to write when it resolves; {@link Store.flush} waits for it.
 */
export function createSharedStore(options: SharedStoreOptions): SharedStore {
  return new SharedStoreOverBucket(options);
}

class SharedStoreOverBucket implements SharedStore {
  readonly #options: SharedStoreOptions;
  readonly #objects: SeenObjects;
  readonly #writes = new PendingWrites(writesAtOnce);
  /** The objects that were put under this lease, by the hash of their bytes: others may have been removed meanwhile. */
  readonly #put = new Map<string, string>();
  readonly #noteFiles: Store;
  #noteRead: Promise<void> | undefined;
  /** The names of the generations when the pointer was in this state; no tag: as this lease has left them. */
  #generations: { tag: string | undefined; names: string[] } | undefined;

  constructor(options: SharedStoreOptions) {
    this.#options = options;
    this.#objects = new SeenObjects(options.bucket);
    this.#noteFiles = openFileStore(options.cache.dir, { rebuildable: () => true });
  }

  async startWriting(isNewLease: boolean): Promise<void> {
    await this.#writes.begin();
    if (!isNewLease) return;
    this.#put.clear();
    this.#generations = undefined;
  }

  async endWriting(): Promise<void> {
    const { layout } = this.#options;
    await this.#writes.begin();
    const pointer = this.#objects.keptOf(layout.pointer);
    const known = this.#generations;
    if (pointer === undefined || known === undefined || known.tag !== undefined) return;
    this.#generations = { tag: pointer.tag, names: known.names };
    await this.#writeNote({ ...pointer, generations: known.names });
  }

  async put(name: string, bytes: Uint8Array): Promise<void> {
    checkName(name);
    if (!this.#isShared(name)) return this.#options.local.put(name, bytes);
    this.#assertMayWrite(name);
    const copy = new Uint8Array(bytes);
    const hash = createHash("sha256").update(copy).digest("hex");
    if (this.#put.get(name) === hash) return this.#writes.throwFailure();
    this.#put.set(name, hash);
    await this.#writes.start(name, async () => {
      await this.#upload(name, copy);
      if (this.#hashOf(name) !== undefined) await this.#options.cache.put(name, copy);
    });
  }

  async begin(): Promise<ObjectWriter> {
    this.#writes.throwFailure();
    const spool = await this.#options.cache.spool();
    let finished = false;
    return {
      write: (bytes) => spool.write(bytes),
      finish: async (name) => {
        checkName(name);
        const hash = await spool.end();
        finished = true;
        if (this.#isShared(name)) await this.#finish(name, hash, spool);
        else await this.#finishLocally(name, spool);
      },
      discard: async () => {
        if (!finished) await spool.discard();
      },
    };
  }

  async get(name: string): Promise<Uint8Array | undefined> {
    checkName(name);
    const { layout, local, lease } = this.#options;
    if (name === layout.state) {
      const state = await lease.state();
      return state === null ? undefined : Buffer.from(`${JSON.stringify(state, null, 2)}\n`);
    }
    if (!this.#isShared(name)) return local.get(name);
    await this.#writes.of(name);
    const hash = this.#hashOf(name);
    if (hash === undefined) return this.#getChanging(name);
    return (await this.#options.cache.get(name, hash)) ?? this.#fetch(name, hash);
  }

  async read(name: string): Promise<StoredBytes | undefined> {
    checkName(name);
    const { layout, local, cache } = this.#options;
    if (!this.#isShared(name) && name !== layout.state) return local.read(name);
    const hash = this.#hashOf(name);
    if (hash === undefined) {
      const bytes = await this.get(name);
      return bytes && { size: bytes.length, pieces: (range) => piecesOf(bytes, range) };
    }
    await this.#writes.of(name);
    return (await cache.read(name, hash)) ?? this.#fetchByPieces(name, hash);
  }

  async list(folder: string): Promise<StoreEntry[]> {
    checkFolderName(folder);
    const { bucket, local, layout } = this.#options;
    if (folder !== "" && !layout.isShared(folder)) return local.list(folder);
    await this.#writes.all();
    if (folder !== "") return bucket.list(`${folder}/`);
    const here = (await local.list("")).filter(({ name }) => this.#isLocal(name));
    const shared = (await bucket.list("")).filter(({ name }) => layout.isShared(name));
    return [...here, ...shared].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async names(folder: string): Promise<string[]> {
    checkFolderName(folder);
    const { layout, local } = this.#options;
    if (folder === layout.generations) return this.#generationNames();
    if (folder !== "" && !layout.isShared(folder)) return local.names(folder);
    return (await this.list(folder)).map(({ name }) => name);
  }

  async remove(name: string): Promise<void> {
    checkName(name);
    const { bucket, local, cache, layout } = this.#options;
    if (name === layout.state) return this.#setState(null);
    if (!this.#isShared(name)) return local.remove(name);
    this.#assertMayWrite(name);
    this.#put.delete(name);
    await this.#writes.start(name, async () => {
      await bucket.remove(name, this.#until(name));
      this.#objects.forget(name);
      this.#noteGeneration(name, false);
      if (this.#hashOf(name) !== undefined) await cache.remove(name);
    });
    if (this.#hashOf(name) === undefined) await this.#writes.all();
  }

  async flush(): Promise<void> {
    await this.#writes.all();
    await this.#options.local.flush();
  }

  async advance(name: string, bytes: Uint8Array): Promise<boolean> {
    checkName(name);
    if (!this.#isShared(name)) return this.#options.local.advance(name, bytes);
    await this.#writes.all();
    const created = await this.#objects.create(name, bytes, this.#until(name));
    if (created) this.#noteGeneration(name, true);
    else this.#generations = undefined;
    return created;
  }

  async replace(name: string, bytes: Uint8Array): Promise<void> {
    checkName(name);
    const { layout, local } = this.#options;
    if (name === layout.state) return this.#setState(JSON.parse(Buffer.from(bytes).toString("utf8")));
    if (!this.#isShared(name)) return local.replace(name, bytes);
    await this.#writes.all();
    this.#put.delete(name);
    for (let attempt = 1; !(await this.#objects.replace(name, bytes, this.#until(name))); attempt++) {
      if (!layout.isUnguarded(name) || attempt === mostAttempts) throw this.#overtaken(name);
    }
    this.#noteGeneration(name, true);
  }

  atOrigin(): Store {
    const direct = async (name: string) => (await this.#options.bucket.get(name)) as { bytes: Uint8Array } | undefined;
    const isObject = (name: string) => this.#isShared(name) && this.#hashOf(name) !== undefined;
    const here: Store = {
      put: (name, bytes) => this.put(name, bytes),
      begin: () => this.begin(),
      get: async (name) => {
        if (!isObject(name)) return this.get(name);
        await this.#writes.of(name);
        return (await direct(name))?.bytes;
      },
      read: async (name) => {
        if (!isObject(name)) return this.read(name);
        await this.#writes.of(name);
        const found = await this.#options.bucket.read(name);
        return found && { size: found.size, pieces: (range) => rangeOf(found.pieces, range) };
      },
      list: (folder) => this.list(folder),
      names: (folder) => this.names(folder),
      remove: (name) => this.remove(name),
      flush: () => this.flush(),
      advance: (name, bytes) => this.advance(name, bytes),
      replace: (name, bytes) => this.replace(name, bytes),
    };
    return here;
  }

  #isShared(name: string): boolean {
    return this.#options.layout.isShared(name);
  }

  #isLocal(name: string): boolean {
    const { layout, cacheFolder } = this.#options;
    return !layout.isShared(name) && name !== layout.state && !name.startsWith(`${cacheFolder}/`);
  }

  #hashOf(name: string): string | undefined {
    return this.#options.layout.hashOf(name);
  }

  /** @throws OffprintError `LOCKED` */
  #assertMayWrite(name: string): void {
    if (!this.#options.layout.isUnguarded(name)) this.#options.lease.assertHeld();
  }

  /** Until when the bucket may take it. @throws OffprintError `LOCKED` */
  #until(name: string): { untilMs?: number } {
    return this.#options.layout.isUnguarded(name) ? {} : { untilMs: this.#options.lease.untilMs() };
  }

  #setState(state: Record<string, unknown> | null): void {
    this.#options.lease.setState(state);
  }

  async #upload(name: string, content: Uint8Array | { size: number; open(): AsyncIterable<Uint8Array> }) {
    await this.#options.bucket.put(name, content, this.#until(name));
    this.#objects.forget(name);
    this.#noteGeneration(name, true);
  }

  async #finish(name: string, hash: string, spool: Spool): Promise<void> {
    this.#assertMayWrite(name);
    if (this.#put.get(name) === hash) {
      await spool.discard();
      return this.#writes.throwFailure();
    }
    this.#put.set(name, hash);
    await this.#writes.start(name, async () => {
      try {
        await this.#upload(name, spool);
        if (this.#hashOf(name) !== undefined) await spool.keep(name).catch(() => undefined);
      } finally {
        await spool.discard();
      }
    });
  }

  async #finishLocally(name: string, spool: Spool): Promise<void> {
    const object = await this.#options.local.begin();
    try {
      for await (const piece of spool.open()) await object.write(piece);
      await object.finish(name);
    } finally {
      await object.discard();
      await spool.discard();
    }
  }

  /** An object whose name does not tell its bytes. */
  async #getChanging(name: string): Promise<Uint8Array | undefined> {
    const { layout, lease } = this.#options;
    if (name !== layout.pointer) return this.#objects.get(name);
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

  /** An object by its hash. One whose bytes are others is given as it is, and not kept: its reader finds the damage. */
  async #fetch(name: string, hash: string): Promise<Uint8Array | undefined> {
    const { bucket, cache } = this.#options;
    const found = await bucket.get(name);
    if (found === undefined || found === "same") return undefined;
    if (createHash("sha256").update(found.bytes).digest("hex").startsWith(hash)) await cache.put(name, found.bytes);
    return found.bytes;
  }

  /** The same for an object that may be large: by way of the cache, or straight from the bucket where that has no room. */
  async #fetchByPieces(name: string, hash: string): Promise<StoredBytes | undefined> {
    const { bucket, cache } = this.#options;
    const spool = await cache.spool().catch((error: unknown) => cache.noteFailure(error));
    const found = await bucket.read(name);
    const direct = found && { size: found.size, pieces: (range?: Range) => this.#piecesFromBucket(name, range) };
    if (found === undefined || spool === undefined) {
      await spool?.discard();
      return direct;
    }
    try {
      for await (const piece of found.pieces) await spool.write(piece);
      if (!(await spool.end()).startsWith(hash)) return direct;
      await spool.keep(name);
      return (await cache.read(name, hash)) ?? direct;
    } catch (error) {
      if (!isDiskError(error)) throw error;
      cache.noteFailure(error);
      return direct;
    } finally {
      await spool.discard();
    }
  }

  async *#piecesFromBucket(name: string, range?: Range): AsyncGenerator<Uint8Array> {
    const found = await this.#options.bucket.read(name);
    if (found !== undefined) yield* rangeOf(found.pieces, range);
  }

  /**
   * The names of the generations' files. Whoever has the lease knows them, once listed: nobody else writes any. For others
   * they are those that were there when the pointer came into its state: a commit that has not reached the pointer is
   * completed by the next holder of the lease.
   */
  async #generationNames(): Promise<string[]> {
    const { layout, lease } = this.#options;
    await this.#writes.all();
    if (lease.isHeld) {
      if (this.#generations === undefined || this.#generations.tag !== undefined) {
        this.#generations = { tag: undefined, names: await this.#listGenerations() };
      }
      return [...this.#generations.names];
    }
    await this.#readNote();
    const tag = this.#objects.tagOf(layout.pointer);
    if (tag !== undefined && this.#generations?.tag === tag) return [...this.#generations.names];
    const names = await this.#listGenerations();
    this.#generations = tag === undefined ? undefined : { tag, names };
    const pointer = this.#objects.keptOf(layout.pointer);
    if (pointer !== undefined && pointer.tag === tag) await this.#writeNote({ ...pointer, generations: names });
    return names;
  }

  async #listGenerations(): Promise<string[]> {
    const { bucket, layout } = this.#options;
    return (await bucket.list(`${layout.generations}/`)).map(({ name }) => name);
  }

  #noteGeneration(name: string, isThere: boolean): void {
    const known = this.#generations;
    if (known === undefined || !name.startsWith(`${this.#options.layout.generations}/`)) return;
    const others = known.names.filter((other) => other !== name);
    known.names = isThere ? [...others, name].sort() : others;
  }

  /** What an earlier process knew of the pointer is taken up once. */
  #readNote(): Promise<void> {
    this.#noteRead ??= (async () => {
      const { bucket, layout } = this.#options;
      const note = await readPointerNote(this.#noteFiles, bucket.address, layout.pointer);
      if (note === undefined) return;
      this.#objects.know(layout.pointer, note.tag, note.bytes);
      if (note.generations !== null) this.#generations ??= { tag: note.tag, names: note.generations };
    })();
    return this.#noteRead;
  }

  async #writeNote(note: PointerNote): Promise<void> {
    const { bucket, layout } = this.#options;
    await writePointerNote(this.#noteFiles, bucket.address, layout.pointer, note);
  }

  #overtaken(name: string): OffprintError {
    const { address } = this.#options.bucket;
    return new OffprintError("LOCKED", `Another process has written ${name} in ${address} meanwhile.`, {
      hint: "Run the same command again: it starts from there.",
    });
  }
}

function isDiskError(error: unknown): boolean {
  return error instanceof OffprintError && (error.code === "NO_SPACE" || error.code === "OUTPUT_UNUSABLE");
}

function* piecesIn(bytes: Uint8Array, start: number, end: number): Generator<Uint8Array> {
  for (let at = start; at < Math.min(end, bytes.length); at += pieceBytes) {
    yield bytes.subarray(at, Math.min(at + pieceBytes, end));
  }
}

async function* piecesOf(
  bytes: Uint8Array,
  { start, end } = { start: 0, end: bytes.length },
): AsyncGenerator<Uint8Array> {
  yield* piecesIn(bytes, start, end);
}

/** A range of bytes that come from their beginning. */
async function* rangeOf(
  pieces: AsyncIterable<Uint8Array>,
  { start, end } = { start: 0, end: Number.POSITIVE_INFINITY },
): AsyncGenerator<Uint8Array> {
  let at = 0;
  if (end <= start) return;
  for await (const piece of pieces) {
    yield* piecesIn(piece, Math.max(0, start - at), Math.max(0, end - at));
    at += piece.length;
    if (at >= end) return;
  }
}
