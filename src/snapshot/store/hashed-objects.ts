import { contentHash } from "../../lib/content-hash.js";
import { OffprintError } from "../../lib/errors.js";
import type { Bucket } from "./bucket.js";
import { type ByteRange, rangeOf } from "./byte-ranges.js";
import type { ObjectCache } from "./object-cache.js";
import type { ReadFiles, StoredBytes } from "./store.js";

/** A bucket's objects as read-only files. A range is cut from the whole. */
export function filesIn(bucket: Pick<Bucket, "get" | "read" | "list">): ReadFiles {
  return {
    async get(name, mostBytes) {
      const found = await bucket.get(name, undefined, mostBytes);
      return typeof found === "object" ? found.bytes : undefined;
    },
    async read(name, mostBytes) {
      const found = await bucket.read(name, mostBytes);
      return found && { size: found.size, pieces: (range) => rangeOf(found.pieces, range) };
    },
    names: async (folder) => (await bucket.list(folder === "" ? "" : `${folder}/`)).map(({ name }) => name),
  };
}

/** A bucket's objects by hash, cached. Others are returned, not cached: readers find the damage. */
export class HashedObjects {
  readonly origin: ReadFiles;
  readonly #bucket: Bucket;
  readonly #cache: ObjectCache;

  constructor(bucket: Bucket, cache: ObjectCache) {
    this.origin = filesIn(bucket);
    this.#bucket = bucket;
    this.#cache = cache;
  }

  /** @param hash hexadecimal SHA-256, or its beginning */
  async get(name: string, hash: string, mostBytes?: number): Promise<Uint8Array | undefined> {
    return (await this.#cache.get(name, hash)) ?? this.#fetch(name, hash, mostBytes);
  }

  /** {@link get} for a possibly large object. */
  async read(name: string, hash: string, mostBytes?: number): Promise<StoredBytes | undefined> {
    return (await this.#cache.read(name, hash)) ?? this.#fetchByPieces(name, hash, mostBytes);
  }

  async #fetch(name: string, hash: string, mostBytes?: number): Promise<Uint8Array | undefined> {
    const bytes = await this.origin.get(name, mostBytes);
    if (bytes === undefined) return undefined;
    if (contentHash(bytes).startsWith(hash)) await this.#cache.put(name, bytes);
    return bytes;
  }

  /** Through the cache, or directly from the bucket if the cache has no room. */
  async #fetchByPieces(name: string, hash: string, mostBytes?: number): Promise<StoredBytes | undefined> {
    const cache = this.#cache;
    const spool = await cache.spool().catch((error: unknown) => cache.noteFailure(error));
    const found = await this.#bucket.read(name, mostBytes);
    const direct = found && { size: found.size, pieces: (range?: ByteRange) => this.#piecesFromBucket(name, range) };
    // Not what its reader expects: do not cache it.
    const isTooLarge = found !== undefined && mostBytes !== undefined && found.size > mostBytes;
    if (found === undefined || spool === undefined || isTooLarge) {
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

  async *#piecesFromBucket(name: string, range?: ByteRange): AsyncGenerator<Uint8Array> {
    const found = await this.#bucket.read(name);
    if (found !== undefined) yield* rangeOf(found.pieces, range);
  }
}

function isDiskError(error: unknown): boolean {
  return error instanceof OffprintError && (error.code === "NO_SPACE" || error.code === "OUTPUT_UNUSABLE");
}
