import { sortedUuids, type Uuids } from "../../../lib/collections/uuid-list.js";
import { UuidSet } from "../../../lib/collections/uuid-set.js";
import type { IndexDiff } from "../index/diff.js";
import type { EditionSpec } from "../run/editions.js";

/** Stories to request together, in one request per edition. */
export interface Batch {
  editions: readonly EditionSpec[];
  /** In code-unit order. Long lists are computed on demand. */
  readonly uuids: readonly string[];
  /** Their number, if known without computing the list. */
  count?: number;
  /** Those of them that only fill the batch: they check the index at no cost. */
  audit: ReadonlySet<string>;
  /** False if the batch only fills an edition that is read for the first time. */
  decides: boolean;
}

/** In uuid order, so that builds on many machines send the same requests. The audit's next fill the last batch. */
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

/** Batches for stories whose own row cannot show what changed. `uuids` in code-unit order. */
export function unshownBatches(editions: readonly EditionSpec[], uuids: readonly string[], size: number): Batch[] {
  return batchesOf(uuids, size, { editions, audit: new Set(), decides: true });
}

/** Batches for an edition whose stories were never read, or were read under other settings. */
export function backlogBatches(edition: EditionSpec, uuids: Uuids, size: number): Batch[] {
  return batchesOf(sortedUuids(uuids), size, { editions: [edition], audit: new Set(), decides: false });
}

export function sizeOf(batch: Batch): number {
  return batch.count ?? batch.uuids.length;
}

/** Up to `count` uuids after the cursor, wrapping around, without `taken`; in any order. */
function nextInCycle(uuids: Iterable<string>, cursor: string, count: number, taken: Pick<UuidSet, "has">): string[] {
  const after: string[] = [];
  const upTo: string[] = [];
  // Once there are enough after the cursor, one comparison is enough to skip most others.
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

/** Keeps the first `count` in code-unit order: sorting all uuids would be slower. */
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

/** The progress of an edition whose stories are read after its version's index rows were staged. */
export class Backlog {
  readonly #readUntil: string;
  readonly #done = new UuidSet();

  /** @param readUntil all uuids up to this one were requested, in code-unit order; "": none */
  constructor(readUntil: string) {
    this.#readUntil = readUntil;
  }

  isOpen(uuid: string): boolean {
    return uuid > this.#readUntil && !this.#done.has(uuid);
  }

  note(uuids: readonly string[]): void {
    for (const uuid of uuids) this.#done.add(uuid);
  }

  /** The last of these stories before the first one that was not requested. */
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

/** The cyclic audit of one version: unchanged stories fill the batches, which costs nothing. */
export class Audit {
  /** The last uuid that was audited; undefined before the first. */
  cursor: string | undefined;
  happened = false;
  /** True if a record differed although its row did not: the index misses some changes. */
  isBlind = false;

  constructor(cursor: string | undefined) {
    this.cursor = cursor;
  }

  /** Advances past the audited stories; wraps around after the last one. */
  advance(uuids: readonly string[]): void {
    const ahead = uuids.filter((uuid) => uuid > (this.cursor ?? "")).sort();
    const last = ahead.at(-1) ?? [...uuids].sort().at(-1);
    if (last === undefined) return;
    this.cursor = last;
    this.happened = true;
  }
}
