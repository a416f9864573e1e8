import type { StoreEntry } from "./store.js";

export interface BucketObject {
  bytes: Uint8Array;
  /** The tag of this state, for conditions: opaque, without quotes. */
  tag: string;
}

/** When to write an object. Without a condition: always. */
export type WriteCondition =
  /** Only if it does not exist. */
  | { absent: true }
  /** Only if its state still has this tag. */
  | { tag: string };

/** The result of a conditional write. */
export type WriteOutcome =
  | { written: true; tag: string }
  /** The condition was not met. */
  | { written: false };

export interface BucketWrite {
  condition?: WriteCondition;
  /**
   * The bucket must refuse the request after this time, by its own clock in milliseconds since the
   * epoch. So a lease holder writes nothing after its end, even if its process was paused.
   */
  untilMs?: number | undefined;
}

export interface BucketUpload {
  size: number;
  /** Reads from the beginning; called again for each retry. */
  open(): AsyncIterable<Uint8Array>;
}

/**
 * Objects under one prefix of S3-compatible storage: whole objects by name, conditional writes, no
 * rename. Methods retry what may succeed, and throw OffprintError: `STORE_UNREACHABLE`,
 * `STORE_REFUSED` (a key or operation), `STORE_MISSING` (no such bucket), `STORE_BAD_ANSWER`.
 */
export interface Bucket {
  /** `s3://bucket/prefix`, for messages. */
  readonly address: string;
  /** The bucket's clock minus ours (ms), from the last responses; 0 before the first. */
  readonly skewMs: number;
  /**
   * An object, checked for its length.
   * @param known a tag: returns `"same"`, without bytes, if it still has it
   * @param mostBytes refuses a larger answer while it arrives: `STORE_BAD_ANSWER`
   */
  get(name: string, known?: string, mostBytes?: number): Promise<BucketObject | "same" | undefined>;
  /**
   * A large object in pieces, or undefined if there is none. Resumes a truncated answer.
   * @param mostBytes as {@link get}, for each answer; up to 8 MB are always allowed
   */
  read(name: string, mostBytes?: number): Promise<{ size: number; pieces: AsyncIterable<Uint8Array> } | undefined>;
  /**
   * Writes an object. If an earlier attempt succeeded but its answer was lost, reads the object
   * back and returns success. Retries conflicts that ask for it.
   * @throws OffprintError also `LOCKED` if the request arrived after `untilMs`
   */
  put(name: string, content: Uint8Array | BucketUpload, write?: BucketWrite): Promise<WriteOutcome>;
  /** Removes an object, if any. @throws OffprintError also `LOCKED`, as {@link put} */
  remove(name: string, write?: Pick<BucketWrite, "untilMs">): Promise<void>;
  /** All objects whose names have this prefix, in code-unit order. */
  list(beginning: string): Promise<StoreEntry[]>;
}
