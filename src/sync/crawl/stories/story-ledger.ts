import type { Config, Version } from "../../../config/config.js";
import type { LinkRecord, StoryHead } from "../../../contract/records.js";
import { parts as partNames } from "../../../snapshot/layout.js";
import { baseEdition } from "../../../snapshot/manifest.js";
import type { SecondLook } from "../../../snapshot/state.js";
import type { RecordText } from "../../upstream/answer.js";
import { type IndexRow, storyUuids } from "../index/index-row.js";
import { VersionIndex } from "../index/version-index.js";
import { type EditionSpec, isIncludedType } from "../run/editions.js";
import type { Workspace } from "../run/workspace.js";
import type { EditionAnswers } from "./ask-editions.js";
import { Audit, Backlog, type Batch } from "./batches.js";
import { type AnswerDecision, type AskedStory, type Asking, type DecisionRules, decideAnswer } from "./decision.js";
import { type isSeenAgain, ReadLog } from "./read-log.js";
import { AcrossRounds, StoryStates } from "./story-states.js";
import { TagLedger } from "./tags.js";

export interface Accepted {
  staged: string[];
  /** Why each other story does not fit the index: the round is unclean, the next one retries. */
  misfits: string[];
  /** Ids of listed stories that appear or disappear right now, as far as the answers show. */
  inFlux: number[];
  /** Group neighbours of stories that differ: pending, this round has not requested them. */
  neighbours: string[];
  auditHits: string[];
}

/** The part of a ledger that a later sync continues from. */
export interface VersionStage {
  /** By edition: its settings, and the uuid up to which it was filled (null: see missing rows). */
  editions: Record<string, { settings: string; readUntil: string | null }>;
  tagDelta: Record<string, number>;
  /** Uuids to request again: staged without their row, or lost by an edition without a reason. */
  pending: string[];
  /** Uuids of stories that were read; null for all of them. */
  read: string[] | null;
}

export interface LedgerOptions {
  version: Version;
  editions: readonly EditionSpec[];
  due: boolean;
  first: boolean;
  full: boolean;
  /** By edition that is read for the first time: the uuid up to which it was read. */
  backlogs: ReadonlyMap<string, string>;
  staged: Pick<VersionStage, "pending" | "tagDelta" | "read">;
  /** Earlier readings that this sync checks again. */
  looks: readonly SecondLook[];
  auditCursor: string | undefined;
  workspace: Workspace;
  include: Config["source"]["include"];
  rules: DecisionRules & { isSeenAgain: typeof isSeenAgain };
}

/** The only writer of one version's stories and links: decides what answers mean, and knows what to request. */
export class StoryLedger {
  readonly version: Version;
  readonly editions: readonly EditionSpec[];
  readonly due: boolean;
  /** True if the generation began without it: everything is requested, and nothing is audited. */
  readonly first: boolean;
  readonly index: VersionIndex;
  readonly tags: TagLedger;
  readonly audit: Audit;
  readonly readLog: ReadLog;
  /** By name: editions that are read for the first time while the index rows are staged already. */
  readonly backlogs: ReadonlyMap<string, Backlog>;
  readonly rounds = new AcrossRounds();
  /** True if the upstream has no links listing: the rows come from the stories themselves. */
  derived = false;
  readonly #options: LedgerOptions;
  readonly #states: StoryStates;
  /** Stories lost by an edition or missing in the default language: a later sync retries them. */
  readonly #lost: Set<string>;
  /** Story id → uuids of stories whose alternates name it, among those that this crawl has read. */
  readonly #referrers = new Map<number, Set<string>>();
  #full: boolean;

  constructor(options: LedgerOptions) {
    const { version, workspace, backlogs, staged } = options;
    this.version = version;
    this.editions = options.editions;
    this.due = options.due;
    this.first = options.first;
    this.index = new VersionIndex(version, workspace);
    this.tags = new TagLedger(staged.tagDelta);
    this.audit = new Audit(options.auditCursor);
    this.backlogs = new Map([...backlogs].map(([edition, readUntil]) => [edition, new Backlog(readUntil)]));
    this.#options = options;
    this.#states = new StoryStates(staged.pending);
    this.#lost = new Set(staged.pending);
    this.readLog = new ReadLog(staged.read, options.looks);
    this.#full = options.full;
  }

  /** True during a full reading: requested, or an audit found a change that no row showed. */
  get full(): boolean {
    return this.#full;
  }

  /** Stories that are staged without their row: the pending and the unconfirmed ones. */
  get withoutRow(): string[] {
    return this.#states.withoutRow();
  }

