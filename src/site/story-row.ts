import { slugWithoutLanguage } from "../content/resolve/link-pattern.js";
import { lowerBound } from "../lib/collections/lower-bound.js";
import type { StoryReference } from "../snapshot/reader/reader.js";
import { type BlockLines, blockLine } from "./index-file.js";

/** What the index has of a story. */
export interface StoryRow extends StoryReference {
  /** Where its record begins and ends in the shard. */
  start: number;
  end: number;
  /** A short hash of the record. */
  digest: string;
}

/** A row as one line; the uuid stands first, so that rows can be searched as bytes. */
export function printRow(row: StoryRow): string {
  const { uuid, id, name, slug, full_slug, component, is_startpage, start, end, digest } = row;
  return JSON.stringify([uuid, start, end, id, name, slug, full_slug, component, is_startpage ? 1 : 0, digest]);
}

export function parseRow(line: string): StoryRow {
  const [uuid, start, end, id, name, slug, full_slug, component, isStartpage, digest] = JSON.parse(line);
  return { uuid, id, name, slug, full_slug, component, is_startpage: isStartpage === 1, start, end, digest };
}

/** Row number of a uuid in a section, by binary search; undefined when it is not there. */
export function findRow(section: BlockLines, uuid: string): number | undefined {
  // The line begins with `["`, the uuid, and `"`.
  const wanted = Buffer.from(`${JSON.stringify(uuid)},`);
  const orderOf = (line: number): number => {
    const at = section.starts[line]! + 1;
    return Buffer.compare(section.bytes.subarray(at, at + wanted.length), wanted);
  };
  const line = lowerBound(section.starts.length, (one) => orderOf(one) >= 0);
  return line < section.starts.length && orderOf(line) === 0 ? line : undefined;
}

/** A line of the list of slugs: the slug, the number of the story among all rows, its content type. */
export type SlugRow = readonly [slug: string, story: number, component: string];

export function parseSlugRow(block: BlockLines, index: number): SlugRow {
  return JSON.parse(blockLine(block, index));
}

/** What slugs are sorted and found by: the full slug without language and leading slashes; a slash at the end stays. */
export function slugKey(fullSlug: string, language: string): string {
  const slug = slugWithoutLanguage(fullSlug, language);
  return slug !== "" && fullSlug.endsWith("/") ? `${slug}/` : slug;
}
