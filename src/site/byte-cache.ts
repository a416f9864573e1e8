import { Lru } from "../lib/collections/lru.js";

/** Values that are loaded when they are asked for, and kept as long as all of them together have room. */
export interface ByteCache<T> {
  /** A value that is in memory. */
  peek(name: string): T | undefined;
  /** The same, or what `load` gives. Who asks for it meanwhile gets the same promise. */
  get(name: string, load: () => Promise<T>): Promise<T>;
  /** Forgets everything. */
  clear(): void;
}

/** A guess of what an entry takes beside its value. */
const overheadBytes = 1024;

/**
 * @param maxBytes of all values together
 * @param bytesOf about how many bytes a value takes
 */
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
