import { parseStory } from "../../../contract/parse-record.js";
import type { StoryHead, StoryRecord } from "../../../contract/records.js";
import { parseExact, printExact } from "../../../lib/json/exact-json.js";
import { baseEdition } from "../../../snapshot/manifest.js";
import type { StoryText } from "../../upstream/answer.js";
import type { hasLostRecord, isMissing, isReadAnyway, neighbourIds, RoundStories } from "./decision-rules.js";
import type { IndexView, judge, StoryAnswer } from "./verdict.js";

/** Why stories are requested. That decides what an answer means for other stories. */
export type AskingMode =
  /** Everything, and nothing is staged to compare with. */
  | "first"
  /** Everything: there are no other neighbours to find. */
  | "everything"
  /** Only stories of the diff, and pending or audited ones. */
  | "changed"
  /** Stories that no row shows changed: group neighbours, and stories with a renamed tag. */
  | "unshown"
  /** Stories that others name and that were not staged. */
  | "related";

export interface Asking extends RoundStories {
  mode: AskingMode;
  /** Uuids of stories in answers of an older cv. */
  outdated: Pick<ReadonlySet<string>, "has">;
}

/** An answer, and what it is compared with. */
export interface AskedStory extends StoryAnswer {
  /** False for a batch that only fills a new edition: rows stay unchanged. */
  decides: boolean;
  /** The story only fills a batch to check the index. */
  audited: boolean;
  /** An earlier sync read it under its present row, and it is checked again. */
  again: boolean;
  /** The staged record of the base edition; undefined if there is none, or nothing is compared. */
  before: string | undefined;
  /** Its staged record in each edition, if audited, checked again, or missing from one. */
  stagedRecords: readonly (string | undefined)[];
}

export interface DecisionRules {
  judge: typeof judge;
  neighbourIds: typeof neighbourIds;
  isReadAnyway: typeof isReadAnyway;
  isMissing: typeof isMissing;
  hasLostRecord: typeof hasLostRecord;
}

export interface DecisionView extends IndexView {
  asking: Asking;
  rules: DecisionRules;
  /** The fingerprint of the last unconfirmed answer to this story. */
  fingerprintOf(uuid: string): string | undefined;
  /** True if `source.include` selects the record's content type, or an included story names it. */
  isWanted(story: StoryHead): boolean;
}

export type AnswerDecision = {
  uuid: string;
  /** The id of a listed story that may come or go: a misfit, or missing in the base edition. */
  inFlux: number | undefined;
} & (
  | {
      kind: "misfit";
      reason: string;
      audited: boolean;
      /** Set if the same answer, once repeated, is to be believed. */
      fingerprint?: string;
    }
  | {
      kind: "staged";
      /** By edition; null: no such story there. Undefined: unusable, and the staged line stays. */
      records: (string | null | undefined)[];
      /** The story exists but has no row that shows it: the staged row stays. */
      isUnlisted: boolean;
      /** Set if the answer may be stale. */
      fingerprint: string | undefined;
      /** Such an answer is new: its stage waits for a clean round, or for the same answer again. */
      isUnconfirmed: boolean;
      /** The record differs or is gone although no row shows it. */
      auditHit: boolean;
      isMissing: boolean;
      hasLostRecord: boolean;
      /** For a story that is checked again: every edition equals the stage. */
      isAsBefore: boolean;
      /** The further effects of a deciding batch; undefined for one that only fills an edition. */
      effects: Effects | undefined;
    }
);

/** What a staged story means for its row, its tags and other stories. */
export interface Effects {
  /** Tags before and now; undefined if nothing is compared. */
  tags: { before: readonly string[]; now: readonly string[] } | undefined;
  /** Uuids of group neighbours of this changed story that were not answered in this round. */
  neighbours: string[];
  /** Ids of the stories that its alternates name. */
  refersTo: number[];
}

