import type { Config } from "../config/config.js";
import type { StoryRecord } from "../contract/records.js";
import type { SortKey } from "../contract/sort.js";
import { parts } from "../snapshot/layout.js";
import type { RecordText } from "../upstream/answer.js";
import { readPages } from "../upstream/pages.js";
import type { Upstream } from "../upstream/upstream.js";
import { disagreement } from "./agree.js";
import { defaultLanguage, type EditionSpec } from "./editions.js";
import type { Index } from "./index-row.js";
import type { Pin } from "./pin.js";
import { type Batch, storiesPerPage } from "./plan.js";
import { inScope } from "./scope.js";
import { editionQuery } from "./story-query.js";
import type { Workspace } from "./workspace.js";

export interface StoryAsk {
  upstream: Upstream;
  pin: Pin;
  config: Config;
  workspace: Workspace;
  index: Index;
  /** Rounds of this run before this one: it varies the URL, so that no edge answers twice with the same old copy. */
  round: number;
  /** Called for every batch that was answered, with the stories of it that are staged. */
  onAnswer(batch: Batch, settled: readonly string[]): void;
}

/** What the answers to all batches came to. */
export interface StoryAnswers {
  /** Asked, agreed and staged. */
  settled: Set<string>;
  /** Asked, but the answer does not fit the index: to be asked again. */
  unsettled: Set<string>;
  /** New records of the default language by uuid, as far as they were asked for by deciding batches. */
  records: Map<string, StoryRecord>;
  /** Audited stories that differ although their line does not. */
  auditHits: string[];
}

type EditionAnswers = Map<string, RecordText<StoryRecord>>;

/**
 * Asks for every batch in every of its languages and stages what agrees with the index: the record (or its absence)
 * and, for deciding batches, the line under which it was asked. A story that does not agree spoils the round and keeps
 * its old line, so that the next round asks for it again.
 */
export async function askStories(ask: StoryAsk, batches: readonly Batch[]): Promise<StoryAnswers> {
  const answers: StoryAnswers = { settled: new Set(), unsettled: new Set(), records: new Map(), auditHits: [] };
  const failures: unknown[] = [];
  const waiting = [...batches];
  const worker = async (): Promise<void> => {
    for (let batch = waiting.shift(); batch !== undefined && failures.length === 0; batch = waiting.shift()) {
      try {
        await askBatch(ask, batch, answers);
        if (ask.workspace.full) await ask.workspace.fold();
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: ask.config.queue.concurrency }, worker));
  if (failures.length > 0) throw failures[0];
  return answers;
}

async function askBatch(ask: StoryAsk, batch: Batch, answers: StoryAnswers): Promise<void> {
  const byEdition = await Promise.all(batch.editions.map((edition) => askEdition(ask, edition, batch.uuids)));
  const audited = await auditedLines(ask.workspace, batch);
  for (const uuid of batch.uuids) {
    if (!agrees(ask, batch, uuid, byEdition)) {
      answers.unsettled.add(uuid);
      continue;
    }
    answers.settled.add(uuid);
    for (const [at, edition] of batch.editions.entries()) {
      const story = byEdition[at]?.get(uuid);
      const line = ask.index.has(uuid) ? (story?.text ?? null) : null;
      if (batch.audit.has(uuid) && audited[at]?.get(uuid) !== line && line !== null) answers.auditHits.push(uuid);
      ask.workspace.set(parts.stories(edition.name), uuid, line);
      if (batch.decides && edition.language === defaultLanguage && story !== undefined) {
        answers.records.set(uuid, story.value);
      }
    }
    if (batch.decides) ask.workspace.set(parts.links(batch.version), uuid, ask.index.get(uuid)?.text ?? null);
  }
  ask.onAnswer(
    batch,
    batch.uuids.filter((uuid) => answers.settled.has(uuid)),
  );
}

/** Whether all languages of a story fit its line; a story without a line has to be missing from all of them. */
function agrees(ask: StoryAsk, batch: Batch, uuid: string, byEdition: readonly EditionAnswers[]): boolean {
  const row = ask.index.get(uuid);
  for (const [at, edition] of batch.editions.entries()) {
    const story = byEdition[at]?.get(uuid)?.value;
    if (story === undefined) continue;
    if (row === undefined) {
      if (!inScope(story.default_full_slug ?? story.full_slug, ask.config.source.include)) continue;
      ask.pin.spoil(`story ${uuid} is missing from the index and still answered`);
      return false;
    }
    const reason = disagreement(story, row, batch.version, edition.language);
    if (reason !== undefined) {
      ask.pin.spoil(`story ${uuid} (${edition.name}) does not fit the index: ${reason}`);
      return false;
    }
  }
  return true;
}

/**
 * One language of a batch. A listed story that the default language lacks, with no filter to explain it, is asked for
 * once more under another URL before its absence is believed.
 */
async function askEdition(ask: StoryAsk, edition: EditionSpec, uuids: readonly string[]): Promise<EditionAnswers> {
  const found = await askOnce(ask, edition, uuids, ask.round);
  const unexplained =
    edition.language === defaultLanguage && ask.config.source.include.contentTypes.length === 0
      ? uuids.filter((uuid) => ask.index.has(uuid) && !found.has(uuid))
      : [];
  if (unexplained.length > 0) {
    for (const [uuid, story] of await askOnce(ask, edition, unexplained, ask.round + 1)) found.set(uuid, story);
  }
  return found;
}

async function askOnce(
  ask: StoryAsk,
  edition: EditionSpec,
  uuids: readonly string[],
  variation: number,
): Promise<EditionAnswers> {
  const perPage = storiesPerPage(ask.config);
  const sort = sortVariations[variation % sortVariations.length];
  const base = {
    ...editionQuery(edition, ask.config.source.include),
    by_uuids: [...uuids],
    ...(sort === undefined ? {} : { sort_by: [sort] }),
  };
  const fetchPage = async (page: number, per_page: number) => {
    const query = { ...base, page, per_page };
    const answer =
      edition.version === "published"
        ? await ask.pin.read((cv) => ask.upstream.stories(cv === undefined ? query : { ...query, cv }))
        : await ask.pin.readUnpinned(() => ask.upstream.stories(query));
    return answer.body;
  };
  const first = await fetchPage(1, perPage);
  const complete = first.records.length >= uuids.length || first.records.length >= (first.total ?? 0);
  const shortPage = first.records.length < Math.min(perPage, first.perPage ?? perPage);
  const records =
    complete && (first.total !== null || shortPage || first.records.length >= uuids.length)
      ? first.records
      : await readPages(perPage, async (page, size) => (page === 1 ? first : fetchPage(page, size)));
  const asked = new Set(uuids);
  const found: EditionAnswers = new Map();
  for (const record of records) {
    if (asked.has(record.value.uuid)) found.set(record.value.uuid, record);
  }
  return found;
}

/** Orders that make the same question another URL, and so another cache key. */
const sortVariations: readonly (SortKey | undefined)[] = [
  undefined,
  { property: ["id"], direction: "asc", cast: "string", nulls: "last" },
  { property: ["id"], direction: "desc", cast: "string", nulls: "last" },
  { property: ["slug"], direction: "asc", cast: "string", nulls: "last" },
  { property: ["slug"], direction: "desc", cast: "string", nulls: "last" },
];

async function auditedLines(workspace: Workspace, batch: Batch): Promise<Map<string, string>[]> {
  const audit = new Set(batch.uuids.filter((uuid) => batch.audit.has(uuid)));
  if (audit.size === 0) return [];
  return Promise.all(batch.editions.map((edition) => workspace.lines(parts.stories(edition.name), audit)));
}
