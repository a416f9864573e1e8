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
 * An object that is written piece by piece, for bytes that must not be in memory all at once; invisible until it is finished.
 * The next holder of the lock removes one that was neither finished nor discarded.
 */
export interface ObjectWriter {
  /** Adds bytes at the end. One call at a time. @throws OffprintError `NO_SPACE`, `OUTPUT_UNUSABLE` */
  write(bytes: Uint8Array): Promise<void>;
  /**
   * Gives the object its name, as {@link Store.put} does. Nothing can be written after that.
   * @throws OffprintError `NO_SPACE` also where fewer bytes arrived on disk than were written
   */
  finish(name: string): Promise<void>;
  /** Removes what was written; does nothing when the object is finished or discarded. */
  discard(): Promise<void>;
}

/** The bytes of one file, for files that must not be in memory all at once. */
export interface StoredBytes {
  /** Bytes of the whole file. */
  size: number;
  /**
   * The bytes in order, in pieces of at most 64 KB, to be read once; nothing is open before the first is asked for.
   * @param range from the byte at `start` up to, and without, the one at `end`; default: all
   */
  pieces(range?: { start: number; end: number }): AsyncIterable<Uint8Array>;
}

/**
 * Files under one root. Names are relative, with `/` between segments; one that would leave the root throws a `RangeError`.
 *
 * A commit is safe when callers keep this order: `put` all objects, `flush`, `advance` the manifest, `replace` the
 * pointer. Removal goes in the reverse order.
 */
export interface Store {
  /**
   * Creates an immutable object, whose name holds the hash of its bytes. An existing object with the same bytes is
   * left alone, a damaged one is replaced. The object is whole when it becomes visible, and durable after the next
   * {@link flush}.
   * @throws OffprintError `NO_SPACE` when the disk is full, `OUTPUT_UNUSABLE` when it cannot be written.
   */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** Begins an object whose name is not known yet, because it holds the hash of the bytes. */
  begin(): Promise<ObjectWriter>;
  /**
   * The bytes of a file, or undefined when there is none.
   * @param mostBytes A file of more bytes is not read to its end: its beginning is returned, which has more bytes than that,
   * or a bucket throws `STORE_BAD_ANSWER`. What is no regular file is not read. For files that another one has written.
   */
  get(name: string, mostBytes?: number): Promise<Uint8Array | undefined>;
  /** Like {@link get}, for whoever cannot wait; undefined: the files are not at hand. */
  getNow?(name: string): Uint8Array | undefined;
  /**
   * The same piece by piece, or undefined when there is none.
   * @param mostBytes of a bucket, no answer of more bytes is read; the size that is returned may be larger
   * @throws OffprintError, also while it is read, `OUTPUT_UNUSABLE`
   */
  read(name: string, mostBytes?: number): Promise<StoredBytes | undefined>;
  /** All files below a folder (the whole store for `""`), sorted by name in code-unit order; none if it is missing. */
  list(folder: string): Promise<StoreEntry[]>;
  /** The names of the same, which takes no look at each file. */
  names(folder: string): Promise<string[]>;
  /** Removes a file and the folders that become empty; does nothing when there is no such file. */
  remove(name: string): Promise<void>;
  /** Makes everything that was written so far durable: files and the names that lead to them. */
  flush(): Promise<void>;
  /** Creates a file durably. @returns false when it exists already: another writer was first */
  advance(name: string, bytes: Uint8Array): Promise<boolean>;
  /** Replaces (or creates) a mutable file by one rename: readers see the old bytes or the new ones. */
  replace(name: string, bytes: Uint8Array): Promise<void>;
  /** The same files without what this machine keeps of them: for whoever looks for damage. Undefined: they are no others. */
  atOrigin?(): ReadFiles;
  /** The absolute path of the folder in which each file lies under its name. Undefined: they lie elsewhere. */
  readonly folder?: string;
}

/** What is only read. */
export type ReadFiles = Pick<Store, "get" | "read" | "names">;

/**
 * Checks that a name is a plain relative path, which cannot leave the folder that it is joined to.
 * @throws RangeError for a name that is empty, absolute, has a drive letter, a backslash, a NUL, or an empty, `.` or
 * `..` segment
 */
export function checkName(name: string): void {
  const segments = name.split("/");
  const plain = segments.every((segment) => segment !== "" && segment !== "." && segment !== "..");
  if (!plain || name.includes("\\") || name.includes("\0") || /^[A-Za-z]:/.test(name)) {
    throw new RangeError(`Not a name below the root of a store: ${JSON.stringify(name)}`);
  }
}

/** Like {@link checkName}, for a folder: `""` stands for the root. */
export function checkFolderName(folder: string): void {
  if (folder !== "") checkName(folder);
}
