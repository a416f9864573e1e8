import { createHash } from "node:crypto";

/** An object as it was put. */
export interface StoredObject {
  key: string;
  body: Buffer;
  /** MD5 of the body in hexadecimal digits, without quotes. */
  etag: string;
  /** Time of the server, in milliseconds since the epoch. */
  modifiedMs: number;
  /** The headers of the PUT that a GET returns. */
  headers: Record<string, string>;
}

/** An object in a list. */
export type ListedObject = Pick<StoredObject, "key" | "etag" | "modifiedMs"> & { size: number };

/** A moment of a key: what was put then, or that it was removed. */
interface Moment {
  atMs: number;
  listed: ListedObject | undefined;
}

/** The objects of one bucket, with what a list would have said at an earlier moment. */
export class Bucket {
  readonly #objects = new Map<string, StoredObject>();
  readonly #history = new Map<string, Moment[]>();
  #sortedKeys: string[] | undefined;

  get(key: string): StoredObject | undefined {
    return this.#objects.get(key);
  }

  get size(): number {
    return this.#objects.size;
  }

  /** The keys that are there, in the order of their UTF-8 bytes. */
  keys(): readonly string[] {
    return [...this.#objects.keys()].sort(byBytes);
  }

  put(key: string, body: Buffer, atMs: number, headers: Record<string, string> = {}): StoredObject {
    const etag = createHash("md5").update(body).digest("hex");
    const object = { key, body, etag, modifiedMs: atMs, headers };
    this.#objects.set(key, object);
    this.#note(key, { atMs, listed: { key, etag, modifiedMs: atMs, size: body.length } });
    return object;
  }

  delete(key: string, atMs: number): void {
    if (this.#objects.delete(key)) this.#note(key, { atMs, listed: undefined });
  }

  /**
   * The listed objects, in the order of the UTF-8 bytes of their keys.
   *
   * @param asOfMs the moment that the list shows: an earlier one if it lags
   */
  *listed(prefix: string, after: string, asOfMs: number): Generator<ListedObject> {
    this.#sortedKeys ??= [...this.#history.keys()].sort(byBytes);
    const keys = this.#sortedKeys;
    for (let at = firstAfter(keys, after, prefix); at < keys.length; at++) {
      const key = keys[at] ?? "";
      if (!key.startsWith(prefix)) return;
      const listed = this.#history.get(key)?.findLast(({ atMs }) => atMs <= asOfMs)?.listed;
      if (listed !== undefined) yield listed;
    }
  }

  #note(key: string, moment: Moment): void {
    const moments = this.#history.get(key);
    if (moments === undefined) {
      this.#history.set(key, [moment]);
      this.#sortedKeys = undefined;
    } else moments.push(moment);
  }
}

/** Code-point order, which is that of the bytes; JavaScript's own order of strings differs beyond U+FFFF. */
function byBytes(a: string, b: string): number {
  if (/[\ud800-\uffff]/.test(a + b)) return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Index of the first key that is after one and may have a prefix. */
function firstAfter(keys: readonly string[], after: string, prefix: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const key = keys[middle] ?? "";
    const isBefore = byBytes(key, prefix) < 0 || (after !== "" && byBytes(key, after) <= 0);
    if (isBefore) low = middle + 1;
    else high = middle;
  }
  return low;
}
