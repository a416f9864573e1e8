import type { Bucket } from "./bucket.js";
import type { Store, StoredBytes } from "./store.js";

/** A bucket as a store that is only read: every write throws a `RangeError`. A range of a file is cut out of the whole. */
export function readOnlyStore(bucket: Pick<Bucket, "address" | "get" | "read" | "list">): Store {
  const refuse = async (): Promise<never> => {
    throw new RangeError(`${bucket.address} is only read here.`);
  };
  const list = (folder: string) => bucket.list(folder === "" ? "" : `${folder}/`);
  return {
    put: refuse,
    begin: refuse,
    async get(name, mostBytes) {
      const found = await bucket.get(name, undefined, mostBytes);
      return found === undefined || found === "same" ? undefined : found.bytes;
    },
    async read(name, mostBytes): Promise<StoredBytes | undefined> {
      const found = await bucket.read(name, mostBytes);
      return found && { size: found.size, pieces: (range) => withinRange(found.pieces, range) };
    },
    list,
    names: async (folder) => (await list(folder)).map(({ name }) => name),
    remove: refuse,
    flush: refuse,
    advance: refuse,
    replace: refuse,
  };
}

async function* withinRange(
  pieces: AsyncIterable<Uint8Array>,
  { start, end } = { start: 0, end: Number.POSITIVE_INFINITY },
): AsyncGenerator<Uint8Array> {
  let at = 0;
  for await (const piece of pieces) {
    const part = piece.subarray(Math.max(0, start - at), Math.max(0, end - at));
    if (part.length > 0) yield part;
    at += piece.length;
    if (at >= end) return;
  }
}
