import { listGenerations, readManifest } from "../../../snapshot/current-manifest.js";
import { parts } from "../../../snapshot/layout.js";
import type { Manifest } from "../../../snapshot/manifest.js";
import { openReader } from "../../../snapshot/reader/open-reader.js";
import { storedStory } from "../../../snapshot/reader/stored-story.js";
import { shardOfKey } from "../../../snapshot/shard-trie.js";
import type { Store } from "../../../snapshot/store/store.js";
import type { GenerationView } from "../../replica/generation-view.js";
import { createSnapshotSource } from "../../replica/snapshot-source.js";
import type { ExplorerSpace } from "./explorer-space.js";
import { perGeneration } from "./per-generation.js";

const listedGenerations = 30;

export interface StoryState {
  generation: number;
  cv: number | null;
  committedAt: string;
  /** Compared with the previous generation in the list; `unknown` for the oldest one. */
  change: "added" | "removed" | "changed" | "same" | "absent" | "unknown";
}

/** Newest first. */
export async function keptManifests(store: Store): Promise<Manifest[]> {
  const found: Manifest[] = [];
  for (const generation of (await listGenerations(store)).reverse().slice(0, listedGenerations)) {
    const manifest = await readManifest(store, generation).catch(() => undefined);
    if (manifest !== undefined) found.push(manifest);
  }
  return found;
}

/** Returns a story's history over the kept generations, newest first. Skips unchanged shards. */
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
