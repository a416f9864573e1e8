import { createHash } from "node:crypto";
import type { ObjectWriter, Store } from "../../snapshot/store/store.js";

export type AssetFile = ReturnType<typeof openAssetFile>;

const headBytes = 1024;

/** An empty asset file; the store is not touched before the first byte. */
export function openAssetFile(store: Pick<Store, "begin">) {
  let object: ObjectWriter | undefined;
  let hash = createHash("sha256");
  let head = Buffer.alloc(0);
  let size = 0;
  /** Removes what was written, unless it was kept. */
  const discard = async (): Promise<void> => {
    await object?.discard();
    object = undefined;
  };
  return {
    get size() {
      return size;
    },
    /** The first bytes, at most 1024, which show the media type. */
    get head(): Uint8Array {
      return head;
    },
    async write(bytes: Uint8Array): Promise<void> {
      object ??= await store.begin();
      await object.write(bytes);
      hash.update(bytes);
      if (head.length < headBytes) head = Buffer.concat([head, bytes.subarray(0, headBytes - head.length)]);
      size += bytes.length;
    },
    /** Removes what was written, to start again. */
    async clear(): Promise<void> {
      await discard();
      hash = createHash("sha256");
      head = Buffer.alloc(0);
      size = 0;
    },
    /** Finishes the object. @param nameOf from the hexadecimal SHA-256 @returns that hash */
    async keep(nameOf: (hash: string) => string): Promise<string> {
      object ??= await store.begin();
      const digest = hash.digest("hex");
      await object.finish(nameOf(digest));
      return digest;
    },
    discard,
  };
}
