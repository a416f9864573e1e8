import { listGenerations, tryManifest } from "./current-manifest.js";
import type { WaitingGenerations } from "./cursors.js";
import { generationFile } from "./layout.js";
import type { Manifest } from "./manifest.js";
import type { DatedGeneration } from "./retention.js";
import type { Store } from "./store/store.js";

export interface DatedManifest extends DatedGeneration {
  manifest: Manifest;
}

/** The kept generations from the current one down. Leaves out those with a damaged manifest. */
export async function datedManifests(
  store: Store,
  current: Manifest,
  waiting: Pick<WaitingGenerations, "has">,
): Promise<DatedManifest[]> {
  const earlier = (await listGenerations(store)).filter((generation) => generation < current.generation).toReversed();
  const found: DatedManifest[] = [];
  let supersededMs: number | null = null;
  for (const generation of [current.generation, ...earlier]) {
    const isCurrent = generation === current.generation;
    const manifest = isCurrent ? current : (await tryManifest(store, generationFile(generation), generation)).manifest;
    if (manifest === undefined) continue;
    const committedMs = Date.parse(manifest.committedAt);
    const isWaiting = supersededMs !== null && waiting.has(generation, supersededMs);
    found.push({ generation, committedMs, supersededMs, isWaiting, manifest });
    supersededMs = committedMs;
  }
  return found;
}
