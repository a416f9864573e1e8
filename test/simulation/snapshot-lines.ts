import { currentManifest } from "../../src/snapshot/current-manifest.js";
import type { Manifest } from "../../src/snapshot/manifest.js";
import { readPart } from "../../src/snapshot/read-part.js";
import type { Store } from "../../src/snapshot/store/store.js";

/** Every record of a generation: part → key (the position, if a part has no keys) → line. */
export type SnapshotLines = ReadonlyMap<string, ReadonlyMap<string, string>>;

export interface ReadSnapshot {
  manifest: Manifest;
  lines: SnapshotLines;
}

/** The whole current generation. @throws if a file of it is missing or damaged */
export async function readSnapshot(store: Store): Promise<ReadSnapshot | undefined> {
  const manifest = await currentManifest(store);
  if (manifest === undefined) return undefined;
  const lines = new Map<string, Map<string, string>>();
  for (const [part, entry] of Object.entries(manifest.parts)) {
    const records = new Map<string, string>();
    for await (const { key, line } of readPart(store, part, entry)) records.set(key || String(records.size), line);
    lines.set(part, records);
  }
  return { manifest, lines };
}

/** The parts in which two generations differ, shard by shard. */
export function differentParts(a: Manifest, b: Manifest): string[] {
  const shards = (manifest: Manifest, part: string) =>
    JSON.stringify(manifest.parts[part]?.shards.map(({ prefix, hash }) => [prefix, hash]));
  const names = new Set([...Object.keys(a.parts), ...Object.keys(b.parts)]);
  return [...names].filter((part) => shards(a, part) !== shards(b, part)).sort();
}
