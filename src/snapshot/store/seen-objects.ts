import { Lru } from "../../lib/collections/lru.js";
import { costLimits } from "../../lib/cost-limits.js";
import type { Bucket, BucketWrite } from "./bucket.js";

/** Limit for bytes kept for conditional requests. */
const keptBytes = 64 * 1024 * 1024;

/** A bucket's mutable objects as last seen: replaced only if unchanged, which costs no bytes. */
export class SeenObjects {
  readonly #bucket: Bucket;
  /** Their tags; undefined: absent. */
  readonly #seen = new Map<string, string | undefined>();
  readonly #bytes = new Lru<string, { tag: string; bytes: Uint8Array }>(keptBytes, ({ bytes }) => bytes.length + 200);
  /** Counts our writes of a name: an earlier read does not show the state after a write. */
  readonly #writes = new Map<string, number>();

  constructor(bucket: Bucket) {
    this.#bucket = bucket;
  }

  tagOf(name: string): string | undefined {
    return this.#seen.get(name);
  }

  keptOf(name: string): { tag: string; bytes: Uint8Array } | undefined {
    return this.#bytes.get(name);
  }

  /** Adds what an earlier process has seen. */
  know(name: string, tag: string, bytes: Uint8Array): void {
    if (!this.#seen.has(name)) this.#note(name, tag, bytes);
  }

  async get(name: string): Promise<Uint8Array | undefined> {
    const writes = this.#writes.get(name);
    const kept = this.#bytes.get(name);
    const found = await this.#bucket.get(name, kept?.tag, costLimits.answerBytes);
    const isLatest = this.#writes.get(name) === writes;
    if (found === "same") {
      if (isLatest) this.#seen.set(name, kept!.tag);
      return kept!.bytes;
    }
    if (isLatest) this.#note(name, found?.tag, found?.bytes);
    return found?.bytes;
  }

  /** Writes it if it is still as last seen; reads it first if never seen. */
  async replace(name: string, bytes: Uint8Array, write: Pick<BucketWrite, "untilMs">): Promise<boolean> {
    if (!this.#seen.has(name)) await this.get(name);
    const tag = this.#seen.get(name);
    return this.#write(name, bytes, { ...write, condition: tag === undefined ? { absent: true } : { tag } });
  }

  /** Creates it. @returns false if it exists */
  async create(name: string, bytes: Uint8Array, write: Pick<BucketWrite, "untilMs">): Promise<boolean> {
    return this.#write(name, bytes, { ...write, condition: { absent: true } });
  }

  /** For an object written or removed in another way. */
  forget(name: string): void {
    this.#writes.set(name, (this.#writes.get(name) ?? 0) + 1);
    this.#seen.delete(name);
    this.#bytes.delete(name);
  }

  async #write(name: string, bytes: Uint8Array, write: BucketWrite): Promise<boolean> {
    const copy = new Uint8Array(bytes);
    try {
      const outcome = await this.#bucket.put(name, bytes, write);
      this.forget(name);
      if (outcome.written) this.#note(name, outcome.tag, copy);
      return outcome.written;
    } catch (error) {
      // The write may have succeeded.
      this.forget(name);
      throw error;
    }
  }

  #note(name: string, tag: string | undefined, bytes: Uint8Array | undefined): void {
    this.#seen.set(name, tag);
    if (tag === undefined || bytes === undefined) this.#bytes.delete(name);
    else this.#bytes.set(name, { tag, bytes });
  }
}
