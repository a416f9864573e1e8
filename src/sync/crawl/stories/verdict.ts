import { createHash } from "node:crypto";
import type { Config, Version } from "../../../config/config.js";
import type { Alternate, SparseLink, StoryHead } from "../../../contract/records.js";
import { defaultLanguage } from "../../../snapshot/base-edition.js";
import type { RecordText } from "../../upstream/answer.js";
import { type IndexRow, parentOf } from "../index/index-row.js";
import { askedTypes, type EditionSpec } from "../run/editions.js";
import { defaultSlug, isIncluded } from "../run/story-filter.js";

/** What one story was answered with. */
export interface StoryAnswer {
  uuid: string;
  /** Undefined for a story that the index has lost. */
  row: IndexRow | undefined;
  editions: readonly EditionSpec[];
  /** One record for each edition: undefined where the edition lacks the story, null where the record cannot be used. */
  records: readonly (RecordText<StoryHead> | null | undefined)[];
  /** Whether an answer about it was served at an older cv than it was asked for at. */
  isOutdated?: boolean;
}

/** What an answer is held against, beside its own row. */
export interface IndexView {
  version: Version;
  include: Config["source"]["include"];
  /** The row of a story by its id. */
  rowOfId(id: number): IndexRow | undefined;
  /** Whether the index has rows that do not tell of which story they are: one without a row may be theirs. */
  hasNamelessRows?: boolean;
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

/**
 * Why a language does not belong to the row. A story without a row has to be missing from all languages, unless its row may
 * be one that does not tell its story.
 */
function misfit(
  { uuid, row, editions, records, isOutdated }: StoryAnswer,
  { version, include, hasNamelessRows }: IndexView,
): string | undefined {
  if (isOutdated) return `story ${uuid} was answered at an older cv`;
  const link = row?.value;
  for (const [at, { name, language }] of editions.entries()) {
    if (records[at] === null && row === undefined && !hasNamelessRows) {
      return `story ${uuid} is missing from the index and still answered`;
    }
    const story = records[at]?.value;
    if (story === undefined) continue;
    if (link === undefined) {
      if (hasNamelessRows || !isIncluded(defaultSlug(story, language), include)) continue;
      return `story ${uuid} is missing from the index and still answered`;
    }
    const reason = disagreement(story, link, version, language);
    if (reason !== undefined) return `story ${uuid} (${name}) does not fit the index: ${reason}`;
  }
  return undefined;
}

/**
 * What differs between a record and its row, of what the interface promises to be the same: the date that the version
 * moves (`published_at`; of drafts `updated_at`, where both have one), the slug in the default language (a start page's
 * trailing slash aside) and the parent (0 and null are the same root). What one of them does not tell, or not in a form
 * that can be read, is not held against the other.
 */
function disagreement(story: StoryHead, link: SparseLink, version: Version, language: string): string | undefined {
  const field = version === "published" ? "published_at" : "updated_at";
  const inIndex = link[field];
  const inStory = story[field];
  if (inIndex !== undefined && inStory !== undefined && areDifferentInstants(inIndex, inStory)) {
    return `${field} is ${inStory} in the story and ${inIndex} in the index`;
  }
  if (language === defaultLanguage && areDifferentSlugs(story.full_slug, link.slug ?? undefined)) {
    return `full_slug is ${story.full_slug} in the story and ${link.slug} in the index`;
  }
  const [parent, inRow] = [parentOf(story), parentOf(link)];
  if (parent !== undefined && inRow !== undefined && parent !== inRow) {
    return `parent_id is ${story.parent_id} in the story and ${inRow} in the index`;
  }
  return undefined;
}

/**
 * Whether an edition lacks the story and nothing explains why; or name, position, last save or alternates are not as the
 * index has them; or the languages differ in what does not depend on the language.
 */
function mayBeOfAnotherMoment({ editions, records }: StoryAnswer, row: IndexRow, view: IndexView): boolean {
  const link = row.value;
  const first = records.find((record) => record)?.value;
  return editions.some((edition, at) => {
    if (records[at] === null) return false;
    const story = records[at]?.value;
    // A content type is the same in every language.
    const isOfOtherType = first === undefined && askedTypes(view.include).length > 0;
    if (story === undefined) return !isOfOtherType && !isUnpublishedIn(link, edition);
    if (differsFromRow(story, link) || (first !== undefined && differsInCommon(story, first))) return true;
    if (edition.language !== defaultLanguage) return isElsewhere(story, link, edition.language);
    return link.name !== story.name || (story.alternates ?? []).some((alternate) => !isListed(alternate, view));
  });
}

/** Whether the row calls this translation unpublished. That explains nothing of drafts, which every language has. */
export function isUnpublishedIn(
  { alternates }: SparseLink,
  { version, language }: Pick<EditionSpec, "version" | "language">,
): boolean {
  return version === "published" && (alternates ?? []).some((one) => one.lang === language && one.published === false);
}

function differsFromRow(story: StoryHead, link: SparseLink): boolean {
  return (
    (link.position !== undefined && story.position !== undefined && link.position !== story.position) ||
    (typeof link.updated_at === "string" && Boolean(story.updated_at) && link.updated_at !== story.updated_at)
  );
}

/**
 * Whether two languages of a story differ in what is the same in all of them. What is nested too deeply for the engine to
 * print counts as different: such an answer is unconfirmed, and so at worst asked for once more.
 */
function differsInCommon(a: StoryHead, b: StoryHead): boolean {
  const common = (story: StoryHead) =>
    JSON.stringify([
      [story.group_id, story.tag_list, story.is_startpage, story.sort_by_date, story.first_published_at],
      [story.alternates, story.translated_slugs],
    ]);
  try {
    return a !== b && common(a) !== common(b);
  } catch (error) {
    if (error instanceof RangeError) return true;
    throw error;
  }
}

/** Whether neither the row's slug nor its alternates explain where a translation lies. */
function isElsewhere({ full_slug, default_full_slug }: StoryHead, link: SparseLink, language: string): boolean {
  const { slug } = link;
  if (typeof slug !== "string") return false;
  if (typeof default_full_slug === "string") return bare(default_full_slug) !== bare(slug);
  const translated = (link.alternates ?? []).filter(({ lang }) => lang === language);
  const slugs = [slug, ...translated.flatMap(({ path, translated_slug }) => [path, translated_slug ?? ""])];
  return !slugs.some((one) => [one, `${language}/${one}`].some((expected) => bare(expected) === bare(full_slug)));
}

/** Whether an alternate is as its own row has it; one without a row has to be a folder, unpublished or out of scope. */
function isListed({ id, name, full_slug, is_folder, published }: Alternate, { include, rowOfId }: IndexView): boolean {
  const row = rowOfId(id);
  if (row !== undefined) {
    return !areDifferentSlugs(full_slug, row.slug) && row.value.name === name;
  }
  return is_folder === true || published !== true || include.startsWith.length + include.excludeSlugs.length > 0;
}

/** The same for the same row and records. */
function fingerprint({ records }: StoryAnswer, row: IndexRow): string {
  const hash = createHash("sha1").update(row.text);
  for (const record of records) hash.update("\n").update(record?.text ?? "");
  return hash.digest("base64");
}

/** Whether both tell a time, or none, and not the same. */
function areDifferentInstants(a: string | null, b: string | null): boolean {
  if (a === b) return false;
  if (a === null || b === null) return !Number.isNaN(Date.parse(a ?? b ?? ""));
  const [first, second] = [Date.parse(a), Date.parse(b)];
  return first !== second && !Number.isNaN(first) && !Number.isNaN(second);
}

/** Whether both tell a slug, and not the same, a start page's trailing slash aside. */
function areDifferentSlugs(a: string, b: string | undefined): boolean {
  if (b === undefined || a.trim() === "" || b.trim() === "") return false;
  return bare(a) !== bare(b);
}

function bare(slug: string): string {
  return slug.endsWith("/") ? slug.slice(0, -1) : slug;
}
