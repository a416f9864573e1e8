import { buildSnapshot, type SnapshotContent } from "../../demo/build-snapshot.js";
import type { LinkRecord, StoryRecord } from "../../src/contract/records.js";
import { editionName, parts } from "../../src/snapshot/layout.js";
import type { Manifest } from "../../src/snapshot/manifest.js";
import { openReader } from "../../src/snapshot/reader/open-reader.js";
import type { Reader } from "../../src/snapshot/reader/reader.js";
import type { Store } from "../../src/snapshot/store/store.js";

/** A uuid that ends in the number and begins with digits that spread over the shards. */
export function uuid(number: number): string {
  const start = ((number * 2654435761) % 2 ** 32).toString(16).padStart(8, "0");
  return `${start}-0000-4000-8000-${String(number).padStart(12, "0")}`;
}

/** A published story with every field of the interface; its uuid and slug come from the id unless they are given. */
export function story(id: number, more: Partial<StoryRecord> = {}): StoryRecord {
  const slug = more.slug ?? `story-${id}`;
  return {
    name: `Story ${id}`,
    created_at: "2024-01-01T00:00:00.000Z",
    published_at: "2024-02-01T00:00:00.000Z",
    id,
    uuid: uuid(id),
    content: { _uid: uuid(1000 + id), component: "page" },
    slug,
    full_slug: slug,
    sort_by_date: null,
    position: id * 10,
    tag_list: [],
    is_startpage: false,
    parent_id: 0,
    meta_data: null,
    group_id: uuid(2000 + id),
    first_published_at: "2024-02-01T00:00:00.000Z",
    release_id: null,
    lang: "default",
    path: null,
    alternates: [],
    default_full_slug: null,
    translated_slugs: null,
    ...more,
  };
}

/** The row of a story in the links listing. */
export function linkOf(record: StoryRecord, more: Partial<LinkRecord> = {}): LinkRecord {
  return {
    id: record.id,
    uuid: record.uuid,
    slug: record.full_slug,
    path: null,
    parent_id: 0,
    name: record.name,
    is_folder: false,
    published: true,
    is_startpage: false,
    position: 0,
    real_path: `/${record.full_slug}`,
    published_at: record.published_at ?? null,
    created_at: record.created_at ?? null,
    updated_at: "2024-02-02T00:00:00.000Z",
    ...more,
  };
}

/** The stories of each edition (`published/default`) and the records of further parts, by part name. */
export interface SampleContent {
  editions: Record<string, readonly StoryRecord[]>;
  /** By edition: the language that untranslated fields were read in. */
  fallbacks?: Record<string, string>;
  parts?: Record<string, readonly unknown[]>;
  assets?: NonNullable<SnapshotContent["assets"]>;
  space?: SnapshotContent["space"];
  cv?: number | null;
  shardBytes?: number;
  committedAt?: string;
}

/** A snapshot of these records in memory, opened. Links are made of the published stories unless they are given. */
export async function sampleSnapshot(content: SampleContent): Promise<{ store: Store; reader: Reader }> {
  const { store, manifest } = await commitSample(content);
  return { store, reader: await openReader(store, manifest) };
}

/** Commits these records as the next generation of a store; default: of a new one in memory. */
export async function commitSample(
  content: SampleContent,
  into?: Store,
): Promise<{ store: Store; manifest: Manifest }> {
  const lines: Record<string, string[]> = {};
  for (const [edition, stories] of Object.entries(content.editions))
    lines[parts.stories(edition)] = stories.map(lineOf);
  const published = content.editions[editionName("published", null, "default")] ?? [];
  lines[parts.links("published")] = published.map((record) => lineOf(linkOf(record)));
  for (const [part, records] of Object.entries(content.parts ?? {})) lines[part] = records.map(lineOf);
  const snapshot: SnapshotContent = {
    space: { id: 7, name: "Sample", languages: ["de"], ...content.space },
    cv: content.cv === undefined ? 1_700_000_000 : content.cv,
    parts: lines,
    editions: Object.keys(content.editions).map((name) => {
      const fallback = content.fallbacks?.[name];
      return fallback === undefined ? editionOf(name) : { ...editionOf(name), fallback };
    }),
    shardBytes: content.shardBytes ?? 4096,
    ...(content.assets === undefined ? {} : { assets: content.assets }),
    ...(content.committedAt === undefined ? {} : { committedAt: content.committedAt }),
  };
  return buildSnapshot(snapshot, into);
}

function lineOf(record: unknown): string {
  return JSON.stringify(record);
}

function editionOf(name: string): { version: "published" | "draft"; release: string | null; language: string } {
  const [reading = "", language = ""] = name.split("/");
  const [version, release = null] = reading.split("@");
  return { version: version === "draft" ? "draft" : "published", release, language };
}
