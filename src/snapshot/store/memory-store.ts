import { piecesOf } from "./byte-ranges.js";
import { checkFolderName, checkName, type Store } from "./store.js";

/** An in-memory store for the demo space and tests. Do not change what `get` returns. */
export function createMemoryStore(): Store {
  const files = new Map<string, { bytes: Uint8Array; modifiedMs: number }>();
  const set = (name: string, bytes: Uint8Array) =>
    files.set(name, { bytes: new Uint8Array(bytes), modifiedMs: Date.now() });

  const getNow = (name: string) => {
    checkName(name);
    return files.get(name)?.bytes;
  };
  const put = async (name: string, bytes: Uint8Array) => {
    checkName(name);
    const existing = files.get(name);
    if (existing === undefined || !Buffer.from(existing.bytes.buffer).equals(bytes)) set(name, bytes);
  };
  const namesIn = (folder: string) => {
    checkFolderName(folder);
    const start = folder === "" ? "" : `${folder}/`;
    return [...files.keys()].filter((name) => name.startsWith(start)).sort();
  };

  return {
    put,
    async begin() {
      let pieces: Uint8Array[] = [];
      return {
        async write(bytes) {
          pieces.push(new Uint8Array(bytes));
        },
        async finish(name) {
          await put(name, Buffer.concat(pieces));
        },
        async discard() {
          pieces = [];
        },
      };
    },
    get: async (name) => getNow(name),
    getNow,
    async read(name) {
      const bytes = getNow(name);
      return bytes && { size: bytes.length, pieces: (range) => piecesOf(bytes, range) };
    },
    async list(folder) {
      return namesIn(folder).map((name) => {
        const { bytes, modifiedMs } = files.get(name)!;
        return { name, size: bytes.length, modifiedMs };
      });
    },
    names: async (folder) => namesIn(folder),
    async remove(name) {
      checkName(name);
      files.delete(name);
    },
    async flush() {},
    async advance(name, bytes) {
      checkName(name);
      if (files.has(name)) return false;
      set(name, bytes);
      return true;
    },
    async replace(name, bytes) {
      checkName(name);
      set(name, bytes);
    },
  };
}
