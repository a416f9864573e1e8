import { inMap } from "../../../lib/collections/in-map.js";
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
  const results = perGeneration<T>(kept);
  const failures = new WeakMap<GenerationView, Map<string, { error: unknown }>>();
  return async (view, key, waitMs, work) => {
    const failure = failures.get(view)?.get(key);
    if (failure !== undefined) {
      failures.get(view)?.delete(key);
      throw failure.error;
    }
    const result = results(view, key, work);
    let isAwaited = true;
    result.catch((error: unknown) => {
      if (!isAwaited) inMap(failures, view, () => new Map()).set(key, { error });
    });
    try {
      return (await within(waitMs, result)) ?? "pending";
    } finally {
      isAwaited = false;
    }
  };
}