  /** Requests again what was read under the same row earlier. The workspace must be folded. */
  async lookAgain(uuids: Iterable<string>): Promise<void> {
    const { rows } = await this.index.staged();
    for (const uuid of uuids) {
      if (!this.#options.rules.isSeenAgain(this.index.rows.get(uuid), rows.get(uuid))) continue;
      this.readLog.again.add(uuid);
      this.requeue(uuid);
    }
  }

  async stagedIn(edition: EditionSpec, uuids: ReadonlySet<string>): Promise<ReadonlySet<string>> {
    return new Set((await this.#staged(edition, uuids)).keys());
  }

  /** Begins a round: what the last round could not confirm must be requested again. */
  openRound(): void {
    for (const { uuid, row } of this.#states.unconfirmed()) this.#states.set(uuid, { kind: "pending", row });
    this.rounds.openRound();
  }

  /** At the end. An unclean commit needs a row for every record; the next sync requests what is not confirmed. */
  confirmRows(isClean: boolean): void {
    for (const uuid of this.rounds.removableFolders(isClean)) this.stageRow(uuid, null);
    for (const { uuid, row } of isClean ? this.#states.unconfirmed() : this.#states.withKnownRow()) {
      this.stageRow(uuid, row.text);
      if (isClean) this.#states.set(uuid, { kind: "confirmed" });
    }
  }

  /** Removes a staged row: the next round requests the story, even if this one fails. */
  requeue(uuid: string): void {
    this.stageRow(uuid, null);
    this.#states.set(uuid, { kind: "pending", row: this.index.rows.get(uuid) });
  }

  /** Removes an excluded story that no story names; its row stays if its slug is wanted. */
  leaveOut(uuid: string): void {
    for (const { name } of this.editions) this.#options.workspace.set(partNames.stories(name), uuid, null);
    if (this.index.rows.has(uuid)) return;
    this.stageRow(uuid, null);
    this.#states.set(uuid, { kind: "confirmed" });
  }

  /** Requests a story again in the same round, if the same answer would confirm nothing. */
  askAnew(uuid: string): void {
    this.requeue(uuid);
    this.#states.set(uuid, this.#states.of(uuid), "");
  }

  /** Requests everything in the next round: an audit has shown that the index misses changes. */
  readAnew(): void {
    this.#full = true;
    this.rounds.readAnew();
    for (const uuid of storyUuids(this.index.rows)) {
      if (this.#states.of(uuid).kind === "confirmed") this.#states.set(uuid, { kind: "pending", row: undefined });
    }
    this.#options.workspace.adopt(partNames.links(this.version), undefined);
  }

  /** Copies folder rows; null: gone. Nobody can request them: they stay until the end. */
  stageFolders(folders: ReadonlyMap<string, string | null>): void {
    for (const [uuid, text] of folders) {
      if (text === null) this.rounds.noteGoneFolder(uuid);
      else this.stageRow(uuid, text);
    }
  }

  /** Decides what the answers to a batch mean, and stages it. Answers are by edition. */
  async accept(batch: Batch, answers: readonly EditionAnswers[], asking: Asking): Promise<Accepted> {
    const stories = await this.#askedStories(batch, answers, asking);
    const findsNeighbours = asking.mode === "changed" || asking.mode === "unshown";
    if (batch.decides && findsNeighbours) for (const { uuid } of stories) asking.answered.add(uuid);
    const { include, rules } = this.#options;
    const { rowOfId } = this.index;
    const { hasNamelessRows } = this.index.swept;
    const fingerprintOf = (uuid: string) => this.#states.fingerprintOf(uuid);
    const isWanted = (story: StoryHead) => isIncludedType(story, include) || this.index.isRelated(story.uuid);
    const view = { version: this.version, include, rowOfId, hasNamelessRows, asking, rules, fingerprintOf, isWanted };
    const decisions = stories.map((story) => decideAnswer(story, view));
    this.readLog.noteBatch(batch, asking, decisions);
    return this.#stage(batch, stories, decisions);
  }

  /** Stories whose alternates name one of these may have been read before it came or went. */
  doubtReferrers(inFlux: Iterable<number>): void {
    for (const id of inFlux) {
      for (const uuid of this.#referrers.get(id) ?? []) {
        const row = this.index.rows.get(uuid);
        if (row !== undefined && this.#states.of(uuid).kind === "confirmed") this.#holdRow(uuid, row);
      }
    }
  }

  /** Replaces all stories of an edition that no index shows. */
  replaceStories({ name }: EditionSpec, lines: readonly string[]): Promise<void> {
    return this.#options.workspace.replace(partNames.stories(name), lines);
  }

  /** Replaces the index by rows that were derived from the stories. */
  async replaceIndex(links: readonly RecordText<LinkRecord>[]): Promise<void> {
    this.index.derive(links);
    await this.#options.workspace.replace(
      partNames.links(this.version),
      links.map(({ text }) => text),
    );
  }

  /** What a later sync continues from; the workspace must be folded. */
  toStage(): VersionStage {
    const editions: VersionStage["editions"] = {};
    for (const { name, settings } of this.editions) {
      const readUntil = this.backlogs.get(name)?.readUntil(storyUuids(this.index.rows)) ?? null;
      editions[name] = { settings, readUntil };
    }
    const read = this.readLog.toStage();
    const pending = [...new Set([...this.withoutRow, ...this.#lost])].sort();
    return { editions, tagDelta: Object.fromEntries(this.tags.delta), pending, read };
  }

  /** The stories of a batch, with their answers and the staged records to compare them with. */
  async #askedStories(batch: Batch, answers: readonly EditionAnswers[], asking: Asking): Promise<AskedStory[]> {
    const { editions, decides, uuids } = batch;
    const audit = new Set(uuids.filter((uuid) => batch.audit.has(uuid)));
    const isLacking = (uuid: string) => asking.mode !== "first" && answers.some((found) => !found.has(uuid));
    const isCompared = (uuid: string) => audit.has(uuid) || this.readLog.again.has(uuid) || isLacking(uuid);
    const whole = new Set(uuids.filter(isCompared));
    const staged = await Promise.all(editions.map((edition) => this.#staged(edition, whole)));
    const compared = new Set(decides && asking.mode !== "first" ? uuids : []);
    const before = await this.#staged(baseEdition(editions), compared);
    return uuids.map((uuid) => ({
      uuid,
      row: this.index.rows.get(uuid),
      editions,
      records: answers.map((found) => found.get(uuid)),
      isOutdated: asking.outdated.has(uuid),
      decides,
      audited: audit.has(uuid),
      again: this.readLog.again.has(uuid),
      before: before.get(uuid),
      stagedRecords: whole.has(uuid) ? staged.map((lines) => lines.get(uuid)) : [],
    }));
  }

  async #staged({ name }: EditionSpec, uuids: ReadonlySet<string>): Promise<Map<string, string>> {
    return uuids.size === 0 ? new Map() : this.#options.workspace.lines(partNames.stories(name), uuids);
  }

  /** Never awaits: an interruption finds all of a batch or nothing. A row promises that all under it is staged. */
  #stage(batch: Batch, stories: readonly AskedStory[], decisions: readonly AnswerDecision[]): Accepted {
    const accepted: Accepted = { staged: [], misfits: [], inFlux: [], neighbours: [], auditHits: [] };
    const filled: string[] = [];
    for (const [at, decision] of decisions.entries()) {
      if (decision.inFlux !== undefined) accepted.inFlux.push(decision.inFlux);
      if (decision.kind === "misfit") {
        accepted.misfits.push(decision.reason);
        this.rounds.noteMisfit(decision.uuid);
        const { uuid, fingerprint } = decision;
        if (fingerprint !== undefined) this.#states.set(uuid, this.#states.of(uuid), fingerprint);
        // Its row is unchanged and would not show that the story must be requested.
        if (decision.audited) this.requeue(decision.uuid);
        continue;
      }
      const { uuid, records, auditHit } = decision;
      accepted.staged.push(uuid);
      if (decision.hasLostRecord || decision.isMissing) this.#lost.add(uuid);
      else if (!records.includes(null)) this.#lost.delete(uuid);
      if (auditHit) accepted.auditHits.push(uuid);
      for (const [edition, { name }] of batch.editions.entries()) {
        const line = records[edition];
        if (line !== undefined) this.#options.workspace.set(partNames.stories(name), uuid, line);
      }
      for (const neighbour of decision.effects?.neighbours ?? []) accepted.neighbours.push(neighbour);
      if (this.#settle(decision, stories[at]?.row)) filled.push(uuid);
    }
    // A deciding batch reads all editions, so it fills them too.
    for (const { name } of batch.editions) this.backlogs.get(name)?.note(filled);
    return accepted;
  }

  /** @returns whether the story need not be requested again to fill an edition */
  #settle(
    { uuid, effects, isUnlisted, isUnconfirmed, fingerprint }: AnswerDecision & { kind: "staged" },
    row: IndexRow | undefined,
  ): boolean {
    if (effects === undefined) {
      // Its row is unchanged and would not show that it must be requested: the backlog keeps it.
      this.#states.set(uuid, this.#states.of(uuid), fingerprint);
      return !isUnconfirmed;
    }
    const { tags, neighbours, refersTo } = effects;
    if (tags !== undefined) this.tags.countStory(tags.before, tags.now);
    for (const neighbour of neighbours) this.requeue(neighbour);
    for (const id of refersTo) this.#referrers.set(id, (this.#referrers.get(id) ?? new Set()).add(uuid));
    if (isUnconfirmed && row !== undefined) {
      this.#holdRow(uuid, row, fingerprint);
    } else {
      if (!isUnlisted) this.stageRow(uuid, row?.text ?? null);
      this.#states.set(uuid, { kind: "confirmed" }, fingerprint);
    }
    return true;
  }

  /** Withholds the row of a staged story until the round turns out clean. */
  #holdRow(uuid: string, row: IndexRow, fingerprint?: string): void {
    this.stageRow(uuid, null);
    this.readLog.doubted.add(uuid);
    this.#states.set(uuid, { kind: "unconfirmed", row }, fingerprint);
  }

  /** @param text null: the row goes, so that the story is requested again */
  stageRow(uuid: string, text: string | null): void {
    this.#options.workspace.set(partNames.links(this.version), uuid, text);
  }
}
