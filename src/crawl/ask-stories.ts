import type { Version } from "../config/config.js";
import type { StoryRecord } from "../contract/records.js";
import { parts } from "../snapshot/layout.js";
import type { RecordText } from "../upstream/answer.js";
import { disagreement } from "./agree.js";
import { askEdition, type EditionAnswers, type EditionAsk } from "./ask-edition.js";
import { answerMark, isDoubtful, type StoryAnswer } from "./doubt.js";
import { defaultLanguage, type EditionSpec } from "./editions.js";
import type { IndexRow } from "./index-row.js";
import type { Batch } from "./plan.js";
import { defaultSlug, inScope } from "./scope.js";
import type { Workspace } from "./workspace.js";

export interface StoryAsk extends EditionAsk {
  workspace: Workspace;
  /** Uuids that deciding batches of this round ask for. */
  asked: ReadonlySet<string>;
  /** Stories whose line was taken away until they are asked for: kept up to date here. */
  unlined: Set<string>;
  /** Stories whose answer may be of another moment: their line waits for a clean round. Kept up to date here. */
  doubtful: Map<string, string>;
  /** What was doubtful before, by uuid: doubtful twice in the same way is how it is. */
  doubted: Map<string, string>;
  /** Which stories name a story, by its id, in their alternates, as far as this run read them. Kept up to date here. */
  namedBy: Map<number, Set<string>>;
  /** The line of a story of the index by its id. */
  rowOfId(id: number): IndexRow | undefined;
  /** Whether there may be something staged or stored to compare answers with. */
  comparesBefore: boolean;
  /** Whether the neighbours of stories that differ are looked for; needless where everything is asked for. */
  findsNeighbours: boolean;
  /** Whether the lines of what is asked for are as they were: then only a story that itself differs has neighbours. */
  isSecondLook: boolean;
  /** Called for every batch that was answered, with the stories of it that are staged. */
  onAnswer(batch: Batch, settled: readonly string[]): void;
}

/** What the answers to all batches came to. */
export interface StoryAnswers {
  /** Asked, agreed and staged. */
  settled: Set<string>;
  /** Asked, but the answer does not fit the index: to be asked again. */
  unsettled: Set<string>;
  /** Ids of listed stories whose answer does not fit, or that are missing: they may be just coming or going. */
  shaky: Set<number>;
  /** Stories that share a group with one that differs, and were not asked for; their lines are taken away until they are. */
  neighbours: Set<string>;
  /** By tag: how many more of the stories that were read carry it. */
  tagDelta: Map<string, number>;
  /** Audited stories that differ although their line does not. */
  auditHits: string[];
}

/**
 * Asks for every batch in every of its languages and stages what agrees with the index: the record (or its absence)
 * and, for deciding batches, the line under which it was asked. A story that does not agree spoils the round and keeps
 * its old line, so that the next round asks for it again.
 */
export async function askStories(ask: StoryAsk, batches: readonly Batch[]): Promise<StoryAnswers> {
  const answers: StoryAnswers = {
    settled: new Set(),
    unsettled: new Set(),
    shaky: new Set(),
    neighbours: new Set(),
    tagDelta: new Map(),
    auditHits: [],
  };
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
  const before = await linesBefore(ask, batch);
  for (const uuid of batch.uuids) {
    const row = ask.index.get(uuid);
    if (!agrees(ask, batch, uuid, byEdition)) {
      answers.unsettled.add(uuid);
      if (row !== undefined) answers.shaky.add(row.id);
      continue;
    }
    answers.settled.add(uuid);
    for (const [at, edition] of batch.editions.entries()) {
      const line = row === undefined ? null : (byEdition[at]?.get(uuid)?.text ?? null);
      if (batch.audit.has(uuid) && line !== null && !sameOwnContent(audited[at]?.get(uuid), line)) {
        answers.auditHits.push(uuid);
      }
      ask.workspace.set(parts.stories(edition.name), uuid, line);
    }
    if (!batch.decides) continue;
    const now =
      row === undefined ? undefined : byEdition[batch.editions.indexOf(baseEdition(batch.editions))]?.get(uuid);
    noteChange(ask, batch, answers, uuid, before.get(uuid), now);
    if (row !== undefined && now === undefined) answers.shaky.add(row.id);
    for (const { id } of now?.value.alternates ?? []) ask.namedBy.set(id, (ask.namedBy.get(id) ?? new Set()).add(uuid));
    if (
      row !== undefined &&
      isInDoubt(ask, { row, editions: batch.editions, records: byEdition.map((found) => found.get(uuid)) })
    ) {
      takeLine(ask, batch.version, uuid);
      ask.doubtful.set(uuid, row.text);
      continue;
    }
    ask.workspace.set(parts.links(batch.version), uuid, row?.text ?? null);
    ask.unlined.delete(uuid);
  }
  ask.onAnswer(
    batch,
    batch.uuids.filter((uuid) => answers.settled.has(uuid)),
  );
}

