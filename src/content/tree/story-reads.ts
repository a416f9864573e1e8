import type { Config } from "../../config/config.js";
import { contentHash } from "../../lib/content-hash.js";
import { list, map, object, optional, text } from "../../lib/shape.js";
import type { Manifest } from "../../snapshot/manifest.js";
import { openReader } from "../../snapshot/reader/open-reader.js";
import { createMemoryStore } from "../../snapshot/store/memory-store.js";
import type { Store } from "../../snapshot/store/store.js";
import { contentStore, hasStoryFiles } from "./content-folder.js";
import { type ContentIndex, currentIndex } from "./content-index.js";
import { exportContent } from "./export-content.js";
import type { FileNote } from "./file-note.js";
import { expectedContent } from "./is-content-current.js";
import type { PlacedUrl } from "./shared-urls.js";
import { RecordDamage } from "./sorted-chunks.js";
import { allFiles, parseJson, readRecord } from "./tree-record.js";

/** A story of the content tree, and what its files read of the generation. */
export interface StoryReads extends PlacedUrl {
  component: string;
  /** Keys of `notingReader`, in one list for each of its files. */
  keys: readonly (readonly string[])[];
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

interface LinkLine {
  uuid: string;
  editions: Record<string, PlacedLine>;
}

interface PlacedLine {
  full_slug: string;
  url: string;
  component: string;
  markdown: string | undefined;
  json: string | undefined;
}

const linkShape = object<LinkLine>({
  uuid: text,
  editions: map(
    object<PlacedLine>({
      full_slug: text,
      url: text,
      component: text,
      markdown: optional(text),
      json: optional(text),
    }),
  ),
});

/** Undefined if the tree is not whole, or not that of this generation and these settings. */
async function readsOfTree(store: Store, config: Config, manifest: Manifest): Promise<StoryReads[] | undefined> {
  const expected = expectedContent(config, manifest);
  const index = await currentIndex(store, expected);
  if (index === undefined) return undefined;
  const record = await readRecord(store);
  const isSame = record.generation === expected.generation && record.snapshot === expected.snapshot;
  if (!isSame || record.isDamaged) return undefined;
  const files = new Map<string, FileNote>();
  try {
    for await (const [path, note] of allFiles(store, record)) files.set(path, note);
  } catch (error) {
    if (error instanceof RecordDamage) return undefined;
    throw error;
  }
  const keysOf = keysByFile(files);
  const reads: StoryReads[] = [];
  for (const path of [(parseJson(index) as ContentIndex).links].flat()) {
    const bytes = await store.get(path);
    const lines = bytes && contentHash(bytes) === files.get(path)?.hash ? parseJson(bytes) : undefined;
    if (!list(linkShape).is(lines)) return undefined;
    for (const { uuid, editions } of lines) {
      for (const [edition, { full_slug, url, component, json, markdown }] of Object.entries(editions)) {
        const keys = [json, markdown].flatMap((path) => (path === undefined ? [] : [keysOf(path, uuid)]));
        reads.push({ edition, uuid, full_slug, url, component, keys });
      }
    }
  }
  return reads;
}

function keysByFile(files: ReadonlyMap<string, FileNote>): (path: string, uuid: string) => readonly string[] {
  const ofLines = new Map<string, Map<string, readonly string[]>>();
  return (path, uuid) => {
    const known = ofLines.get(path);
    if (known !== undefined) return known.get(uuid) ?? [];
    const note = files.get(path);
    const lines = note?.lines;
    if (lines === undefined) return note?.keys ?? [];
    const keys = new Map(lines.notes.map((line) => [line.id, line.keys]));
    ofLines.set(path, keys);
    return keys.get(uuid) ?? [];
  };
}
