import { createHash } from "node:crypto";
import type { ObjectWriter, Store } from "../store/store.js";

/** The bytes of one asset on their way to the store: hashed as they come, and never in memory all at once. */
export interface AssetFile {
  /** Bytes so far. */
  readonly size: number;
  /** The first bytes, at most 1024: what tells the media type. */
  readonly head: Uint8Array;
  /** Adds bytes at the end. */
  write(bytes: Uint8Array): Promise<void>;
  /** Starts over: what came so far is not the asset. */
  clear(): Promise<void>;
  /**
   * Puts the object.
   * @param nameOf its name in the store, by the hexadecimal SHA-256 of the bytes
   * @returns that hash
   */
  keep(nameOf: (hash: string) => string): Promise<string>;
  /** Throws away what was not kept. */
  discard(): Promise<void>;
}

/** As many first bytes of an asset are looked at. */
const headBytes = 1024;

/** Nothing is written to the store before the first byte has come. */
export function openAssetFile(store: Pick<Store, "begin">): AssetFile {
  let object: ObjectWriter | undefined;
  let hash = createHash("sha256");
  let head = Buffer.alloc(0);
  let size = 0;
  const discard = async () => {
    await object?.discard();
    object = undefined;
  };
  return {
    get size() {
      return size;
    },
    get head() {
      return head;
    },
    async write(bytes) {
      object ??= await store.begin();
      await object.write(bytes);
      hash.update(bytes);
      if (head.length < headBytes) head = Buffer.concat([head, bytes.subarray(0, headBytes - head.length)]);
      size += bytes.length;
    },
    async clear() {
      await discard();
      hash = createHash("sha256");
      head = Buffer.alloc(0);
      size = 0;
    },
    async keep(nameOf) {
      object ??= await store.begin();
      const digest = hash.digest("hex");
      await object.finish(nameOf(digest));
      return digest;
    },
    discard,
  };
}
