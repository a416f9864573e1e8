import { inMap } from "../../../lib/collections/in-map.js";
import { createSharedWork, type GenerationView, type SharedWork } from "../../replica/generation-view.js";

export function perGeneration<T>(
  kept: number,
): (view: GenerationView, key: string, work: () => Promise<T>) => Promise<T> {
  const ofViews = new WeakMap<GenerationView, SharedWork<T>>();
  return (view, key, work) => inMap(ofViews, view, () => createSharedWork<T>(kept))(key, work);
}