/** Decides about one answer. Pure: the ledger stages the result. */
export function decideAnswer(story: AskedStory, view: DecisionView): AnswerDecision {
  const { uuid, row, audited } = story;
  const verdict = view.rules.judge(story, view);
  if (verdict.kind === "misfit") return { uuid, kind: "misfit", reason: verdict.reason, audited, inFlux: row?.id };
  const isUnlisted =
    row === undefined && view.hasNamelessRows === true && story.records.some((record) => record !== undefined);
  const isGone = row === undefined && !isUnlisted;
  // An unwanted extra (audit or second look): staged only if it changed, until all that may name it are read.
  const isLeftOut = (audited || story.again) && story.records.some((record) => record && !view.isWanted(record.value));
  const records = story.records.map((record) =>
    isGone || isLeftOut ? null : record === null ? undefined : (record?.text ?? null),
  );
  const isMissing = !isLeftOut && view.rules.isMissing(story, view);
  const hasLostRecord = !isLeftOut && view.rules.hasLostRecord(story);
  const auditHit =
    audited &&
    (hasLostRecord ||
      records.some((line, at) => typeof line === "string" && !sameOwnContent(story.stagedRecords[at], line)));
  const isAsBefore =
    story.again &&
    !isMissing &&
    records.every((line, at) => line === undefined || line === (story.stagedRecords[at] ?? null));
  const fingerprint = verdict.kind === "unconfirmed" ? verdict.fingerprint : undefined;
  const isUnconfirmed = fingerprint !== undefined && view.fingerprintOf(uuid) !== fingerprint;
  if (hasLostRecord && isUnconfirmed && story.records.some((record) => record)) {
    const reason = `story ${uuid} has lost a translation, and its index row does not say why`;
    return { uuid, kind: "misfit", reason, audited, inFlux: undefined, fingerprint };
  }
  const answered = isGone ? undefined : story.records[story.editions.indexOf(baseEdition(story.editions))];
  const now = answered === null ? stagedRecord(story.before) : answered;
  return {
    uuid,
    kind: "staged",
    records,
    isUnlisted,
    fingerprint,
    isUnconfirmed,
    auditHit,
    isMissing,
    hasLostRecord,
    isAsBefore,
    effects: story.decides ? effectsOf(story, now, isLeftOut, view) : undefined,
    inFlux: story.decides && !isLeftOut && now === undefined ? row?.id : undefined,
  };
}

function effectsOf(story: AskedStory, now: StoryText | undefined, isLeftOut: boolean, view: DecisionView): Effects {
  if (isLeftOut) return { tags: undefined, neighbours: [], refersTo: [] };
  const { tags, neighbours } = change(story, now, view);
  return { tags, neighbours, refersTo: (now?.value.alternates ?? []).map(({ id }) => id) };
}

function stagedRecord(line: string | undefined): StoryText | undefined {
  return line === undefined ? undefined : { text: line, value: parseStory(line) };
}

/** The tags and neighbours affected by a changed story or row (an unpublished draft). */
function change(
  { before, audited, again }: AskedStory,
  now: StoryText | undefined,
  { asking, rules, rowOfId }: DecisionView,
): Pick<Effects, "tags" | "neighbours"> {
  if (asking.mode === "first" || (audited && before === now?.text)) return { tags: undefined, neighbours: [] };
  const old = before === undefined ? undefined : parseStory(before);
  const tags = { before: old?.tag_list ?? [], now: now?.value.tag_list ?? [] };
  // A story requested again has an unchanged row: only a record that differs affects others.
  const isSame = (asking.mode === "unshown" || again) && now !== undefined && sameOwnContent(before, now.text);
  if (asking.mode === "everything" || asking.mode === "related" || isSame) return { tags, neighbours: [] };
  const neighbours = rules
    .neighbourIds(old, now?.value)
    .map((id) => rowOfId(id)?.uuid)
    .filter((uuid) => uuid !== undefined && !rules.isReadAnyway(uuid, asking)) as string[];
  return { tags, neighbours };
}

/** True if two records are equal but for fields that other stories or the space's tags decide. */
function sameOwnContent(a: string | undefined, b: string): boolean {
  return a === b || (a !== undefined && ownContent(a) === ownContent(b));
}

/** If the record is nested too deeply for the engine to print, all of it. */
function ownContent(line: string): string {
  const { alternates: _alternates, tag_list: _tags, ...own } = parseExact(line) as StoryRecord;
  try {
    return printExact(own);
  } catch (error) {
    if (error instanceof RangeError) return line;
    throw error;
  }
}
