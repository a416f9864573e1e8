import { createHash } from "node:crypto";
import type { ObjectWriter, Store } from "../../snapshot/store/store.js";

export interface AssetFile {
  readonly size: number;
  /** The first bytes, at most 1024, which show the media type. */
  readonly head: Uint8Array;
  write(bytes: Uint8Array): Promise<void>;
  /** Removes what was written, to start again. */
  clear(): Promise<void>;
  /** Finishes the object. @param nameOf from the hexadecimal SHA-256 @returns that hash */
  keep(nameOf: (hash: string) => string): Promise<string>;
  /** Removes what was written, unless it was kept. */
  discard(): Promise<void>;
}

const headBytes = 1024;

/** An empty asset file; the store is not touched before the first byte. */
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
