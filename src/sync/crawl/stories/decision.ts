import { parseStory } from "../../../contract/parse-record.js";
import type { StoryHead, StoryRecord } from "../../../contract/records.js";
import { parseExact, printExact } from "../../../lib/json/exact-json.js";
import { baseEdition } from "../../../snapshot/base-edition.js";
import type { RecordText } from "../../upstream/answer.js";
import type { hasLostRecord, isMissing, isReadAnyway, neighbourIds, RoundStories } from "./decision-rules.js";
import type { IndexView, judge, StoryAnswer } from "./verdict.js";

/** Why stories are asked for. That decides what an answer means for other stories. */
export type AskingMode =
  /** Everything, and nothing is staged to compare it with. */
  | "first"
  /** Everything: no neighbour is left to be found. */
  | "everything"
  /** Only what the diff names: stories with another row, with none any more, pending or audited ones. */
  | "changed"
  /** What no row shows changed: a neighbour in a group, a story with a renamed tag. */
  | "unshown"
  /** What others name, and was not staged. */
  | "related";

/** One asking for stories. */
export interface Asking extends RoundStories {
  mode: AskingMode;
  /** Uuids of stories that an answer of an older cv told about. */
  outdated: Pick<ReadonlySet<string>, "has">;
}

/** An answer, and what it is compared with. */
export interface AskedStory extends StoryAnswer {
  /** False for a batch that fills an edition which is read for the first time: rows stay as they are. */
  decides: boolean;
  /** Nothing points to the story; it fills a batch to check the index. */
  audited: boolean;
  /** An earlier sync read it under the row that it has now, and it is looked at again. */
  again: boolean;
  /** The base edition's record as it is staged; undefined where there is none, or nothing is compared. */
  before: string | undefined;
  /** Its staged record in each edition, where it is audited, looked at again, or missing from an edition. */
  stagedRecords: readonly (string | undefined)[];
}

/** The rules that a decision follows. */
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
  /** Of the answer to a story that was unconfirmed last. */
  fingerprintOf(uuid: string): string | undefined;
  /** Whether the record is wanted: `source.include` wants its content type, or an included story names it. */
  isWanted(story: StoryHead): boolean;
}

/** What an answer leads to. */
export type AnswerDecision = {
  uuid: string;
  /** The id of a listed story that may be just coming or going: it does not fit, or the base edition lacks it. */
  inFlux: number | undefined;
} & (
  | {
      kind: "misfit";
      reason: string;
      audited: boolean;
      /** Of an answer that is believed once it comes again. */
      fingerprint?: string;
    }
  | {
      kind: "staged";
      /**
       * For each edition the record's line; null: the edition has no such story. Undefined: what is staged stays, because
       * the answer cannot be used.
       */
      records: (string | null | undefined)[];
      /** The story is there, and has no row that tells so: the staged one stays. */
      isUnlisted: boolean;
      /** Of an answer that may be of another moment. */
      fingerprint: string | undefined;
      /** Such an answer was not given before: what it stages waits for a clean round, or for the same answer again. */
      isUnconfirmed: boolean;
      /** The record differs or is gone although no row shows it. */
      auditHit: boolean;
      /** {@link isMissing} */
      isMissing: boolean;
      /** {@link hasLostRecord} */
      hasLostRecord: boolean;
      /** Of a story that is looked at once more: no edition differs from what is staged. */
      isAsBefore: boolean;
      /** What else a deciding batch leads to; undefined for one that only fills an edition. */
      effects: Effects | undefined;
    }
);

/** What a staged story means for its row, for its tags and for others. */
export interface Effects {
  /** Tags before and now; undefined where nothing is compared. */
  tags: { before: readonly string[]; now: readonly string[] } | undefined;
  /** Uuids of stories that share a group with this one, which differs, and that were not answered in this round. */
  neighbours: string[];
  /** Ids of the stories that its alternates name. */
  refersTo: number[];
}

/** Decides about one answer. Pure: what it leads to is staged by the ledger. */
export function decideAnswer(story: AskedStory, view: DecisionView): AnswerDecision {
  const { uuid, row, audited } = story;
  const verdict = view.rules.judge(story, view);
  if (verdict.kind === "misfit") return { uuid, kind: "misfit", reason: verdict.reason, audited, inFlux: row?.id };
  const isUnlisted =
    row === undefined && view.hasNamelessRows === true && story.records.some((record) => record !== undefined);
  const isGone = row === undefined && !isUnlisted;
  // It was asked for beside what differs, and nobody wants it. One that differs is staged until all is read that may name it.
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

function effectsOf(
  story: AskedStory,
  now: RecordText<StoryHead> | undefined,
  isLeftOut: boolean,
  view: DecisionView,
): Effects {
  if (isLeftOut) return { tags: undefined, neighbours: [], refersTo: [] };
  const { tags, neighbours } = change(story, now, view);
  return { tags, neighbours, refersTo: (now?.value.alternates ?? []).map(({ id }) => id) };
}

/** The record that stays where the one that was answered cannot be used. */
function stagedRecord(line: string | undefined): RecordText<StoryHead> | undefined {
  return line === undefined ? undefined : { text: line, value: parseStory(line) };
}

/** What a story that differs, or whose row does (an unpublished draft), means for its tags and its neighbours. */
function change(
  { before, audited, again }: AskedStory,
  now: RecordText<StoryHead> | undefined,
  { asking, rules, rowOfId }: DecisionView,
): Pick<Effects, "tags" | "neighbours"> {
  if (asking.mode === "first" || (audited && before === now?.text)) return { tags: undefined, neighbours: [] };
  const old = before === undefined ? undefined : parseStory(before);
  const tags = { before: old?.tag_list ?? [], now: now?.value.tag_list ?? [] };
  // The row of a story that was asked for a second time is as it was: only a record that differs speaks for others.
  const isSame = (asking.mode === "unshown" || again) && now !== undefined && sameOwnContent(before, now.text);
  if (asking.mode === "everything" || asking.mode === "related" || isSame) return { tags, neighbours: [] };
  const neighbours = rules
    .neighbourIds(old, now?.value)
    .map((id) => rowOfId(id)?.uuid)
    .filter((uuid) => uuid !== undefined && !rules.isReadAnyway(uuid, asking)) as string[];
  return { tags, neighbours };
}

/** Whether two records differ at most in what other stories and the space's tags decide, which has rules of its own. */
function sameOwnContent(a: string | undefined, b: string): boolean {
  return a === b || (a !== undefined && ownContent(a) === ownContent(b));
}

/** What is nested too deeply for the engine to print is the whole record. */
function ownContent(line: string): string {
  const { alternates: _alternates, tag_list: _tags, ...own } = parseExact(line) as StoryRecord;
  try {
    return printExact(own);
  } catch (error) {
    if (error instanceof RangeError) return line;
    throw error;
  }
}
