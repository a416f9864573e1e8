import type { StoreEntry } from "./store.js";

/** What an object of a bucket was when it was read. */
export interface BucketObject {
  bytes: Uint8Array;
  /** The tag of this state, as conditions compare it: opaque, without quotes. */
  tag: string;
}

/** When an object may be written. Without a condition: whatever is there. */
export type WriteCondition =
  /** Only where there is none. */
  | { absent: true }
  /** Only where it is still in the state that has this tag. */
  | { tag: string };

/** What came of a conditional write. */
export type WriteOutcome =
  | { written: true; tag: string }
  /** Another state was found than the condition names. */
  | { written: false };

/** How one write of a bucket is sent. */
export interface BucketWrite {
  condition?: WriteCondition;
  /**
   * The bucket has to refuse the request when it arrives later than this, by the bucket's own clock in milliseconds since
   * the epoch: whoever has a lease writes nothing after it has ended, even where its process was stopped on the way.
   */
  untilMs?: number | undefined;
}

/** The bytes of a file that must not be in memory all at once. */
export interface BucketUpload {
  /** Bytes of the whole. */
  size: number;
  /** The bytes from the beginning; called again where the request has to be sent again. */
  open(): AsyncIterable<Uint8Array>;
}

/**
 * Objects under one prefix of a bucket, as S3-compatible storage offers them: whole objects by name, conditions on a
 * write, no rename. Names are relative to the prefix, with `/` between segments. Every method retries what may succeed
 * when it is sent again.
 *
 * All methods throw OffprintError: `STORE_UNREACHABLE`, `STORE_REFUSED` (a key that is not accepted, a verb that is
 * denied), `STORE_MISSING` (no such bucket), `STORE_BAD_ANSWER`.
 */
export interface Bucket {
  /** `s3://bucket/prefix`: for messages. */
  readonly address: string;
  /** The bucket's clock minus ours, in milliseconds, as the last answers told; 0 before the first. */
  readonly skewMs: number;
  /**
   * An object, checked for its length.
   * @param known a tag: `"same"` is returned where the object is still in that state, and no bytes are sent
   * @param mostBytes an answer of more bytes, as sent or as decoded, is refused while it arrives: `STORE_BAD_ANSWER`
   * @returns undefined when there is none
   */
  get(name: string, known?: string, mostBytes?: number): Promise<BucketObject | "same" | undefined>;
  /**
   * The bytes of a large object piece by piece, or undefined when there is none. An answer that is cut off is continued
   * where it ended.
   * @param mostBytes as {@link get}, for each answer; an answer may have 8 MB in any case
   */
  read(name: string, mostBytes?: number): Promise<{ size: number; pieces: AsyncIterable<Uint8Array> } | undefined>;
  /**
   * Writes an object. A write that meets its own success, because its first answer was lost, is a success: the object is
   * read back and compared. Conflicts that ask for another try are tried again.
   * @throws OffprintError also `LOCKED` when the request arrived after `untilMs`
   */
  put(name: string, content: Uint8Array | BucketUpload, write?: BucketWrite): Promise<WriteOutcome>;
  /** Removes an object; does nothing when there is none. @throws OffprintError also `LOCKED`, as {@link put} */
  remove(name: string, write?: Pick<BucketWrite, "untilMs">): Promise<void>;
  /** All objects whose names begin with the text, in code-unit order of their names. */
  list(beginning: string): Promise<StoreEntry[]>;
}
