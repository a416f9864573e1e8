import { Lru } from "../../lib/collections/lru.js";
import type { GenerationView } from "../replica/generation-view.js";

/**
 * Returns a function that does work once for a generation and a key; the results that were asked for last are kept with the
 * generation. Callers that come at the same time share the work; a failure is not kept.
 */
export function perGeneration<T>(
  kept: number,
): (view: GenerationView, key: string, work: () => Promise<T>) => Promise<T> {
  const results = new WeakMap<GenerationView, Lru<string, Promise<T>>>();
  return (view, key, work) => {
    const known = results.get(view) ?? new Lru<string, Promise<T>>(kept);
    results.set(view, known);
    const found = known.get(key);
    if (found !== undefined) return found;
    const made = work();
    known.set(key, made);
    made.catch(() => known.delete(key));
    return made;
  };
}
