import { listGenerations, readManifest } from "../../../snapshot/current-manifest.js";
import { parts } from "../../../snapshot/layout.js";
import type { Manifest } from "../../../snapshot/manifest.js";
import { storedStory } from "../../../snapshot/reader/stored-story.js";
import { shardOfKey } from "../../../snapshot/shard-trie.js";
import type { Store } from "../../../snapshot/store/store.js";

/** The newest generations that are kept, at most so many are looked at. */
const listedGenerations = 30;

/** A generation in the history of a story. */
export interface StoryState {
  generation: number;
  cv: number | null;
  committedAt: string;
  /** Against the generation before it in the list; `unknown` for the oldest one. */
  change: "added" | "removed" | "changed" | "same" | "absent" | "unknown";
}

/** The numbers of the newest generations, newest first. */
export async function keptGenerations(store: Store): Promise<number[]> {
  return (await listGenerations(store)).reverse().slice(0, listedGenerations);
}

/** The manifests of the newest generations, newest first; one that is pruned meanwhile is left out. */
export async function keptManifests(store: Store): Promise<Manifest[]> {
  const found: Manifest[] = [];
  for (const generation of await keptGenerations(store)) {
    const manifest = await readManifest(store, generation).catch(() => undefined);
    if (manifest !== undefined) found.push(manifest);
  }
  return found;
}

/** The history of a story over the generations that are kept, newest first. A shard that did not change is not read. */
export async function storyHistory(store: Store, edition: string, uuid: string): Promise<StoryState[]> {
  const manifests = (await keptManifests(store)).reverse();
  const states: StoryState[] = [];
  let previous: { shard: string | undefined; line: string | undefined } | undefined;
  for (const manifest of manifests) {
    const { generation, cv, committedAt } = manifest;
    const shard = shardHash(manifest, edition, uuid);
    const isShared = previous !== undefined && previous.shard === shard;
    const line = isShared ? previous?.line : await storedStory(store, manifest, edition, uuid).catch(() => undefined);
    states.push({ generation, cv, committedAt, change: changeOf(previous, line) });
    previous = { shard, line };
  }
  return states.reverse();
}

function changeOf(previous: { line: string | undefined } | undefined, line: string | undefined): StoryState["change"] {
  if (previous === undefined) return line === undefined ? "absent" : "unknown";
  if (previous.line === line) return line === undefined ? "absent" : "same";
  if (previous.line === undefined) return "added";
  return line === undefined ? "removed" : "changed";
}

function shardHash(manifest: Manifest, edition: string, uuid: string): string | undefined {
  const part = parts.stories(edition);
  const shards = (Object.hasOwn(manifest.parts, part) ? manifest.parts[part]?.shards : undefined) ?? [];
  const index = shardOfKey(shards, uuid);
  return index === undefined ? undefined : shards[index]?.hash;
}
