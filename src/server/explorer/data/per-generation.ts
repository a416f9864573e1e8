import { createSharedWork, type GenerationView, type SharedWork } from "../../replica/generation-view.js";

/** Returns a function that runs work once per generation and key; see {@link createSharedWork}. */
export function perGeneration<T>(
  kept: number,
): (view: GenerationView, key: string, work: () => Promise<T>) => Promise<T> {
  const ofViews = new WeakMap<GenerationView, SharedWork<T>>();
  return (view, key, work) => {
    const shared = ofViews.get(view) ?? createSharedWork<T>(kept);
    ofViews.set(view, shared);
    return shared(key, work);
  };
}
