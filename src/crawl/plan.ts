import type { Config, Version } from "../config/config.js";
import type { IndexDiff } from "./diff.js";
import type { EditionSpec } from "./editions.js";

/** One line of the bill. */
export interface PlanItem {
  /** What is read, in words: `stories published (3 languages)`. */
  what: string;
  requests: number;
  /** The page size that is asked for, by which the published tiers charge; absent for single reads. */
  perPage?: number;
}

/** One of the two ways to spend: few requests, or little time. */
export interface WayToSpend {
  prefer: Config["queue"]["prefer"];
  storiesPerRequest: number;
  items: PlanItem[];
  requests: number;
  /** Milliseconds that the rate limit asks for at least; null without a limit. */
  leastMs: number | null;
}

/** Stories to ask for in one request an edition. */
export interface Batch {
  version: Version;
  editions: EditionSpec[];
  /** In code-unit order. */
  uuids: string[];
  /** Of them, those that nothing points to: they fill the batch and check the index at no cost. */
  audit: ReadonlySet<string>;
  /** True when the batch decides about index lines; false when it only fills an edition that is read for the first time. */
  decides: boolean;
}

/** What a sync will fetch, keep and remove, and how many requests that takes. Printable: `sync --dry-run`. */
export interface SyncPlan {
  cv: number | null;
  /** Why editions are read in full; empty when none is. */
  reasons: string[];
  changes: { version: Version; added: number; changed: number; vanished: number; kept: number }[];
  items: PlanItem[];
  /** Sum of all items: the requests of this sync, retries aside. */
  requests: number;
  /** What it would be in either way; the items above are those of the configured one. */
  ways: WayToSpend[];
  /** What reading everything anew would cost. */
  fullCrawlWouldCost: number;
}

/**
 * The batches that decide about the lines that differ: every language of every added, changed or vanished story, in
 * uuid order, so that builds on many machines form the same requests. The room left in the last batch is filled with
 * the next stories after `auditCursor`.
 */
export function decidingBatches(
  version: Version,
  editions: EditionSpec[],
  diff: Pick<IndexDiff, "added" | "changed" | "vanished">,
  size: number,
  audit: { cursor: string; uuids: Iterable<string> },
): Batch[] {
  const asked = [...diff.added, ...diff.changed, ...diff.vanished].sort();
  const room = asked.length === 0 ? 0 : (size - (asked.length % size)) % size;
  const extra = nextInCycle(audit.uuids, audit.cursor, room, new Set(asked));
  const audited = new Set(extra);
  return chunk([...asked, ...extra].sort(), size).map((uuids) => ({
    version,
    editions,
    uuids,
    audit: audited,
    decides: true,
  }));
}

/** The batches that fill an edition whose stories were never read, or were read under other settings. */
export function backlogBatches(
  version: Version,
  edition: EditionSpec,
  uuids: readonly string[],
  size: number,
): Batch[] {
  return chunk([...uuids].sort(), size).map((batch) => ({
    version,
    editions: [edition],
    uuids: batch,
    audit: new Set<string>(),
    decides: false,
  }));
}

/** Up to `count` uuids after the cursor, going round, without those in `taken`. `uuids` is in any order. */
function nextInCycle(uuids: Iterable<string>, cursor: string, count: number, taken: ReadonlySet<string>): string[] {
  const after: string[] = [];
  const upTo: string[] = [];
  if (count === 0) return after;
  for (const uuid of uuids) {
    const least = uuid > cursor ? after : upTo;
    if ((least.length < count || uuid < least.at(-1)!) && !taken.has(uuid)) insert(least, uuid, count);
  }
  return [...after, ...upTo].slice(0, count);
}

/** Keeps the first `count` in code-unit order: a large space is not sorted for the few that are wanted. */
function insert(least: string[], uuid: string, count: number): void {
  const at = least.findIndex((other) => uuid < other);
  least.splice(at < 0 ? least.length : at, 0, uuid);
  if (least.length > count) least.pop();
}

export function chunk<T>(values: readonly T[], size: number): T[][] {
  const chunks: T[][] = [];
  for (let at = 0; at < values.length; at += size) chunks.push(values.slice(at, at + size));
  return chunks;
}

/** How many pages a list of `records` takes; an empty list still takes one request. */
export function pages(records: number, perPage: number): number {
  return Math.max(1, Math.ceil(records / perPage));
}

/** The plan's bill as one value. */
export function makePlan(plan: Omit<SyncPlan, "requests">): SyncPlan {
  return { ...plan, requests: plan.items.reduce((sum, item) => sum + item.requests, 0) };
}
