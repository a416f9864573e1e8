import { createHash } from "node:crypto";
import type { Config } from "../config/config.js";
import type { Alternate, LinkRecord, StoryRecord } from "../contract/records.js";
import type { RecordText } from "../upstream/answer.js";
import { defaultLanguage, type EditionSpec } from "./editions.js";
import type { IndexRow } from "./index-row.js";

/** What a story was answered with: one record for each edition, undefined where the edition lacks it. */
export interface StoryAnswer {
  row: IndexRow;
  editions: readonly EditionSpec[];
  records: readonly (RecordText<StoryRecord> | undefined)[];
}

/**
 * Whether an answer that agrees with its index line may still be of another moment: an edition lacks the story and
 * nothing says why; or name, position, last save or alternates are not as the index has them; or the languages differ in
 * what does not depend on the language. The interface promises none of these to be the same, so that a clean round takes
 * them as they are. In a round that is not clean they may be traces of what was undone since, or one of an edge's old
 * copy, which no line would ever show.
 * @param rowOfId The line of a story of the index by its id.
 */
export function isDoubtful(
  { row, editions, records }: StoryAnswer,
  include: Config["source"]["include"],
  rowOfId: (id: number) => IndexRow | undefined,
): boolean {
  const line = JSON.parse(row.text) as LinkRecord;
  const first = records.find((record) => record !== undefined)?.value;
  return editions.some((edition, at) => {
    const story = records[at]?.value;
    if (story === undefined) return !isExplained(line, edition, include);
    if (differsFromLine(story, line) || (first !== undefined && differsInCommon(story, first))) return true;
    if (edition.language !== defaultLanguage) return isElsewhere(story, line, edition.language);
    return (
      line.name !== story.name || (story.alternates ?? []).some((alternate) => !isListed(alternate, include, rowOfId))
    );
  });
}

/** Whether neither the line's slug nor its alternate explains where a translation lies. */
function isElsewhere({ full_slug, default_full_slug }: StoryRecord, line: LinkRecord, language: string): boolean {
  if (typeof default_full_slug === "string") return bare(default_full_slug) !== bare(line.slug);
  const translated = (line.alternates ?? []).filter(({ lang }) => lang === language);
  const slugs = [line.slug, ...translated.flatMap(({ path, translated_slug }) => [path ?? "", translated_slug ?? ""])];
  return !slugs.some((slug) => [slug, `${language}/${slug}`].some((known) => bare(known) === bare(full_slug)));
}

function differsFromLine(story: StoryRecord, line: LinkRecord): boolean {
  return (
    (line.position !== undefined && story.position !== undefined && line.position !== story.position) ||
    (typeof line.updated_at === "string" && Boolean(story.updated_at) && line.updated_at !== story.updated_at)
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

/** Something that is the same for the same line and records: what was doubtful twice in the same way is how it is. */
export function answerMark({ row, records }: StoryAnswer): string {
  const hash = createHash("sha1").update(row.text);
  for (const record of records) hash.update("\n").update(record?.text ?? "");
  return hash.digest("base64");
}

/** A filter by content type, or a translation that its line calls unpublished. */
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

function isListed(
  { id, name, full_slug, is_folder, published }: Alternate,
  { startsWith, excludeSlugs }: Config["source"]["include"],
  rowOfId: (id: number) => IndexRow | undefined,
): boolean {
  const row = rowOfId(id);
  if (row !== undefined) {
    return bare(row.slug) === bare(full_slug) && (JSON.parse(row.text) as LinkRecord).name === name;
  }
  return is_folder || published !== true || startsWith.length + excludeSlugs.length > 0;
}

function bare(slug: string): string {
  return slug.endsWith("/") ? slug.slice(0, -1) : slug;
}
