import type { LinkRecord, StoryRecord } from "../contract/records.js";
import { editionName, parts } from "../reader/part-names.js";
import type { Reader } from "../reader/reader.js";
import { locateRecords } from "../reader/shard-bytes.js";
import type { ColumnStore } from "./columns.js";
import { withoutMembers } from "./record-edit.js";
import { createShardRows, type ShardRows } from "./shard-rows.js";

const dates: ReadonlySet<string> = new Set(["created_at", "updated_at", "published_at"]);
const nothing: ReadonlySet<string> = new Set();

/**
 * The links of a version as rows, in uuid order. A snapshot of an upstream without a links listing has no index: its links
 * are made of the stories in the default language, without folders.
 */
export function createLinkRows(reader: Reader, version: "published" | "draft", columns: ColumnStore): ShardRows {
  const part = parts.links(version);
  if (Object.hasOwn(reader.manifest.parts, part)) return createShardRows(reader.shards(part), columns);
  const lines = linksOfStories(reader, version).map((link) => JSON.stringify(link));
  const bytes = Buffer.from(`[\n${lines.join(",\n")}\n]\n`);
  const shard = lines.length === 0 ? undefined : locateRecords("", bytes, lines.length);
  return createShardRows(shard === undefined ? [] : [shard], columns);
}

/** The JSON of a link, with dates only when they are asked for. */
export function linkText(links: ShardRows, row: number, includeDates: boolean): string | Uint8Array {
  return includeDates ? links.bytes(row) : withoutMembers(links.bytes(row), dates, nothing);
}

function linksOfStories(reader: Reader, version: "published" | "draft"): LinkRecord[] {
  const edition = editionName(version, null, "default");
  return reader.uuids(edition).map((uuid) => linkOfStory(reader.story(edition, uuid)!, version));
}

function linkOfStory(story: StoryRecord, version: "published" | "draft"): LinkRecord {
  return {
    id: story.id,
    uuid: story.uuid,
    slug: story.full_slug,
    path: story.path ?? null,
    parent_id: story.parent_id ?? null,
    name: story.name,
    is_folder: false,
    published: version === "published" || (story.published_at ?? null) !== null,
    is_startpage: story.is_startpage ?? false,
    position: story.position ?? 0,
    real_path: `/${story.full_slug.replace(/\/$/, "")}`,
    created_at: story.created_at ?? null,
    updated_at: story.updated_at ?? null,
    published_at: story.published_at ?? null,
  };
}
