import { createHash } from "node:crypto";
import type { Config, Version } from "../config/config.js";
import type { Alternate, LinkRecord, StoryRecord } from "../contract/records.js";
import { defaultLanguage } from "../snapshot/base-edition.js";
import type { RecordText } from "../upstream/answer.js";
import type { EditionSpec } from "./editions.js";
import type { IndexRow } from "./index-row.js";
import { defaultSlug, isIncluded } from "./slug-filter.js";

/** What one story was answered with. */
export interface StoryAnswer {
  uuid: string;
  /** Undefined for a story that the index has lost. */
  row: IndexRow | undefined;
  editions: readonly EditionSpec[];
  /** One record for each edition, undefined where the edition lacks the story. */
  records: readonly (RecordText<StoryRecord> | undefined)[];
}

/** What an answer is held against, beside its own row. */
export interface IndexView {
  version: Version;
  include: Config["source"]["include"];
  /** The row of a story by its id. */
  rowOfId(id: number): IndexRow | undefined;
}

/**
 * How an answer stands to the index row that it was asked for under.
 *
 * - `fits`: it is staged and its row with it.
 * - `misfit`: it belongs to another row: an edge's old copy, or a write between the two reads. It is asked for again.
 * - `unconfirmed`: it fits, but may be of another moment. The interface promises nothing about what differs, so that a
 *   clean round takes it as it is; in any other round it may be a trace of what was undone since, which no row would
 *   ever show. The same fingerprint twice means that the space is like that.
 */
export type Verdict =
  | { kind: "fits" }
  | { kind: "unconfirmed"; fingerprint: string }
  | { kind: "misfit"; reason: string };

const fits: Verdict = { kind: "fits" };

/** Judges all languages of a story at once. Pure. */
export function judge(answer: StoryAnswer, view: IndexView): Verdict {
  const reason = misfit(answer, view);
  if (reason !== undefined) return { kind: "misfit", reason };
  const { row } = answer;
  if (row === undefined || !mayBeOfAnotherMoment(answer, row, view)) return fits;
  return { kind: "unconfirmed", fingerprint: fingerprint(answer, row) };
}

/** Why a language does not belong to the row. A story without a row has to be missing from all languages. */
function misfit({ uuid, row, editions, records }: StoryAnswer, { version, include }: IndexView): string | undefined {
  for (const [at, { name, language }] of editions.entries()) {
    const story = records[at]?.value;
    if (story === undefined) continue;
    if (row === undefined) {
      if (!isIncluded(defaultSlug(story, language), include)) continue;
      return `story ${uuid} is missing from the index and still answered`;
    }
    const reason = disagreement(story, row, version, language);
    if (reason !== undefined) return `story ${uuid} (${name}) does not fit the index: ${reason}`;
  }
  return undefined;
}

/**
 * What differs between a record and its row, of what the interface promises to be the same: the date that the version
 * moves (`published_at`; of drafts `updated_at`, where both have one), the slug in the default language (a start page's
 * trailing slash aside) and the parent (0 and null are the same root).
 */
function disagreement(story: StoryRecord, row: IndexRow, version: Version, language: string): string | undefined {
  const field = version === "published" ? "published_at" : "updated_at";
  const inIndex = version === "published" ? row.publishedAt : row.updatedAt;
  const inStory = story[field];
  if (inIndex !== undefined && inStory !== undefined && !sameInstant(inIndex, inStory)) {
    return `${field} is ${inStory} in the story and ${inIndex} in the index`;
  }
  if (language === defaultLanguage && bare(story.full_slug) !== bare(row.slug)) {
    return `full_slug is ${story.full_slug} in the story and ${row.slug} in the index`;
  }
  if ((story.parent_id ?? 0) !== row.parentId) {
    return `parent_id is ${story.parent_id} in the story and ${row.parentId} in the index`;
  }
  return undefined;
}

/**
 * Whether an edition lacks the story and nothing explains why; or name, position, last save or alternates are not as the
 * index has them; or the languages differ in what does not depend on the language.
 */
function mayBeOfAnotherMoment({ editions, records }: StoryAnswer, row: IndexRow, view: IndexView): boolean {
  const link = JSON.parse(row.text) as LinkRecord;
  const first = records.find((record) => record !== undefined)?.value;
  return editions.some((edition, at) => {
    const story = records[at]?.value;
    if (story === undefined) return !isExplained(link, edition, view.include);
    if (differsFromRow(story, link) || (first !== undefined && differsInCommon(story, first))) return true;
    if (edition.language !== defaultLanguage) return isElsewhere(story, link, edition.language);
    return link.name !== story.name || (story.alternates ?? []).some((alternate) => !isListed(alternate, view));
  });
}

/** Whether a filter by content type leaves the story out, or its row calls this translation unpublished. */
function isExplained(
  { alternates }: LinkRecord,
  { language }: EditionSpec,
  include: Config["source"]["include"],
): boolean {
  return (
    include.contentTypes.length > 0 ||
    (alternates ?? []).some(({ lang, published }) => lang === language && published === false)
  );
}

function differsFromRow(story: StoryRecord, link: LinkRecord): boolean {
  return (
    (link.position !== undefined && story.position !== undefined && link.position !== story.position) ||
    (typeof link.updated_at === "string" && Boolean(story.updated_at) && link.updated_at !== story.updated_at)
  );
}

/** Whether two languages of a story differ in what is the same in all of them. */
function differsInCommon(a: StoryRecord, b: StoryRecord): boolean {
  const common = (story: StoryRecord) =>
    JSON.stringify([
      [story.group_id, story.tag_list, story.is_startpage, story.sort_by_date, story.first_published_at],
      [story.alternates, story.translated_slugs],
    ]);
  return a !== b && common(a) !== common(b);
}

/** Whether neither the row's slug nor its alternates explain where a translation lies. */
function isElsewhere({ full_slug, default_full_slug }: StoryRecord, link: LinkRecord, language: string): boolean {
  if (typeof default_full_slug === "string") return bare(default_full_slug) !== bare(link.slug);
  const translated = (link.alternates ?? []).filter(({ lang }) => lang === language);
  const slugs = [link.slug, ...translated.flatMap(({ path, translated_slug }) => [path ?? "", translated_slug ?? ""])];
  return !slugs.some((slug) => [slug, `${language}/${slug}`].some((expected) => bare(expected) === bare(full_slug)));
}

/** Whether an alternate is as its own row has it; one without a row has to be a folder, unpublished or out of scope. */
function isListed({ id, name, full_slug, is_folder, published }: Alternate, { include, rowOfId }: IndexView): boolean {
  const row = rowOfId(id);
  if (row !== undefined) {
    return bare(row.slug) === bare(full_slug) && (JSON.parse(row.text) as LinkRecord).name === name;
  }
  return is_folder || published !== true || include.startsWith.length + include.excludeSlugs.length > 0;
}

/** The same for the same row and records. */
function fingerprint({ records }: StoryAnswer, row: IndexRow): string {
  const hash = createHash("sha1").update(row.text);
  for (const record of records) hash.update("\n").update(record?.text ?? "");
  return hash.digest("base64");
}

function sameInstant(a: string | null, b: string | null): boolean {
  if (a === b) return true;
  if (a === null || b === null) return false;
  return Date.parse(a) === Date.parse(b);
}

function bare(slug: string): string {
  return slug.endsWith("/") ? slug.slice(0, -1) : slug;
}
