import { inMap } from "../../lib/collections/in-map.js";
import { isOffprintError } from "../../lib/errors.js";
import { memberText } from "../../lib/json/member.js";
import { numberHash } from "../../lib/number-hash.js";
import { listGenerations, readManifest } from "../../snapshot/current-manifest.js";
import { parts } from "../../snapshot/layout.js";
import type { Manifest } from "../../snapshot/manifest.js";
import { readShardLines } from "../../snapshot/read-part.js";
import type { Store } from "../../snapshot/store/store.js";
import { pathKey } from "./derive-facts.js";
import type { CheckedEdition, CheckedSpace, SpaceSettings } from "./facts/checked-space.js";

/** Reads kept generations when first asked: of each one the shards that differ from the current one. */
export function movedSlugs(store: Store, manifest: Manifest, settings: SpaceSettings): CheckedSpace["movedFrom"] {
  const known = new Map<string, Promise<Map<string, string>>>();
  return async (edition, slug) => {
    const earlier = await inMap(known, edition.entry.name, () => earlierSlugs(store, manifest, edition, settings));
    const uuid = earlier.get(slug);
    return uuid === undefined ? undefined : edition.find(numberHash(uuid));
  };
}

/** Uuids by the slugs that earlier generations have for them; of several the latest. */
async function earlierSlugs(
  store: Store,
  manifest: Manifest,
  { entry: { name, language } }: CheckedEdition,
  settings: SpaceSettings,
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  await eachEarlierStory(store, manifest, name, (uuid, line) => {
    const address = { full_slug: memberText(line, "full_slug") ?? "", path: memberText(line, "path") };
    found.set(pathKey(address, language, settings.links), uuid);
  });
  return found;
}

/**
 * The stories of an edition in the kept generations before this one, the oldest first; those of shards that are the same now
 * are left out.
 */
export async function eachEarlierStory(
  store: Store,
  manifest: Manifest,
  edition: string,
  visit: (uuid: string, line: string, generation: number) => void,
): Promise<void> {
  const part = parts.stories(edition);
  const seen = new Set(manifest.parts[part]?.shards.map(({ hash }) => hash));
  for (const generation of await listGenerations(store)) {
    if (generation >= manifest.generation) continue;
    try {
      const earlier = await readManifest(store, generation);
      for (const shard of earlier.parts[part]?.shards ?? []) {
        if (seen.has(shard.hash)) continue;
        seen.add(shard.hash);
        for (const { key, line } of await readShardLines(store, part, shard)) visit(key, line, generation);
      }
    } catch (error) {
      // A pruned or damaged generation is skipped; the current one is what is checked.
      if (!isOffprintError(error, "SNAPSHOT_MISSING") && !isOffprintError(error, "SNAPSHOT_DAMAGED")) throw error;
    }
  }
}
