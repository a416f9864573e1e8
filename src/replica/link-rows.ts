import type { LinkRecord, StoryRecord } from "../contract/records.js";
import { editionName, parts } from "../reader/part-names.js";
import type { Reader } from "../reader/reader.js";
import { recordBytes } from "../reader/shard-bytes.js";
import { withoutMembers } from "./record-edit.js";

/** One row of the links listing: its value and its canonical JSON, with dates. */
export interface ServedLink {
  record: LinkRecord;
  bytes: Uint8Array;
}

const dates: ReadonlySet<string> = new Set(["created_at", "updated_at", "published_at"]);
const nothing: ReadonlySet<string> = new Set();

/**
 * The links of a version, in uuid order. A snapshot of an upstream without a links listing has no index: its links are
 * made of the stories in the default language, without folders.
 */
export function linkRows(reader: Reader, version: "published" | "draft"): ServedLink[] {
  const part = parts.links(version);
  if (!Object.hasOwn(reader.manifest.parts, part)) return linksOfStories(reader, version);
  const records = reader.links(version);
  const rows = reader
    .shards(part)
    .flatMap((shard) => Array.from(shard.starts, (_, index) => recordBytes(shard, index)));
  return rows.map((bytes, index) => ({ record: records[index]!, bytes }));
}

/** The JSON of a link, with dates only when they are asked for. */
export function linkText(link: ServedLink, includeDates: boolean): string | Uint8Array {
  return includeDates ? link.bytes : withoutMembers(link.bytes, dates, nothing);
}

function linksOfStories(reader: Reader, version: "published" | "draft"): ServedLink[] {
  const edition = editionName(version, null, "default");
  return reader.uuids(edition).map((uuid) => {
    const record = linkOfStory(reader.story(edition, uuid)!, version);
    return { record, bytes: Buffer.from(JSON.stringify(record)) };
  });
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
