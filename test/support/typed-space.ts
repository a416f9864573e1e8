import type { Config } from "../../src/config/config.js";
import type { DeclaredTypes } from "../../src/content/model/declared-types.js";
import { typesOfGeneration } from "../../src/content/model/types-file.js";
import { exportContent } from "../../src/content/tree/export-content.js";
import type { StoryRecord } from "../../src/contract/records.js";
import { openSnapshot } from "../../src/index.js";
import { currentManifest } from "../../src/snapshot/current-manifest.js";
import { openReader } from "../../src/snapshot/reader/open-reader.js";
import { openFileStore } from "../../src/snapshot/store/file-store.js";
import { createMemoryStore } from "../../src/snapshot/store/memory-store.js";
import type { Store } from "../../src/snapshot/store/store.js";

/** The types of a snapshot's content, and every record that they have to fit. */
export interface TypedSpace {
  types: DeclaredTypes;
  /** Of the JSON content tree, in every edition. */
  tree: readonly StoryRecord[];
  /** Of `openSnapshot`, in every edition. */
  read: readonly StoryRecord[];
}

/** @param dir an output folder */
export async function typedSpace(dir: string, config: Config): Promise<TypedSpace> {
  const store = openFileStore(dir);
  const manifest = (await currentManifest(store))!;
  const types = await typesOfGeneration(store, manifest, config);
  const tree = createMemoryStore();
  const jsonOnly: Config = { ...config, content: { ...config.content, formats: ["json"] } };
  await exportContent({ reader: await openReader(store, manifest), config: jsonOnly, store: tree });
  const { relations, depth, links } = config.resolve;
  await using snapshot = await openSnapshot(dir, { generation: "latest", relations, depth, links });
  const read: StoryRecord[] = [];
  for (const { version, language } of manifest.editions) {
    const { richText } = config.content;
    for await (const story of snapshot.stories({ version, language }, { richText })) read.push(story);
  }
  return { types, tree: await recordsOfTree(tree), read };
}

async function recordsOfTree(tree: Store): Promise<StoryRecord[]> {
  const records: StoryRecord[] = [];
  for (const { name } of await tree.list("stories")) {
    records.push(...(JSON.parse(Buffer.from((await tree.get(name))!).toString()) as StoryRecord[]));
  }
  return records;
}
