import { piecesOf } from "./byte-ranges.js";
import { HashedObjects } from "./hashed-objects.js";
import type { Spool } from "./object-cache.js";
import { SeenObjects } from "./seen-objects.js";
import { type SharedBucket, SharedPointer } from "./shared-pointer.js";
import { SharedWrites } from "./shared-writes.js";
import {
  checkFolderName,
  checkName,
  type ObjectWriter,
  type ReadFiles,
  type Store,
  type StoredBytes,
  type StoreEntry,
} from "./store.js";

export interface SharedStoreOptions extends SharedBucket {
  /** For names that are not shared. */
  local: Store;
  /** Prefix of the cache's names in the local store. */
  cacheFolder: string;
}

/**
 * One store over a bucket and a folder: names with a hash are cached, the state is in the lease object. `put`
 * resolves once the write has begun; {@link Store.flush} waits for it.
 */
export class SharedStore implements Store {
  readonly #options: SharedStoreOptions;
  /** Objects without a hash in their names. */
  readonly #changing: SeenObjects;
  readonly #hashed: HashedObjects;
  readonly #pointer: SharedPointer;
  readonly #writes: SharedWrites;

  constructor(options: SharedStoreOptions) {
    const { bucket, cache } = options;
    this.#options = options;
    this.#changing = new SeenObjects(bucket);
    this.#hashed = new HashedObjects(bucket, cache);
    this.#pointer = new SharedPointer(this.#changing, options);
    this.#writes = new SharedWrites(options, this.#changing, this.#pointer);
  }

  /** Call when a writer has the lease: forgets an earlier failure, and an earlier lease's rest. */
  startWriting(isNewLease: boolean): Promise<void> {
    return this.#writes.start(isNewLease);
  }

  /** Call before the lease is released: waits for writes, notes the pointer for a later process. */
  async endWriting(): Promise<void> {
    await this.#writes.pending.begin();
    await this.#pointer.keep();
  }

  async put(name: string, bytes: Uint8Array): Promise<void> {
    checkName(name);
    await (this.#isShared(name) ? this.#writes : this.#options.local).put(name, bytes);
  }

  async begin(): Promise<ObjectWriter> {
    this.#writes.pending.throwFailure();
    const spool = await this.#options.cache.spool();
    let finished = false;
    return {
      write: (bytes) => spool.write(bytes),
      finish: async (name) => {
        checkName(name);
        const hash = await spool.end();
        if (this.#isShared(name)) await this.#writes.putSpooled(name, hash, spool);
        else await this.#finishLocally(name, spool);
        finished = true;
      },
      discard: async () => {
        if (!finished) await spool.discard();
      },
    };
  }

  async get(name: string, mostBytes?: number): Promise<Uint8Array | undefined> {
    checkName(name);
    const { layout, local, lease } = this.#options;
    if (name === layout.state) {
      const state = await lease.state();
      return state === null ? undefined : Buffer.from(`${JSON.stringify(state, null, 2)}\n`);
    }
    if (!this.#isShared(name)) return local.get(name, mostBytes);
    await this.#writes.pending.of(name);
    const hash = layout.hashOf(name);
    if (hash !== undefined) return this.#hashed.get(name, hash, mostBytes);
    return name === layout.pointer ? this.#pointer.get() : this.#changing.get(name);
  }

  async read(name: string, mostBytes?: number): Promise<StoredBytes | undefined> {
    checkName(name);
    const { layout, local } = this.#options;
    if (!this.#isShared(name) && name !== layout.state) return local.read(name);
    const hash = layout.hashOf(name);
    if (hash === undefined) {
      const bytes = await this.get(name);
      return bytes && { size: bytes.length, pieces: (range) => piecesOf(bytes, range) };
    }
    await this.#writes.pending.of(name);
    return this.#hashed.read(name, hash, mostBytes);
  }

  async list(folder: string): Promise<StoreEntry[]> {
    checkFolderName(folder);
    const { bucket, local, layout } = this.#options;
    if (folder !== "" && !layout.isShared(folder)) return local.list(folder);
    await this.#writes.pending.all();
    if (folder !== "") return bucket.list(`${folder}/`);
    const here = (await local.list("")).filter(({ name }) => this.#isLocal(name));
    const shared = (await bucket.list("")).filter(({ name }) => layout.isShared(name));
    return [...here, ...shared].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async names(folder: string): Promise<string[]> {
    checkFolderName(folder);
    const { layout, local } = this.#options;
    if (folder === layout.generations) {
      await this.#writes.pending.all();
      return this.#pointer.generationNames();
    }
    if (folder !== "" && !layout.isShared(folder)) return local.names(folder);
    return (await this.list(folder)).map(({ name }) => name);
  }

  async remove(name: string): Promise<void> {
    checkName(name);
    const { local, lease, layout } = this.#options;
    if (name === layout.state) return lease.setState(null);
    await (this.#isShared(name) ? this.#writes : local).remove(name);
  }

  async flush(): Promise<void> {
    await this.#writes.pending.all();
    await this.#options.local.flush();
  }

  async advance(name: string, bytes: Uint8Array): Promise<boolean> {
    checkName(name);
    return this.#isShared(name) ? this.#writes.create(name, bytes) : this.#options.local.advance(name, bytes);
  }

  async replace(name: string, bytes: Uint8Array): Promise<void> {
    checkName(name);
    const { local, lease, layout } = this.#options;
    if (name === layout.state) return lease.setState(JSON.parse(Buffer.from(bytes).toString("utf8")));
    await (this.#isShared(name) ? this.#writes : local).replace(name, bytes);
  }

  atOrigin(): ReadFiles {
    const isHashed = (name: string) => this.#isShared(name) && this.#options.layout.hashOf(name) !== undefined;
    return {
      get: async (name) => {
        if (!isHashed(name)) return this.get(name);
        await this.#writes.pending.of(name);
        return this.#hashed.origin.get(name);
      },
      read: async (name) => {
        if (!isHashed(name)) return this.read(name);
        await this.#writes.pending.of(name);
        return this.#hashed.origin.read(name);
      },
      names: (folder) => this.names(folder),
    };
  }

  #isShared(name: string): boolean {
    return this.#options.layout.isShared(name);
  }

  #isLocal(name: string): boolean {
    const { layout, cacheFolder } = this.#options;
    return !layout.isShared(name) && name !== layout.state && !name.startsWith(`${cacheFolder}/`);
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
}
