import { currentManifest, listGenerations } from "../../snapshot/current-manifest.js";
import type { Output } from "../../snapshot/output.js";
import type { KeptSnapshot } from "./metrics.js";

/** undefined without a readable snapshot: a sync tells why. */
export async function readKept({ store }: Output): Promise<KeptSnapshot | undefined> {
  try {
    const manifest = await currentManifest(store);
    if (manifest === undefined) return undefined;
    const shards = Object.values(manifest.parts).flatMap((part) => part.shards);
    const generations = await listGenerations(store);
    const bytes = shards.reduce((sum, shard) => sum + shard.bytes, 0);
    return { generation: manifest.generation, generations: generations.length, bytes };
  } catch {
    return undefined;
  }
}
