import { Lru } from "../../lib/collections/lru.js";
import { isOffprintError } from "../../lib/errors.js";
import { isObject, uuid as uuidShape } from "../../lib/shape.js";
import { listGenerations, readManifest } from "../../snapshot/current-manifest.js";
import { editionName, parts } from "../../snapshot/layout.js";
import type { Manifest } from "../../snapshot/manifest.js";
import { readLines } from "../../snapshot/read-part.js";
import { type ReadLines, readRecords } from "../../snapshot/read-records.js";
import { shardOfKey } from "../../snapshot/shard-trie.js";
import type { Store } from "../../snapshot/store/store.js";

/** A story as the newest generation that has it knows it. */
export interface KnownStory {
  uuid: string;
  name: string;
  slug: string;
  /** `gone`: deleted or unpublished, which look the same in a snapshot without drafts. */
  state: "published" | "unpublished" | "folder" | "deleted" | "gone";
  /** If it is gone: the newest kept generation that had it, and the next kept one, which has not. */
  between?: readonly [had: number, lacks: number];
}

/** At most this many uuids are looked up. */
export const mostKnownStories = 50;
/** At most this many earlier generations are looked at, the newest first. */
const mostGenerations = 30;
const shardsAtHand = 4;

/**
 * Looks up stories by uuid, the first {@link mostKnownStories}: in the current generation, then in the kept ones before
 * it if they are on disk. Passes over what is damaged or was pruned. The result lacks the stories that no generation has.
 */
export async function knownStories(
  store: Store,
  manifest: Manifest,
  uuids: readonly string[],
): Promise<Map<string, KnownStory>> {
  const wanted = [...new Set(uuids)].filter((uuid) => uuidShape.is(uuid)).slice(0, mostKnownStories);
  // In this order, neighbours are in the same shard.
  const waiting = new Map(wanted.sort().map((uuid) => [uuid, manifest.generation]));
  const known = new Map<string, KnownStory>();
  if (waiting.size === 0) return known;
  const finder = createFinder(store);
  const knowsDrafts = indexParts(manifest).some(({ version }) => version === "draft");
  for (const uuid of [...waiting.keys()]) {
    const found = await finder(manifest, uuid);
    if (typeof found !== "object") continue;
    known.set(uuid, { uuid, ...found });
    waiting.delete(uuid);
  }
  for (const generation of waiting.size === 0 ? [] : await keptBefore(store, manifest.generation)) {
    const earlier = await readManifest(store, generation).catch(passedOver);
    if (earlier === undefined) continue;
    for (const [uuid, lacks] of waiting) {
      const found = await finder(earlier, uuid);
      if (found === "absent") waiting.set(uuid, generation);
      if (typeof found !== "object") continue;
      const { name, slug } = found;
      known.set(uuid, { uuid, name, slug, state: knowsDrafts ? "deleted" : "gone", between: [generation, lacks] });
      waiting.delete(uuid);
    }
    if (waiting.size === 0) break;
  }
  return known;
}

/** The newest first; none of a bucket (a store with copies of it), where reading costs requests. */
async function keptBefore(store: Store, current: number): Promise<number[]> {
  if (store.atOrigin !== undefined) return [];
  const kept = (await listGenerations(store).catch(passedOver)) ?? [];
  return kept
    .filter((generation) => generation < current)
    .reverse()
    .slice(0, mostGenerations);
}

type Found = Pick<KnownStory, "name" | "slug" | "state">;

/** Finds a story in one generation; `unknown`: what would have it cannot be read. */
function createFinder(store: Store): (manifest: Manifest, uuid: string) => Promise<Found | "absent" | "unknown"> {
  const lines = new Lru<string, readonly string[]>(shardsAtHand);
  /** Generations share shards: what was not in one is not looked for again. */
  const absent = new Set<string>();
  const read: ReadLines = async (from, part, shard) => {
    const name = `${part} ${shard.hash}`;
    const kept = lines.get(name) ?? (await readLines(from, part, shard));
    lines.set(name, kept);
    return kept;
  };
  return async (manifest, uuid) => {
    try {
      for (const { part, version } of indexParts(manifest)) {
        const entry = manifest.parts[part]!;
        const at = shardOfKey(entry.shards, uuid);
        const key = at === undefined ? undefined : `${uuid} ${part} ${entry.shards[at]?.hash}`;
        if (key === undefined || absent.has(key)) continue;
        const line = (await readRecords(store, part, entry, new Set([uuid]), read)).get(uuid);
        if (line !== undefined) return foundIn(line, version);
        absent.add(key);
      }
      return "absent";
    } catch (error) {
      passedOver(error);
      return "unknown";
    }
  };
}

/** The index of each version; its stories in the default language where there is none. Drafts first: they are all. */
function indexParts({ parts: entries }: Pick<Manifest, "parts">): { part: string; version: "draft" | "published" }[] {
  return (["draft", "published"] as const).flatMap((version) => {
    const names = [parts.links(version), parts.stories(editionName(version, null, "default"))];
    const part = names.find((name) => Object.hasOwn(entries, name));
    return part === undefined ? [] : [{ part, version }];
  });
}

function foundIn(line: string, version: "draft" | "published"): Found {
  const record: unknown = JSON.parse(line);
  const { name, full_slug, slug, is_folder, published, published_at } = isObject(record) ? record : {};
  const text = (value: unknown): string => (typeof value === "string" ? value : "");
  const isPublished = typeof published === "boolean" ? published : version === "published" || published_at != null;
  const state = is_folder === true ? "folder" : isPublished ? "published" : "unpublished";
  return { name: text(name), slug: text(full_slug) || text(slug), state };
}

/** A name is worth no failure. @throws what is no error of a store or a snapshot */
function passedOver(error: unknown): undefined {
  if (!isOffprintError(error) && !(error instanceof SyntaxError)) throw error;
}
