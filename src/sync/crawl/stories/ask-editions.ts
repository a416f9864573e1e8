import type { Config } from "../../../config/config.js";
import type { SortKey } from "../../../contract/sort.js";
import { defaultLanguage } from "../../../snapshot/manifest.js";
import type { RecordFault, StoryText } from "../../upstream/answer.js";
import { readPages, rowCount } from "../../upstream/pages.js";
import type { Index } from "../index/index-row.js";
import { askInPieces, type BatchSize } from "../run/batch-size.js";
import { askedTypes, type EditionSpec, editionQuery } from "../run/editions.js";
import type { PinnedUpstream } from "../run/pinned-upstream.js";
import type { Batch } from "./batches.js";
import { isUnpublishedIn } from "./verdict.js";

export interface EditionsAsk extends EditionAsk {
  rules: { askEdition: typeof askEdition };
  /** Which of these stories are staged in an edition. */
  stagedIn(edition: EditionSpec, uuids: ReadonlySet<string>): Promise<ReadonlySet<string>>;
}

/** Requests unexplained absences again under another address before it believes them. */
export async function askEditions(ask: EditionsAsk, { editions, uuids }: Batch): Promise<EditionAnswers[]> {
  const answers = await Promise.all(editions.map((edition) => ask.rules.askEdition(ask, edition, uuids)));
  return Promise.all(
    editions.map(async (edition, at) => {
      const found = answers[at] as EditionAnswers;
      const absent = uuids.filter((uuid) => !found.has(uuid) && isExpected(ask, edition, uuid, answers));
      if (absent.length === 0) return found;
      if (found.size > 0 && (await ask.stagedIn(edition, new Set(absent))).size === 0) return found;
      const again = await ask.rules.askEdition({ ...ask, variation: ask.variation + 1 }, edition, absent);
      return new Map([...found, ...again]);
    }),
  );
}

/** True if an edition should have a story: listed, in another edition, and not unpublished. */
function isExpected(
  { index }: EditionsAsk,
  edition: EditionSpec,
  uuid: string,
  answers: readonly EditionAnswers[],
): boolean {
  const row = index.get(uuid);
  if (row === undefined || isUnpublishedIn(row.value, edition)) return false;
  return answers.length === 1 || answers.some((found) => found.has(uuid));
}

export interface EditionAsk {
  pinned: PinnedUpstream;
  config: Config;
  readonly index: Index;
  /** Number of earlier rounds. Varies the URL, so that no edge serves the same old copy twice. */
  variation: number;
  /** Requested too, if the address must be new to every edge. */
  absentUuid: string | undefined;
  size: BatchSize;
  /** Receives the stories of a request that was answered at an older cv than the pin. */
  noteOutdated?(uuids: readonly string[]): void;
}

/** The stories of an edition, by uuid; null if the record is unusable. */
export type EditionAnswers = Map<string, StoryText | null>;

/** One language of a batch; a listed story that it lacks, unexplained, is requested again. */
export async function askEdition(
  ask: EditionAsk,
  edition: EditionSpec,
  uuids: readonly string[],
): Promise<EditionAnswers> {
  const found = await askOnce(ask, edition, uuids, ask.variation);
  const unexplained =
    edition.language === defaultLanguage && askedTypes(ask.config.source.include).length === 0
      ? uuids.filter((uuid) => !found.has(uuid) && ask.index.has(uuid))
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
  const askAgain = (some: readonly string[]) => askOnce(ask, edition, some, variation);
  const answers = await askInPieces(ask.size, uuids, async (piece) => {
    const answered = await askPiece(ask, edition, piece, variation);
    const found = await answersTo(piece, answered, ask.index, askAgain);
    const missing = answered.isPaged ? piece.filter((uuid) => !found.has(uuid)) : [];
    // If pages shift, a story may be on none of them. From now on a request asks for one page.
    if (missing.length < piece.length && missing.length > 0) return [...found, ...(await askAgain(missing))];
    return [...found];
  });
  return new Map(answers);
}

