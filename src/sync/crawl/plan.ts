import type { Config, Version } from "../../config/config.js";
import type { IndexDiff } from "./index/diff.js";
import { linksPerPage } from "./index/sweep-links.js";
import type { PlanItem } from "./parts/part-reading.js";
import { type Batch, sizeOf } from "./stories/batches.js";

export interface WayToSpend {
  prefer: Config["queue"]["prefer"];
  storiesPerRequest: number;
  items: PlanItem[];
  requests: number;
  leastMs: number | null;
}

/** What a sync will fetch, keep and remove, and its requests, for `sync --dry-run`. */
export interface SyncPlan {
  cv: number | null;
  /** Why editions are read in full; empty if none is. */
  reasons: string[];
  changes: { version: Version; added: number; changed: number; vanished: number; kept: number }[];
  items: PlanItem[];
  /** Sum of all items: the requests of this sync without retries. */
  requests: number;
  /** The cost of both ways; the items above are those of the configured one. */
  ways: WayToSpend[];
  /** The cost of reading everything again. */
  fullCrawlWouldCost: number;
}

export interface RoundCounts {
  cv: number | null;
  sweeps: ReadonlyMap<Version, number>;
  parts: readonly PlanItem[];
  versions: readonly VersionCounts[];
  /** Editions that are read by story pages because no index shows them. */
  releases: readonly { name: string; stories: number }[];
  variants: readonly string[];
  askedForAssets: readonly number[];
  /** Requests that ask whether the space has taxonomies: those of this sync, and of a full one. */
  question: { now: number; full: number };
  closes: boolean;
  /** True if the space's version is requested again at the end. */
  comparesVersion: boolean;
}

export interface VersionCounts {
  version: Version;
  languages: number;
  stories: number;
  /** Read by story pages, because the upstream has no links listing. */
  derived: boolean;
  /** What the index requests; undefined if it could not be compared. */
  asked: { diff: IndexDiff; batches: readonly Batch[] } | undefined;
}

/** The cost of a clean sync and of a full one; the caller adds the ways to spend. Pure. */
export function planRound(
  counts: RoundCounts,
  options: { reasons: string[]; size: number; fullSize: number; ways: WayToSpend[] },
): SyncPlan {
  const items = itemsOf(counts, options.size);
  return {
    cv: counts.cv,
    reasons: options.reasons,
    changes: counts.versions.flatMap(({ version, asked }) =>
      asked === undefined ? [] : [changes(version, asked.diff)],
    ),
    items,
    requests: sum(items),
    ways: options.ways,
    fullCrawlWouldCost: sum(itemsOf(counts, options.fullSize, true)),
  };
}

function changes(version: Version, diff: IndexDiff): SyncPlan["changes"][number] {
  const [added, changed, vanished] = [diff.added.length, diff.changed.length, diff.vanished.length];
  return { version, added, changed, vanished, kept: diff.storiesKept };
}

/** The bill with so many stories per request. @param all everything, not only the differences */
export function itemsOf(counts: RoundCounts, size: number, all = false): PlanItem[] {
  const links = [...counts.sweeps].map(([version, requests]) => ({
    what: `links ${version}`,
    requests,
    perPage: linksPerPage,
  }));
  const probe = { what: "opening probe", requests: 1 };
  const question = { what: "question for taxonomies", requests: all ? counts.question.full : counts.question.now };
  return [probe, ...links, ...counts.parts, question, ...itemsAhead(counts, size, all)].filter(
    ({ requests }) => requests > 0,
  );
}

/** Requests that a round still needs once its index and small parts are read. */
export function requestsAhead(counts: RoundCounts, size: number): number {
  return sum(itemsAhead(counts, size, false));
}

function itemsAhead(counts: RoundCounts, size: number, all: boolean): PlanItem[] {
  const { sweeps, versions, releases, variants, askedForAssets, closes, comparesVersion } = counts;
  const asksForDrafts = versions.some(({ version, asked }) => version === "draft" && (asked?.batches.length ?? 0) > 0);
  return [
    ...versions.flatMap((version) =>
      all || version.derived
        ? [allStories(version, size)]
        : version.asked === undefined
          ? []
          : [askedStories(version, size)],
    ),
    ...releases.map(({ name, stories }) => ({
      what: `stories ${name}`,
      requests: twice(pages(stories, size)),
      perPage: size,
    })),
    ...variants.map((name) => ({ what: `variants ${name}`, requests: 1, perPage: size })),
    ...(all || asksForDrafts
      ? [{ what: "links draft, again", requests: sweeps.get("draft") ?? 0, perPage: linksPerPage }]
      : []),
    ...(closes ? [{ what: "closing probe", requests: 1 }] : []),
    ...(comparesVersion ? [{ what: "space, once more", requests: 1 }] : []),
    {
      what: "stories again, for asset metadata",
      requests: askedForAssets.reduce((requests, stories) => requests + Math.ceil(stories / size), 0),
      perPage: size,
    },
  ];
}

function askedStories({ version, languages, asked }: VersionCounts, size: number): PlanItem {
  return {
    what: `stories ${version} (${languages} ${languages === 1 ? "language" : "languages"})`,
    requests: storyRequests(asked?.batches ?? [], size),
    perPage: size,
  };
}

/** Requests for these batches, regrouped to another size, without the audited stories. */
function storyRequests(batches: readonly Batch[], size: number): number {
  const stories = new Map<string, { editions: number; count: number }>();
  for (const batch of batches) {
    const { editions, audit, decides } = batch;
    const group = `${decides} ${editions.map(({ name }) => name).join(" ")}`;
    const before = stories.get(group)?.count ?? 0;
    const filling = audit.size === 0 ? 0 : batch.uuids.filter((uuid) => audit.has(uuid)).length;
    const count = before + sizeOf(batch) - filling;
    stories.set(group, { editions: editions.length, count });
  }
  return [...stories.values()].reduce((sum, { editions, count }) => sum + Math.ceil(count / size) * editions, 0);
}

/** Every story of every language, in full batches; by pages if there is no index. */
function allStories({ version, languages, stories, derived }: VersionCounts, size: number): PlanItem {
  const batches = Math.ceil(stories / size);
  const each = derived ? twice(Math.max(1, batches)) : batches;
  return { what: `stories ${version}`, requests: each * languages, perPage: size };
}

/** Several pages are read twice, because no index confirms them. */
function twice(pagesNeeded: number): number {
  return pagesNeeded > 1 ? pagesNeeded * 2 : pagesNeeded;
}

/** Pages of a list; an empty list still takes one request. */
function pages(records: number, perPage: number): number {
  return Math.max(1, Math.ceil(records / perPage));
}

function sum(items: readonly PlanItem[]): number {
  return items.reduce((requests, item) => requests + item.requests, 0);
}
