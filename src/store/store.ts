/** One file that a store holds. */
export interface StoreEntry {
  /** Path relative to the store's root, with `/` between segments. */
  name: string;
  /** Size in bytes. */
  size: number;
  /** Time of the last write, in milliseconds since the epoch. */
  modifiedMs: number;
}

/**
 * An object that is written piece by piece, for bytes that must not be in memory all at once. Nobody sees it before it is
 * finished; one that is neither finished nor discarded is removed by whoever holds the lock next.
 */
export interface ObjectWriter {
  /** Adds bytes at the end. One call at a time. @throws OffprintError `NO_SPACE`, `OUTPUT_UNUSABLE` */
  write(bytes: Uint8Array): Promise<void>;
  /**
   * Gives the object its name: what {@link Store.put} does, of the bytes written so far. Nothing can be written afterwards.
   * @throws OffprintError `NO_SPACE` also where fewer bytes arrived on disk than were written
   */
  finish(name: string): Promise<void>;
  /** Throws away what was written; quiet where it is finished or discarded. */
  discard(): Promise<void>;
}

/** The bytes of one file, for files that must not be in memory all at once. */
export interface StoredBytes {
  /** Bytes of the whole file. */
  size: number;
  /**
   * The bytes in order, in pieces of at most 64 KB; nothing is open before the first piece is asked for. To be read once.
   * @param range from the byte at `start` up to, and without, the one at `end`; default: all
   */
  pieces(range?: { start: number; end: number }): AsyncIterable<Uint8Array>;
}

/**
 * Files under one root. Knows names and bytes, no stories. Names are relative, with `/` between segments; a name that
 * would leave the root is refused with a thrown `RangeError`.
 *
 * What makes a commit safe is the order that callers keep: `put` all objects, `flush`, `advance` the manifest,
 * `replace` the pointer; removal in reverse.
 */
export interface Store {
  /**
   * Creates an immutable object. The name carries the hash of the bytes, so an existing object of the same
   * bytes is left alone, and a damaged one is replaced. The object is complete when it becomes visible; it is durable after the next {@link flush}.
   * @throws OffprintError `NO_SPACE` when the disk is full, `OUTPUT_UNUSABLE` when it cannot be written.
   */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** Begins an object whose name is known only when its bytes are: the name carries their hash. */
  begin(): Promise<ObjectWriter>;
  /** The bytes of a file, or undefined when there is none. */
  get(name: string): Promise<Uint8Array | undefined>;
  /** The same piece by piece, or undefined when there is none. @throws OffprintError, also while it is read, `OUTPUT_UNUSABLE` */
  read(name: string): Promise<StoredBytes | undefined>;
  /** All files below a folder (the whole store for `""`), sorted by name in code-unit order; none if it is missing. */
  list(folder: string): Promise<StoreEntry[]>;
  /** Removes a file and the folders that it leaves empty; quiet when it is not there. */
  remove(name: string): Promise<void>;
  /** Makes everything that was written so far durable: files and the names that lead to them. */
  flush(): Promise<void>;
  /** Creates a file that must not exist yet, durably. False when it exists: another writer was first. */
  advance(name: string, bytes: Uint8Array): Promise<boolean>;
  /** Replaces (or creates) a mutable file by one rename: readers see the old bytes or the new ones. */
  replace(name: string, bytes: Uint8Array): Promise<void>;
}