/** No more missing than unusable: these are they. Else asks by halves: only an answer without such a record counts. */
async function answersTo(
  uuids: readonly string[],
  { records, faults }: Answered,
  index: Index,
  askAgain: (uuids: readonly string[]) => Promise<EditionAnswers>,
): Promise<EditionAnswers> {
  const asked = new Set(uuids);
  const found: EditionAnswers = new Map();
  for (const record of records) {
    const { uuid } = record.value;
    if (asked.has(uuid) && !found.has(uuid)) found.set(uuid, record);
  }
  const unusable = faults.filter(({ isLeftOut }) => isLeftOut);
  const isNameless = (fault: RecordFault): boolean => {
    const uuid = fault.uuid ?? uuids.find((one) => fault.id !== undefined && index.get(one)?.id === fault.id);
    if (uuid === undefined || !asked.has(uuid)) return uuid === undefined;
    if (!found.has(uuid)) found.set(uuid, null);
    return false;
  };
  const nameless = unusable.filter(isNameless).length;
  const missing = uuids.filter((uuid) => !found.has(uuid));
  if (nameless === 0 || missing.length === 0) return found;
  if (missing.length <= nameless) {
    for (const uuid of missing) found.set(uuid, null);
    return found;
  }
  const half = Math.ceil(missing.length / 2);
  for (const some of [missing.slice(0, half), missing.slice(half)]) {
    for (const [uuid, story] of await askAgain(some)) found.set(uuid, story);
  }
  return found;
}

interface Answered {
  records: StoryText[];
  faults: readonly RecordFault[];
  isPaged: boolean;
}

/** One request, or more if the server sends smaller pages than requested. */
async function askPiece(
  ask: EditionAsk,
  edition: EditionSpec,
  uuids: readonly string[],
  variation: number,
): Promise<Answered> {
  const perPage = ask.size.stories;
  const call = { splits: uuids.length > 1 };
  const sort = sortVariations[variation % sortVariations.length];
  const base = {
    ...editionQuery(edition, askedTypes(ask.config.source.include)),
    by_uuids: ask.absentUuid === undefined ? [...uuids] : [...uuids, ask.absentUuid],
    sort_by: sort === undefined ? undefined : [sort],
  };
  const faults: RecordFault[] = [];
  const fetchPage = async (page: number, per_page: number) => {
    const read = await ask.pinned.stories({ ...base, page, per_page }, call);
    faults.push(...(read.faults ?? []));
    if (read.isOutdated) ask.noteOutdated?.(uuids);
    return read;
  };
  const first = await fetchPage(1, perPage);
  // Without Total, a short page may be everything, or as much as the upstream sends: readPages decides.
  const rows = rowCount(first);
  const isFull = rows >= (first.perPage ?? perPage);
  const complete = rows >= uuids.length || (first.total !== null && rows >= first.total && !isFull);
  if (first.perPage !== null && first.perPage > 0) {
    ask.size.limit(first.perPage, `the upstream sends pages of ${first.perPage}.`);
  }
  const records = complete
    ? first.records
    : await readPages(perPage, async (page, size) => (page === 1 ? first : fetchPage(page, size)));
  const isPaged = records.length > first.records.length;
  if (isPaged) ask.size.limit(rows, `the upstream sends pages of ${rows}.`);
  return { records, faults, isPaged };
}

/** Orders that make the same query another URL, and so another cache key. */
const sortVariations: readonly (SortKey | undefined)[] = [
  undefined,
  { property: ["id"], direction: "asc", cast: "string", nulls: "last" },
  { property: ["id"], direction: "desc", cast: "string", nulls: "last" },
  { property: ["slug"], direction: "asc", cast: "string", nulls: "last" },
  { property: ["slug"], direction: "desc", cast: "string", nulls: "last" },
];

/** A uuid that no story has; a different one for every number. */
export function uuidOfNoStory(number: number): string {
  return `00000000-0000-0000-0000-${number.toString(16).padStart(12, "0")}`;
}
