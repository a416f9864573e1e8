import type { Config } from "../config/config.js";
import type { StoryRecord } from "../contract/records.js";
import type { SortKey } from "../contract/sort.js";
import { defaultLanguage } from "../snapshot/base-edition.js";
import type { RecordText } from "../upstream/answer.js";
import { readPages } from "../upstream/pages.js";
import { askInPieces, type BatchSize } from "./batch-size.js";
import type { EditionSpec } from "./editions.js";
import type { Index } from "./index-row.js";
import type { PinnedUpstream } from "./pinned-upstream.js";
import { editionQuery } from "./story-query.js";

/** What asking for the stories of one edition takes. */
export interface EditionAsk {
  pinned: PinnedUpstream;
  config: Config;
  index: Index;
  /** Varies the URL, so that no edge answers twice with the same old copy: rounds of this crawl before this one. */
  variation: number;
  /** Asked for too, where the address has to be one that no edge has an answer to. */
  absentUuid: string | undefined;
  size: BatchSize;
}

/** The stories that an edition has, by uuid. */
export type EditionAnswers = Map<string, RecordText<StoryRecord>>;

/**
 * One language of a batch. A listed story that the default language lacks, with no filter to explain it, is asked for
 * once more under another URL before its absence is believed.
 */
export async function askEdition(
  ask: EditionAsk,
  edition: EditionSpec,
  uuids: readonly string[],
): Promise<EditionAnswers> {
  const found = await askOnce(ask, edition, uuids, ask.variation);
  const unexplained =
    edition.language === defaultLanguage && ask.config.source.include.contentTypes.length === 0
      ? uuids.filter((uuid) => ask.index.has(uuid) && !found.has(uuid))
      : [];
  if (unexplained.length > 0) {
    for (const [uuid, story] of await askOnce(ask, edition, unexplained, ask.variation + 1)) found.set(uuid, story);
  }
  return found;
}

async function askOnce(
  ask: EditionAsk,
  edition: EditionSpec,
  uuids: readonly string[],
  variation: number,
): Promise<EditionAnswers> {
  const records = await askInPieces(ask.size, uuids, (piece) => askPiece(ask, edition, piece, variation));
  const asked = new Set(uuids);
  const found: EditionAnswers = new Map();
  for (const record of records) {
    if (asked.has(record.value.uuid)) found.set(record.value.uuid, record);
  }
  return found;
}

/** One request, or more where the server sends smaller pages than it was asked for. */
async function askPiece(
  ask: EditionAsk,
  edition: EditionSpec,
  uuids: readonly string[],
  variation: number,
): Promise<RecordText<StoryRecord>[]> {
  const perPage = ask.size.stories;
  const call = { splits: uuids.length > 1 };
  const sort = sortVariations[variation % sortVariations.length];
  const base = {
    ...editionQuery(edition, ask.config.source.include),
    by_uuids: ask.absentUuid === undefined ? [...uuids] : [...uuids, ask.absentUuid],
    sort_by: sort === undefined ? undefined : [sort],
  };
  const fetchPage = (page: number, per_page: number) => ask.pinned.stories({ ...base, page, per_page }, call);
  const first = await fetchPage(1, perPage);
  // Without Total a short page may be all there is, or as much as the upstream sends at once: that is for readPages to say.
  const rows = first.records.length;
  const isFull = rows >= (first.perPage ?? perPage);
  const complete = rows >= uuids.length || (first.total !== null && rows >= first.total && !isFull);
  if (first.perPage !== null && first.perPage > 0) {
    ask.size.limit(first.perPage, `the upstream sends pages of ${first.perPage}.`);
  }
  return complete
    ? first.records
    : readPages(perPage, async (page, size) => (page === 1 ? first : fetchPage(page, size)), { confirmsEnd: true });
}

/** Orders that make the same question another URL, and so another cache key. */
const sortVariations: readonly (SortKey | undefined)[] = [
  undefined,
  { property: ["id"], direction: "asc", cast: "string", nulls: "last" },
  { property: ["id"], direction: "desc", cast: "string", nulls: "last" },
  { property: ["slug"], direction: "asc", cast: "string", nulls: "last" },
  { property: ["slug"], direction: "desc", cast: "string", nulls: "last" },
];
