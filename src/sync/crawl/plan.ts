import type { Config, Version } from "../../config/config.js";
import type { IndexDiff } from "./index/diff.js";
import { linksPerPage } from "./index/sweep-links.js";
import type { PlanItem } from "./parts/part-reading.js";
import { type Batch, sizeOf } from "./stories/batches.js";

/** One of the two ways to spend: few requests, or little time. */
export interface WayToSpend {
  prefer: Config["queue"]["prefer"];
  storiesPerRequest: number;
  items: PlanItem[];
  requests: number;
  /** Milliseconds that the rate limit asks for at least; null without a limit. */
  leastMs: number | null;
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

/** What a round has read, and what it is going to read: counts alone, no content. */
export interface RoundCounts {
  cv: number | null;
  /** Pages of the index that were read, by version. */
  sweeps: ReadonlyMap<Version, number>;
  /** What the parts beside the stories took. */
  parts: readonly PlanItem[];
  versions: readonly VersionCounts[];
  /** Editions that are read by story pages because no index shows them. */
  releases: readonly { name: string; stories: number }[];
  /** Names of the editions whose experiment variants are read. */
  variants: readonly string[];
  /** By edition, how many stories are asked for once more, for what the upstream knows of their assets. */
  askedForAssets: readonly number[];
  /** Whether a closing probe follows. */
  closes: boolean;
  /** Whether the space's version is asked for again at the end. */
  comparesVersion: boolean;
}

/** Of one version that is due. */
export interface VersionCounts {
  version: Version;
  languages: number;
  stories: number;
  /** Read by story pages, because the upstream has no links listing. */
  derived: boolean;
  /** What the index asks for; undefined where it could not be compared. */
  asked: { diff: IndexDiff; batches: readonly Batch[] } | undefined;
}

/** What a clean sync costs, and what reading everything would; the ways to spend are the caller's. Pure. */
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

/** The bill with so many stories a request. @param all of everything, not only of what differs */
export function itemsOf(counts: RoundCounts, size: number, all = false): PlanItem[] {
  const links = [...counts.sweeps].map(([version, requests]) => ({
    what: `links ${version}`,
    requests,
    perPage: linksPerPage,
  }));
  const probe = { what: "opening probe", requests: 1 };
  return [probe, ...links, ...counts.parts, ...itemsAhead(counts, size, all)].filter(({ requests }) => requests > 0);
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
      ? [{ what: "links draft, once more", requests: sweeps.get("draft") ?? 0, perPage: linksPerPage }]
      : []),
    ...(closes ? [{ what: "closing probe", requests: 1 }] : []),
    ...(comparesVersion ? [{ what: "space, once more", requests: 1 }] : []),
    {
      what: "stories once more, for asset metadata",
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

/** How many requests the stories of these batches take in batches of another size; what only fills a batch is left out. */
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

/** Every story of every language, in full batches; read by pages where there is no index. */
function allStories({ version, languages, stories, derived }: VersionCounts, size: number): PlanItem {
  const batches = Math.ceil(stories / size);
  const each = derived ? twice(Math.max(1, batches)) : batches;
  return { what: `stories ${version}`, requests: each * languages, perPage: size };
}

/** Several pages are read twice, because no index confirms them. */
function twice(pagesNeeded: number): number {
  return pagesNeeded > 1 ? pagesNeeded * 2 : pagesNeeded;
}

/** How many pages a list of `records` takes; an empty list still takes one request. */
function pages(records: number, perPage: number): number {
  return Math.max(1, Math.ceil(records / perPage));
}

function sum(items: readonly PlanItem[]): number {
  return items.reduce((requests, item) => requests + item.requests, 0);
}
