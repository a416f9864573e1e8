import { Lru } from "../../../lib/collections/lru.js";

/** Does work under a key, or returns what was made under that key before. */
export type SharedWork<T> = (key: string, work: () => Promise<T>) => Promise<T>;

/**
 * Returns a function that keeps the results which were asked for last. Callers that ask for the same key at the
 * same time share the work. A failure is not kept.
 *
 * @param keptResults Number of results that are kept.
 */
export function createSharedWork<T>(keptResults: number): SharedWork<T> {
  const kept = new Lru<string, Promise<T>>(keptResults);
  return (key, work) => {
    const known = kept.get(key);
    if (known !== undefined) return known;
    const made = work();
    kept.set(key, made);
    made.catch(() => kept.delete(key));
    return made;
  };
}
