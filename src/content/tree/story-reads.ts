import type { Config } from "../../config/config.js";
import { contentHash } from "../../lib/content-hash.js";
import { list, map, object, text } from "../../lib/shape.js";
import type { Manifest } from "../../snapshot/manifest.js";
import { openReader } from "../../snapshot/reader/open-reader.js";
import { createMemoryStore } from "../../snapshot/store/memory-store.js";
import type { Store } from "../../snapshot/store/store.js";
import { contentStore, hasStoryFiles } from "./content-folder.js";
import { type ContentIndex, currentIndex } from "./content-index.js";
import { exportContent } from "./export-content.js";
import { expectedContent } from "./is-content-current.js";
import { type PageName, storiesIn } from "./page-keys.js";
import type { PlacedUrl } from "./shared-urls.js";
import { RecordDamage } from "./sorted-chunks.js";
import { allFiles, parseJson, readRecord } from "./tree-record.js";

/** A story of the content tree, and what its files read of the generation. */
export interface StoryReads extends PlacedUrl {
  component: string;
  /** Keys of `notingReader`. */
  keys: readonly string[];
}

/**
 * The inputs of every story's rendering: its own record, and the parts of others that it shows. Comes from the record
 * of the content tree; if the tree is of another generation, renders everything in memory.
 * @param output rooted at the output folder
 */
export async function readStoryReads(config: Config, output: Store, manifest: Manifest): Promise<StoryReads[]> {
  const known = hasStoryFiles(config) ? await readsOfTree(contentStore(config), config, manifest) : undefined;
  if (known !== undefined) return known;
  const shown = hasStoryFiles(config)
    ? config
    : { ...config, content: { ...config.content, formats: ["json" as const] } };
  const store = createMemoryStore();
  const reader = await openReader(output, manifest);
  await exportContent({ reader, config: shown, store, changes: undefined });
  const reads = await readsOfTree(store, shown, manifest);
  if (reads === undefined) throw new Error("a content tree that was just written is not whole");
  return reads;
}

type PlacedLine = Pick<StoryReads, "full_slug" | "url" | "component">;

const linkShape = object<{ uuid: string; editions: Record<string, PlacedLine> }>({
  uuid: text,
  editions: map(object<PlacedLine>({ full_slug: text, url: text, component: text })),
});

/** Undefined if the tree is not whole, or not that of this generation and these settings. */
async function readsOfTree(store: Store, config: Config, manifest: Manifest): Promise<StoryReads[] | undefined> {
  const expected = expectedContent(config, manifest);
  const index = await currentIndex(store, expected);
  if (index === undefined) return undefined;
  const record = await readRecord(store);
  const isSame = record.generation === expected.generation && record.snapshot === expected.snapshot;
  if (!isSame || record.isDamaged) return undefined;
  const hashes = new Map<string, string>();
  const reads = new Map<string, readonly string[]>();
  try {
    for await (const [path, note] of allFiles(store, record)) {
      hashes.set(path, note.hash);
      for (const { keys, ...story } of storiesIn(note)) {
        const known = reads.get(nameOf(story)) ?? [];
        // What the JSON reads comes first.
        reads.set(nameOf(story), note.lines === undefined ? [...known, ...keys] : [...keys, ...known]);
      }
    }
  } catch (error) {
    if (error instanceof RecordDamage) return undefined;
    throw error;
  }
  const found: StoryReads[] = [];
  for (const path of [(parseJson(index) as ContentIndex).links].flat()) {
    const bytes = await store.get(path);
    const lines = bytes && contentHash(bytes) === hashes.get(path) ? parseJson(bytes) : undefined;
    if (!list(linkShape).is(lines)) return undefined;
    for (const { uuid, editions } of lines) {
      for (const [edition, { full_slug, url, component }] of Object.entries(editions)) {
        found.push({ edition, uuid, full_slug, url, component, keys: reads.get(nameOf({ edition, uuid })) ?? [] });
      }
    }
  }
  return found;
}

function nameOf({ edition, uuid }: PageName): string {
  return `${edition}\n${uuid}`;
}
