import { readManifest } from "../../../snapshot/current-manifest.js";
import { openReader } from "../../../snapshot/reader/open-reader.js";
import type { GenerationView } from "../../replica/generation-view.js";
import { createSnapshotSource } from "../../replica/snapshot-source.js";
import type { ExplorerSpace } from "./explorer-space.js";
import { perGeneration } from "./per-generation.js";

/** One: it takes memory for all shards that the current generation does not have. */
const opened = perGeneration<GenerationView>(1);

/** Views a kept generation. @throws OffprintError `SNAPSHOT_MISSING` if it is not kept */
export async function keptView({ source, store }: ExplorerSpace, generation: number): Promise<GenerationView> {
  const current = source.view();
  if (generation === current.reader.manifest.generation) return current;
  return opened(current, String(generation), async () => {
    const reader = await openReader(store, await readManifest(store, generation), current.reader);
    return createSnapshotSource({ reader: () => reader }, current.slices).view();
  });
}
