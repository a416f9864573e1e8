import type { Version } from "../../../config/config.js";
import { parseStory } from "../../../contract/parse-record.js";
import type { StoryHead } from "../../../contract/records.js";
import type { SecondLook } from "../../../snapshot/state.js";
import { type Index, type IndexRow, storyRows } from "../index/index-row.js";
import type { Batch } from "./batches.js";
import type { AnswerDecision, Asking } from "./decision.js";
import type { ReadStories } from "./second-look.js";

/** Which stories a crawl has read, for a later second look, and which it checks itself. */
export class ReadLog {
  #read: Set<string> | undefined;
  /** Stories that were unconfirmed in some round. */
  readonly doubted = new Set<string>();
  /** Listed stories that the default language lacks. */
  readonly #missing = new Set<string>();
  /** Stories of earlier readings that are requested again. */
  readonly again = new Set<string>();
  #looks: readonly SecondLook[];

  /** @param read what an interrupted sync has read; null: everything */
  constructor(read: readonly string[] | null, looks: readonly SecondLook[]) {
    this.#read = read === null ? undefined : new Set(read);
    this.#looks = looks;
  }

  /** The stories that were read, except those that a second look found unchanged. */
  get stories(): ReadStories {
    const uuids = [...new Set([...(this.#read ?? this.doubted), ...this.#missing])];
    return { uuids, all: this.#read === undefined };
  }

  get missing(): string[] {
    return [...this.#missing];
  }

  /** The looks that are due; returned once. */
  takeLooks(): readonly SecondLook[] {
    const looks = this.#looks;
    this.#looks = [];
    return looks;
  }

  /** Notes the result of a batch. A full reading is not noted story by story. */
  noteBatch({ decides, audit }: Batch, { mode }: Asking, decisions: readonly AnswerDecision[]): void {
    const isAll = !decides || mode === "first" || mode === "everything";
    for (const decision of decisions) {
      const { uuid } = decision;
      if (decision.kind === "staged" && decides) this.#noteMissing(uuid, decision.isMissing);
      if (decision.kind === "misfit" || decision.isAsBefore || (audit.has(uuid) && !decision.auditHit)) continue;
      if (isAll && !this.again.has(uuid)) this.#read = undefined;
      this.#read?.add(uuid);
    }
  }

  #noteMissing(uuid: string, isMissing: boolean): void {
    if (isMissing) this.#missing.add(uuid);
    else this.#missing.delete(uuid);
  }

  /** null: everything was read. */
  toStage(): string[] | null {
    return this.#read === undefined ? null : [...this.#read].sort();
  }
}

/** The stories of one version, for a second look. */
export interface LookedAt {
  version: Version;
  rows: Index;
  rowOfId(id: number): IndexRow | undefined;
  /** The staged records of some stories in the base edition. */
  records(uuids: ReadonlySet<string>): Promise<ReadonlyMap<string, string>>;
  neighbourIds(before: StoryHead | undefined, now: StoryHead | undefined): number[];
}

/** The listed stories that second looks request. */
export async function storiesToLookAt(space: LookedAt, looks: readonly SecondLook[]): Promise<Set<string>> {
  const { version, rows } = space;
  const listed = looks.flatMap(({ stories }) => stories[version] ?? []);
  const found = new Set(listed.filter((uuid) => rows.get(uuid)?.isFolder === false));
  const dated = looks.flatMap(({ datedSinceMs }) => datedSinceMs ?? []);
  if (dated.length > 0) for (const uuid of await datedStories(space, Math.min(...dated))) found.add(uuid);
  return found;
}

/** True if a story still has the row that it was read under. Pure. */
export function isSeenAgain(row: Pick<IndexRow, "text"> | undefined, staged: { text: string } | undefined): boolean {
  return row?.text === staged?.text;
}

/** Stories whose row is dated since then, and their neighbours, whose rows may be older. */
async function datedStories(space: LookedAt, sinceMs: number): Promise<Set<string>> {
  const found = new Set<string>();
  for (const row of storyRows(space.rows)) if (lastDateMs(row) >= sinceMs) found.add(row.uuid);
  const records = await space.records(found);
  for (const line of records.values()) {
    for (const id of space.neighbourIds(parseStory(line), undefined)) {
      const uuid = space.rowOfId(id)?.uuid;
      if (uuid !== undefined) found.add(uuid);
    }
  }
  return found;
}

/** Milliseconds since the epoch; NaN if the index has no valid date. */
function lastDateMs({ publishedAt, updatedAt }: IndexRow): number {
  const dates = [publishedAt, updatedAt].map((date) => Date.parse(date ?? "")).filter((ms) => !Number.isNaN(ms));
  return dates.length === 0 ? Number.NaN : Math.max(...dates);
}
