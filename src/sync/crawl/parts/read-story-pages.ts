import type { Config } from "../../../config/config.js";
import { isIncluded } from "../../../content/resolve/left-out.js";
import { parseStory } from "../../../contract/parse-record.js";
import { parts } from "../../../snapshot/layout.js";
import type { KeyedLine } from "../../../snapshot/read-part.js";
import type { RecordFault, StoryText } from "../../upstream/answer.js";
import { readVariedPages } from "../../upstream/pages.js";
import { duplicateFault } from "../../upstream/record-faults.js";
import { sameUuids } from "../index/sweep-links.js";
import { defaultSlug, type EditionSpec, editionQuery } from "../run/editions.js";
import type { PinnedUpstream } from "../run/pinned-upstream.js";

/**
 * For an edition that no index shows: several pages are read twice, in opposite orders and so by other URLs. Shifted
 * pages, old copies, and a story twice on a page (unless both readings have it) make the round unclean.
 */
export async function readStoryPages(
  pinned: PinnedUpstream,
  edition: EditionSpec,
  include: Config["source"]["include"],
  options: { perPage: number; variation: number; onlyVariants?: boolean },
): Promise<StoryPages> {
  const { pin } = pinned;
  const stories = new Map<string, StoryText>();
  const unusable: RecordFault[] = [];
  const part = options.onlyVariants ? parts.variants(edition.name) : parts.stories(edition.name);
  const prefixes = include.startsWith.length === 0 || options.onlyVariants ? [undefined] : include.startsWith;
  for (const prefix of prefixes) {
    const first = await sweep("asc", prefix);
    if (first.isSeveral || first.twice.size > 0) {
      const second = await sweep("desc", prefix);
      const reason = `two readings of the story pages of ${edition.name} differ`;
      if (!sameUuids(first.found, second.found) || !sameUuids(first.twice, second.twice)) pin.taintListing(reason);
      else if (!sameTexts(first.found, second.found)) pin.taint(reason);
    }
    for (const [uuid, story] of first.found) {
      const slug = defaultSlug(story.value, edition.language);
      if (options.onlyVariants || isIncluded(slug, include)) stories.set(uuid, story);
    }
  }
  return { stories, unusable };

  async function sweep(direction: "asc" | "desc", prefix: string | undefined) {
    const twice = new Map<string, StoryText>();
    const fetchPage = async (page: number, perPage: number) => {
      const query = {
        ...editionQuery(edition, include.contentTypes),
        sort_by: [{ property: ["id"], direction, cast: "string" as const, nulls: "last" as const }],
        page,
        per_page: perPage,
        starts_with: prefix,
        only_variants: options.onlyVariants || undefined,
      };
      const read = await pinned.stories(query);
      unusable.push(...(read.faults ?? []).filter(({ isLeftOut }) => isLeftOut));
      const { once, again } = onceEach(read.records);
      for (const record of again) twice.set(record.value.uuid, record);
      const faults = again.map(({ value }) => duplicateFault(value, "uuid"));
      pinned.noteFaults(part, faults);
      return { ...read, records: once, faults: [...(read.faults ?? []), ...faults] };
    };
    const how = { what: `the story pages of ${edition.name}`, textOf: ({ text }: Listed) => text };
    const lists = await readVariedPages(options, fetchPage, how);
    const records = lists.flat();
    const found = new Map<string, StoryText>();
    for (const record of records) found.set(record.value.uuid, record);
    if (found.size !== records.length) pin.taintListing(`the story pages of ${edition.name} showed a story twice`);
    return { found, twice, isSeveral: lists.filter(({ length }) => length > 0).length > 1 };
  }
}

type Listed = Pick<StoryText, "text">;

export interface StoryPages {
  stories: Map<string, StoryText>;
  unusable: readonly RecordFault[];
}

/** The stories, plus stored ones that unusable records may be; all missing ones if unnamed. */
export async function withKeptStories(
  { stories, unusable }: StoryPages,
  before: AsyncIterable<KeyedLine>,
): Promise<StoryText[]> {
  const all = [...stories.values()];
  if (unusable.length === 0) return all;
  const named = new Set(unusable.map(({ uuid }) => uuid));
  for await (const { key, line } of before) {
    if (!stories.has(key) && (named.has(key) || named.has(undefined)))
      all.push({ text: line, value: parseStory(line) });
  }
  return all;
}

/** Records without duplicate uuids. If two differ, keeps the same one in every order. */
function onceEach(records: readonly StoryText[]) {
  const once = new Map<string, StoryText>();
  const again: StoryText[] = [];
  for (const record of records) {
    const other = once.get(record.value.uuid);
    const [kept, left] = other !== undefined && other.text <= record.text ? [other, record] : [record, other];
    once.set(record.value.uuid, kept);
    if (left !== undefined) again.push(left);
  }
  return { once: [...once.values()], again };
}

function sameTexts(a: Map<string, StoryText>, b: Map<string, StoryText>): boolean {
  for (const [uuid, story] of a) {
    if (b.get(uuid)?.text !== story.text) return false;
  }
  return true;
}
