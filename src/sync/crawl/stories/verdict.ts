import { createHash } from "node:crypto";
import type { Config, Version } from "../../../config/config.js";
import { isIncluded } from "../../../content/resolve/left-out.js";
import type { Alternate, SparseLink, StoryHead } from "../../../contract/records.js";
import { defaultLanguage } from "../../../snapshot/manifest.js";
import type { StoryText } from "../../upstream/answer.js";
import { type IndexRow, parentOf } from "../index/index-row.js";
import { askedTypes, defaultSlug, type EditionSpec } from "../run/editions.js";

export interface StoryAnswer {
  uuid: string;
  /** Undefined for a story that the index has lost. */
  row: IndexRow | undefined;
  editions: readonly EditionSpec[];
  /** One record per edition: undefined if the edition lacks the story, null if unusable. */
  records: readonly (StoryText | null | undefined)[];
  /** True if one of its answers was served at an older cv than requested. */
  isOutdated?: boolean;
}

/** What an answer is compared with, besides its own row. */
export interface IndexView {
  version: Version;
  include: Config["source"]["include"];
  rowOfId(id: number): IndexRow | undefined;
  /** True if some index rows do not name their story: one may belong to a story without a row. */
  hasNamelessRows?: boolean;
}

/**
 * How an answer relates to the row under which it was requested.
 *
 * - `fits`: it is staged with its row.
 * - `misfit`: an edge's old copy, or a write between the two reads. It is requested again.
 * - `unconfirmed`: it matches the row but may be stale. The interface promises nothing about the
 *   difference, so only a clean round, or the same fingerprint twice, accepts it: the edit it shows
 *   may have been reverted, which no row would ever show.
 */
export type Verdict =
  | { kind: "fits" }
  | { kind: "unconfirmed"; fingerprint: string }
  | { kind: "misfit"; reason: string };

const fits: Verdict = { kind: "fits" };

export function judge(answer: StoryAnswer, view: IndexView): Verdict {
  const reason = misfit(answer, view);
  if (reason !== undefined) return { kind: "misfit", reason };
  const { row } = answer;
  if (row === undefined || !mayBeOfAnotherMoment(answer, row, view)) return fits;
  return { kind: "unconfirmed", fingerprint: fingerprint(answer, row) };
}

/** A story without a row must be missing in all languages, unless a row does not name its story. */
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
 * The difference between a record and its row in fields that the interface promises to be equal:
 * the date that the version moves (`published_at`; for drafts `updated_at`, if both have one), the
 * slug in the default language (ignoring a start page's trailing slash) and the parent (0 and null
 * are the same root). A missing or malformed value on either side is no difference.
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

/** Lacks it unexplained; or name, position, save, alternates differ from the row; or languages in what is common. */
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

/** True if the row calls this translation unpublished; irrelevant for drafts. */
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

/** Nested too deeply to print counts as different: at worst it is requested again. */
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

/** True if neither the row's slug nor its alternates explain the slug of a translation. */
function isElsewhere({ full_slug, default_full_slug }: StoryHead, link: SparseLink, language: string): boolean {
  const { slug } = link;
  if (typeof slug !== "string") return false;
  if (typeof default_full_slug === "string") return bare(default_full_slug) !== bare(slug);
  const translated = (link.alternates ?? []).filter(({ lang }) => lang === language);
  const slugs = [slug, ...translated.flatMap(({ path, translated_slug }) => [path, translated_slug ?? ""])];
  return !slugs.some((one) => [one, `${language}/${one}`].some((expected) => bare(expected) === bare(full_slug)));
}

/** True if an alternate equals its row, or is a folder, unpublished or excluded if it has none. */
function isListed({ id, name, full_slug, is_folder, published }: Alternate, { include, rowOfId }: IndexView): boolean {
  const row = rowOfId(id);
  if (row !== undefined) {
    return !areDifferentSlugs(full_slug, row.slug) && row.value.name === name;
  }
  return is_folder === true || published !== true || include.startsWith.length + include.excludeSlugs.length > 0;
}

/** Equal for equal rows and records. */
function fingerprint({ records }: StoryAnswer, row: IndexRow): string {
  const hash = createHash("sha1").update(row.text);
  for (const record of records) hash.update("\n").update(record?.text ?? "");
  return hash.digest("base64");
}

/** True if two times differ; null equals null, and a malformed time equals anything. */
function areDifferentInstants(a: string | null, b: string | null): boolean {
  if (a === b) return false;
  if (a === null || b === null) return !Number.isNaN(Date.parse(a ?? b ?? ""));
  const [first, second] = [Date.parse(a), Date.parse(b)];
  return first !== second && !Number.isNaN(first) && !Number.isNaN(second);
}

/** True if two slugs differ, but for a start page's trailing slash; a missing one equals any. */
function areDifferentSlugs(a: string, b: string | undefined): boolean {
  if (b === undefined || a.trim() === "" || b.trim() === "") return false;
  return bare(a) !== bare(b);
}

function bare(slug: string): string {
  return slug.endsWith("/") ? slug.slice(0, -1) : slug;
}