function isInDoubt(ask: StoryAsk, answer: StoryAnswer): boolean {
  if (!isDoubtful(answer, ask.config.source.include, ask.rowOfId)) return false;
  const { uuid } = answer.row;
  const mark = answerMark(answer);
  if (ask.doubted.get(uuid) === mark) return false;
  ask.doubted.set(uuid, mark);
  return true;
}

/** Whether two records differ at most in what other stories and the space's tags decide, which has rules of its own. */
function sameOwnContent(a: string | undefined, b: string): boolean {
  return a === b || (a !== undefined && ownContent(a) === ownContent(b));
}

function ownContent(line: string): string {
  const { alternates: _alternates, tag_list: _tags, ...own } = JSON.parse(line) as StoryRecord;
  return JSON.stringify(own);
}

/** The edition whose records tell tags and alternates: the default language, where it is read. */
export function baseEdition(editions: readonly EditionSpec[]): EditionSpec {
  return editions.find(({ language }) => language === defaultLanguage) ?? (editions[0] as EditionSpec);
}

/** The stories of a batch as they were staged or stored before it. */
async function linesBefore({ workspace, comparesBefore }: StoryAsk, batch: Batch): Promise<Map<string, string>> {
  if (!comparesBefore || !batch.decides) return new Map();
  return workspace.lines(parts.stories(baseEdition(batch.editions).name), new Set(batch.uuids));
}

/**
 * What a story that differs, or whose line does (an unpublished draft), means for others. Its neighbours lose their line
 * in the same moment in which its own is staged, so that no interruption can forget them.
 */
function noteChange(
  ask: StoryAsk,
  batch: Batch,
  answers: StoryAnswers,
  uuid: string,
  before: string | undefined,
  now: RecordText<StoryRecord> | undefined,
): void {
  if (before === now?.text && batch.audit.has(uuid)) return;
  const old = before === undefined ? undefined : (JSON.parse(before) as StoryRecord);
  for (const name of old?.tag_list ?? []) answers.tagDelta.set(name, (answers.tagDelta.get(name) ?? 0) - 1);
  for (const name of now?.value.tag_list ?? []) answers.tagDelta.set(name, (answers.tagDelta.get(name) ?? 0) + 1);
  if (!ask.findsNeighbours) return;
  if (ask.isSecondLook && now !== undefined && sameOwnContent(before, now.text)) return;
  for (const { id } of [...(old?.alternates ?? []), ...(now?.value.alternates ?? [])]) {
    const neighbour = ask.rowOfId(id)?.uuid;
    if (neighbour === undefined || ask.asked.has(neighbour)) continue;
    answers.neighbours.add(neighbour);
    takeLine(ask, batch.version, neighbour);
  }
}

/** Takes the index line of a story away, so that the next round asks for it, whatever becomes of this one. */
export function takeLine(
  { workspace, unlined }: Pick<StoryAsk, "workspace" | "unlined">,
  version: Version,
  uuid: string,
) {
  workspace.set(parts.links(version), uuid, null);
  unlined.add(uuid);
}

/** Whether all languages of a story fit its line; a story without a line has to be missing from all of them. */
function agrees(ask: StoryAsk, batch: Batch, uuid: string, byEdition: readonly EditionAnswers[]): boolean {
  const row = ask.index.get(uuid);
  for (const [at, edition] of batch.editions.entries()) {
    const story = byEdition[at]?.get(uuid)?.value;
    if (story === undefined) continue;
    if (row === undefined) {
      if (!inScope(defaultSlug(story, edition.language), ask.config.source.include)) continue;
      ask.pinned.pin.spoil(`story ${uuid} is missing from the index and still answered`);
      return false;
    }
    const reason = disagreement(story, row, batch.version, edition.language);
    if (reason !== undefined) {
      ask.pinned.pin.spoil(`story ${uuid} (${edition.name}) does not fit the index: ${reason}`);
      return false;
    }
  }
  return true;
}

async function auditedLines(workspace: Workspace, batch: Batch): Promise<Map<string, string>[]> {
  const audit = new Set(batch.uuids.filter((uuid) => batch.audit.has(uuid)));
  if (audit.size === 0) return [];
  return Promise.all(batch.editions.map((edition) => workspace.lines(parts.stories(edition.name), audit)));
}
