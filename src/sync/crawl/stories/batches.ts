import { sortedUuids, type Uuids } from "../../../lib/collections/uuid-list.js";
import { UuidSet } from "../../../lib/collections/uuid-set.js";
import type { IndexDiff } from "../index/diff.js";
import type { EditionSpec } from "../run/editions.js";

/** Stories to ask for in one request an edition. */
export interface Batch {
  editions: readonly EditionSpec[];
  /** In code-unit order. Of a long list they are listed when they are asked for. */
  readonly uuids: readonly string[];
  /** How many they are, where that is known without listing them. */
  count?: number;
  /** Of them, those that nothing points to: they fill the batch and check the index at no cost. */
  audit: ReadonlySet<string>;
  /** True when the batch decides about index rows; false when it only fills an edition that is read for the first time. */
  decides: boolean;
}

/**
 * Every language of every added, changed or vanished story, in uuid order, so that builds on many machines form the same
 * requests. The room left in the last batch is filled with the next stories of the audit.
 */
export function decidingBatches(
  editions: readonly EditionSpec[],
  diff: Pick<IndexDiff, "added" | "changed" | "vanished">,
  size: number,
  audit: { cursor: string; uuids: Iterable<string> },
): Batch[] {
  const asked = sortedUuids(diff.added, diff.changed, diff.vanished);
  const room = asked.length === 0 ? 0 : (size - (asked.length % size)) % size;
  const extra = room === 0 ? [] : nextInCycle(audit.uuids, audit.cursor, room, new UuidSet(asked));
  const all = extra.length === 0 ? asked : sortedUuids(asked, extra);
  return batchesOf(all, size, { editions, audit: new Set(extra), decides: true });
}

/** The batches for stories whose own row cannot show what changed. `uuids` in code-unit order. */
export function unshownBatches(editions: readonly EditionSpec[], uuids: readonly string[], size: number): Batch[] {
  return batchesOf(uuids, size, { editions, audit: new Set(), decides: true });
}

/** The batches that fill an edition whose stories were never read, or were read under other settings. */
export function backlogBatches(edition: EditionSpec, uuids: Uuids, size: number): Batch[] {
  return batchesOf(sortedUuids(uuids), size, { editions: [edition], audit: new Set(), decides: false });
}

/** How many stories a batch asks for, those included that fill it. */
export function sizeOf(batch: Batch): number {
  return batch.count ?? batch.uuids.length;
}

/** Up to `count` uuids after the cursor, going round, without those in `taken`. `uuids` is in any order. */
function nextInCycle(uuids: Iterable<string>, cursor: string, count: number, taken: Pick<UuidSet, "has">): string[] {
  const after: string[] = [];
  const upTo: string[] = [];
  // Once there are enough after the cursor, most are passed by with one comparison.
  let last: string | undefined;
  for (const uuid of uuids) {
    if (last !== undefined && uuid >= last) continue;
    const isAfter = uuid > cursor;
    const fits = isAfter || (last === undefined && (upTo.length < count || uuid < upTo[count - 1]!));
    if (!fits || taken.has(uuid)) continue;
    insert(isAfter ? after : upTo, uuid, count);
    last = after[count - 1];
  }
  return [...after, ...upTo].slice(0, count);
}

/** Keeps the first `count` in code-unit order: a large space is not sorted for the few that are wanted. */
function insert(least: string[], uuid: string, count: number): void {
  const at = least.findIndex((other) => uuid < other);
  least.splice(at < 0 ? least.length : at, 0, uuid);
  if (least.length > count) least.pop();
}

function batchesOf(uuids: Uuids, size: number, rest: Omit<Batch, "uuids">): Batch[] {
  const batches: Batch[] = [];
  for (let from = 0; from < uuids.length; from += size) {
    batches.push(
      Array.isArray(uuids) ? { ...rest, uuids: uuids.slice(from, from + size) } : listedLater(uuids, from, size, rest),
    );
  }
  return batches;
}

function listedLater(list: Uuids, from: number, size: number, rest: Omit<Batch, "uuids">): Batch {
  return {
    ...rest,
    count: Math.min(size, list.length - from),
    get uuids() {
      return list.slice(from, from + size);
    },
  };
}

/** How far an edition has come that is read for the first time while its version's index rows are staged already. */
export class Backlog {
  readonly #readUntil: string;
  readonly #done = new UuidSet();

  /** @param readUntil all uuids up to this one were asked for, in code-unit order; "" where none was */
  constructor(readUntil: string) {
    this.#readUntil = readUntil;
  }

  isOpen(uuid: string): boolean {
    return uuid > this.#readUntil && !this.#done.has(uuid);
  }

  note(uuids: readonly string[]): void {
    for (const uuid of uuids) this.#done.add(uuid);
  }

  /** The last of these stories before the first one that was not asked for. */
  readUntil(uuids: Iterable<string>): string {
    let until = this.#readUntil;
    for (const uuid of [...uuids].sort()) {
      if (uuid <= until) continue;
      if (!this.#done.has(uuid)) break;
      until = uuid;
    }
    return until;
  }
}

/** The cyclic audit of one version: stories that nothing points to fill the batches, and so check the index at no cost. */
export class Audit {
  #cursor: string | undefined;
  #happened = false;
  #isBlind = false;

  /** @param cursor the last uuid that was audited; undefined before the first */
  constructor(cursor: string | undefined) {
    this.#cursor = cursor;
  }

  get cursor(): string | undefined {
    return this.#cursor;
  }

  /** Whether this crawl has audited stories. */
  get happened(): boolean {
    return this.#happened;
  }

  /** Whether a record was seen to differ although its row did not: the index is blind to something. */
  get isBlind(): boolean {
    return this.#isBlind;
  }

  /** Moves on behind the stories that were audited; after the last story it goes round. */
  advance(uuids: readonly string[]): void {
    const ahead = uuids.filter((uuid) => uuid > (this.#cursor ?? "")).sort();
    const last = ahead.at(-1) ?? [...uuids].sort().at(-1);
    if (last === undefined) return;
    this.#cursor = last;
    this.#happened = true;
  }

  noteBlindness(): void {
    this.#isBlind = true;
  }
}
