import { buildSnapshot } from "../../demo/build-snapshot.js";
import type { Config, ContentTarget } from "../../src/config/config.js";
import { resolveConfig } from "../../src/config/load/resolve-config.js";
import { configSchema } from "../../src/config/schema/config-schema.js";
import type { LinkRecord, StoryRecord } from "../../src/contract/records.js";
import { parts } from "../../src/snapshot/layout.js";
import { openReader } from "../../src/snapshot/reader/open-reader.js";
import type { Reader } from "../../src/snapshot/reader/reader.js";

/** A uuid that ends in the number and begins with digits that spread over the shards. */
export function uuidOf(number: number): string {
  const start = ((number * 2654435761) % 2 ** 32).toString(16).padStart(8, "0");
  return `${start}-0000-4000-8000-${String(number).padStart(12, "0")}`;
}

/** A published page with these fields of content. */
export function recordOf(id: number, fields: object, more: Partial<StoryRecord> = {}): StoryRecord {
  return {
    name: `Story ${id}`,
    created_at: "2024-01-01T00:00:00.000Z",
    published_at: "2024-02-01T00:00:00.000Z",
    id,
    uuid: uuidOf(id),
    content: { _uid: "a", component: "page", ...fields },
    slug: `story-${id}`,
    full_slug: `story-${id}`,
    sort_by_date: null,
    position: id,
    tag_list: [],
    is_startpage: false,
    parent_id: 0,
    meta_data: null,
    group_id: uuidOf(id),
    first_published_at: null,
    release_id: null,
    lang: "default",
    path: null,
    alternates: [],
    default_full_slug: null,
    translated_slugs: null,
    ...more,
  };
}

/** The configuration with these settings, and defaults for all others. */
export function configWith(settings: { depth?: number; target?: ContentTarget } = {}): Config {
  const written = {
    source: { url: "demo:", token: "demo" },
    resolve: { depth: settings.depth ?? 0, relations: "all" },
    content: { target: settings.target ?? "plain", formats: ["markdown", "json"] },
    assets: { metadata: true },
  };
  const read = configSchema.read(written);
  if ("misfits" in read) throw new Error(JSON.stringify(read.misfits));
  return resolveConfig(read.value, "/");
}

/** A snapshot in memory with these stories, and records of further parts by the names of the parts. */
export async function readerOf(
  stories: readonly StoryRecord[],
  further: Readonly<Record<string, readonly unknown[]>> = {},
): Promise<Reader> {
  const links = stories.map((story): LinkRecord => {
    const { id, uuid, full_slug: slug, name, is_startpage = false, parent_id = 0, published_at = null } = story;
    return {
      ...{ id, uuid, slug, name, path: null, parent_id, is_folder: false, published: true, is_startpage, position: 0 },
      ...{ real_path: `/${slug}`, published_at, created_at: null, updated_at: "2024-02-02T00:00:00.000Z" },
    };
  });
  const records = {
    [parts.stories("published/default")]: stories,
    [parts.links("published")]: links,
    ...further,
  };
  const lines = Object.entries(records).map(
    ([part, all]) => [part, all.map((record) => JSON.stringify(record))] as const,
  );
  const { store, manifest } = await buildSnapshot({
    space: { id: 7, name: "Sample" },
    cv: 1_700_000_000,
    parts: Object.fromEntries(lines),
    editions: [{ version: "published", release: null, language: "default" }],
  });
  return openReader(store, manifest);
}
