import { inMap } from "../../../lib/collections/in-map.js";
import { Lru } from "../../../lib/collections/lru.js";
import { within } from "../../../lib/concurrency/within.js";
import { createSharedWork, type GenerationView, type SharedWork } from "../../replica/generation-view.js";

export function perGeneration<T>(
  kept: number,
): (view: GenerationView, key: string, work: () => Promise<T>) => Promise<T> {
  const ofViews = new WeakMap<GenerationView, SharedWork<T>>();
  return (view, key, work) => inMap(ofViews, view, () => createSharedWork<T>(kept))(key, work);
}

/**
 * Starts work, or shares what runs, and waits for it as long as a page may. A failure that nobody waited for is thrown by
 * the next call; the call after it starts anew.
 */
export function awaitedPerGeneration<T>(
  kept: number,
): (view: GenerationView, key: string, waitMs: number, work: () => Promise<T>) => Promise<T | "pending"> {
  const ofViews = new WeakMap<GenerationView, Lru<string, Promise<T>>>();
  return async (view, key, waitMs, work) => {
    const results = inMap(ofViews, view, () => new Lru<string, Promise<T>>(kept));
    const result = inMap(results, key, work);
    try {
      return (await within(waitMs, result)) ?? "pending";
    } catch (error) {
      if (results.get(key) === result) results.delete(key);
      throw error;
    }
  };
}
