export interface StoreEntry {
  /** Path relative to the store's root, with `/` between segments. */
  name: string;
  size: number;
  /** Last write, in milliseconds since the epoch. */
  modifiedMs: number;
}

/** Written in pieces, invisible until finished. The next lock holder removes abandoned ones. */
export interface ObjectWriter {
  /** Appends bytes. One call at a time. @throws OffprintError `NO_SPACE`, `OUTPUT_UNUSABLE` */
  write(bytes: Uint8Array): Promise<void>;
  /** As {@link Store.put}. @throws OffprintError `NO_SPACE` also if the disk has fewer bytes */
  finish(name: string): Promise<void>;
  /** Removes what was written, unless finished or discarded. */
  discard(): Promise<void>;
}

/** One file's bytes, for files that must not be in memory all at once. */
export interface StoredBytes {
  /** Bytes of the whole file. */
  size: number;
  /** Pieces of at most 64 KB, to be read once. @param range `end` is exclusive; default: all */
  pieces(range?: { start: number; end: number }): AsyncIterable<Uint8Array>;
}

/**
 * Files under one root. Names are relative, with `/` between segments; one that would leave the
 * root throws a `RangeError`. A commit is safe in this order: `put` all objects, `flush`, `advance`
 * the manifest, `replace` the pointer. Removal goes in reverse.
 */
export interface Store {
  /**
   * A file that can be made again, such as an immutable object with its hash in its name. Readers see old or new bytes; a
   * power cut before the next {@link flush} may leave others.
   */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** Begins an object whose name is not known yet, because it contains the hash. */
  begin(): Promise<ObjectWriter>;
  /**
   * Undefined if there is none. Reads only regular files.
   * @param mostBytes of a larger file, returns a longer beginning; a bucket throws `STORE_BAD_ANSWER`
   */
  get(name: string, mostBytes?: number): Promise<Uint8Array | undefined>;
  /** {@link get}, synchronously. Undefined if the store cannot do that. */
  getNow?(name: string): Uint8Array | undefined;
  /**
   * {@link get} in pieces.
   * @param mostBytes a bucket reads no larger answer; the size may be larger
   * @throws OffprintError `OUTPUT_UNUSABLE`, also while reading
   */
  read(name: string, mostBytes?: number): Promise<StoredBytes | undefined>;
  /** All files below a folder (`""`: the store) in code-unit order; empty if it is missing. */
  list(folder: string): Promise<StoreEntry[]>;
  /** The names of {@link list}, without looking at each file. */
  names(folder: string): Promise<string[]>;
  /** Removes a file, if any, and folders that become empty. */
  remove(name: string): Promise<void>;
  /** Makes all writes so far durable: files and their names. */
  flush(): Promise<void>;
  /** Creates a file durably. @returns false if it exists: another writer was first */
  advance(name: string, bytes: Uint8Array): Promise<boolean>;
  /** Replaces or creates a mutable file by one rename: readers see old or new bytes. */
  replace(name: string, bytes: Uint8Array): Promise<void>;
  /** The same files without local copies, to look for damage. Undefined if there are no copies. */
  atOrigin?(): ReadFiles;
  /** Absolute path of the folder with these files; undefined if they are elsewhere. */
  readonly folder?: string;
}

export type ReadFiles = Pick<Store, "get" | "read" | "names">;

/** @throws RangeError for a name that is not a plain path below the root: `a/b.json` */
export function checkName(name: string): void {
  const segments = name.split("/");
  const plain = segments.every((segment) => segment !== "" && segment !== "." && segment !== "..");
  if (!plain || name.includes("\\") || name.includes("\0") || /^[A-Za-z]:/.test(name)) {
    throw new RangeError(`Not a name below the root of a store: ${JSON.stringify(name)}`);
  }
}

/** {@link checkName} for a folder; `""` is the root. */
export function checkFolderName(folder: string): void {
  if (folder !== "") checkName(folder);
}
