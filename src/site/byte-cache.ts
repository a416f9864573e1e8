import { Lru } from "../lib/collections/lru.js";

export interface ByteCache<T> {
  /** The value if in memory. */
  peek(name: string): T | undefined;
  /** The value, loaded if needed. Concurrent calls share one load. */
  get(name: string, load: () => Promise<T>): Promise<T>;
  clear(): void;
}

/** Estimated memory of an entry besides its value. */
const overheadBytes = 1024;

/** @param bytesOf approximate bytes of a value */
export function createByteCache<T>(maxBytes: number, bytesOf: (value: T) => number): ByteCache<T> {
  const kept = new Lru<string, T>(maxBytes, (value) => bytesOf(value) + overheadBytes);
  const loading = new Map<string, Promise<T>>();
  return {
    peek: (name) => kept.get(name),
    get(name, load) {
      const known = kept.get(name);
      if (known !== undefined) return Promise.resolve(known);
      const started = loading.get(name);
      if (started !== undefined) return started;
      const promise = load()
        .then((value) => {
          kept.set(name, value);
          return value;
        })
        .finally(() => loading.delete(name));
      loading.set(name, promise);
      return promise;
    },
    clear: () => kept.clear(),
  };
}
