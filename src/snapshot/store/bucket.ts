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

export type WriteOutcome =
  | { written: true; tag: string }
  /** The condition was not met. */
  | { written: false };

export interface BucketWrite {
  condition?: WriteCondition;
  /** The bucket refuses it after this time, by its own clock (ms): a paused lease holder writes nothing late. */
  untilMs?: number | undefined;
}

export interface BucketUpload {
  size: number;
  /** Reads from the beginning; called again for each retry. */
  open(): AsyncIterable<Uint8Array>;
}

/**
 * Objects under one prefix of S3-compatible storage. Methods retry what may succeed, and throw OffprintError:
 * `STORE_UNREACHABLE`, `STORE_REFUSED` (a key or operation), `STORE_MISSING` (no bucket), `STORE_BAD_ANSWER`.
 */
export interface Bucket {
  /** `s3://bucket/prefix`, for messages. */
  readonly address: string;
  /** The bucket's clock minus ours (ms), from the last responses; 0 before the first. */
  readonly skewMs: number;
  /** `"same"` if it still has the tag `known`. @param mostBytes of a larger answer, throws `STORE_BAD_ANSWER` */
  get(name: string, known?: string, mostBytes?: number): Promise<BucketObject | "same" | undefined>;
  /** {@link get} in pieces, resuming a truncated answer. @param mostBytes for each; up to 8 MB are always allowed */
  read(name: string, mostBytes?: number): Promise<{ size: number; pieces: AsyncIterable<Uint8Array> } | undefined>;
  /** Retries conflicts, and reads back after a lost answer. @throws OffprintError also `LOCKED` after `untilMs` */
  put(name: string, content: Uint8Array | BucketUpload, write?: BucketWrite): Promise<WriteOutcome>;
  /** Removes an object, if any. @throws OffprintError also `LOCKED`, as {@link put} */
  remove(name: string, write?: Pick<BucketWrite, "untilMs">): Promise<void>;
  /** All objects whose names have this prefix, in code-unit order. */
  list(beginning: string): Promise<StoreEntry[]>;
}
