import { parts as partNames } from "../snapshot/layout.js";
import type { IndexDiff } from "./diff.js";
import type { Pin } from "./pin.js";
import { type Batch, makePlan, type PlanItem, pages, type SyncPlan } from "./plan.js";
import { variantEditions } from "./read-variants.js";
import type { CrawlRun, VersionRun } from "./run.js";
import { storiesPerPage, waysToSpend } from "./spending.js";
import { linksPerPage } from "./sweep-links.js";

export interface RoundPlanInput {
  pin: Pin;
  /** Pages of the index that were read, by version. */
  sweeps: ReadonlyMap<string, number>;
  diffs: ReadonlyMap<VersionRun, IndexDiff>;
  batches: ReadonlyMap<VersionRun, Batch[]>;
}

/** The bill of a round, once the index is known: what a clean sync costs, and what reading everything would. */
export function planRound(run: CrawlRun, { pin, sweeps, diffs, batches }: RoundPlanInput): SyncPlan {
  const { context } = run;
  const everything = itemsOf(run, { pin, sweeps, batches }, storiesPerPage(context.config), true);
  const ways = waysToSpend(context.config, (size) => itemsOf(run, { pin, sweeps, batches }, size, false));
  return makePlan({
    cv: pin.cv,
    reasons: context.due.published,
    changes: [...diffs].map(([{ version }, diff]) => ({
      version,
      added: diff.added.length,
      changed: diff.changed.length,
      vanished: diff.vanished.length,
      kept: diff.storiesNow - diff.added.length - diff.changed.length,
    })),
    items: itemsOf(run, { pin, sweeps, batches }, run.batchSize.stories, false),
    ways,
    fullCrawlWouldCost: everything.reduce((sum, { requests }) => sum + requests, 0),
  });
}

/**
 * The bill with so many stories a request.
 * @param all of everything, not of what differs alone
 */
function itemsOf(
  run: CrawlRun,
  { pin, sweeps, batches }: Omit<RoundPlanInput, "diffs">,
  size: number,
  all: boolean,
): PlanItem[] {
  const links = [...sweeps].map(([version, requests]) => ({
    what: `links ${version}`,
    requests,
    perPage: linksPerPage,
  }));
  const space = run.partReadings?.space;
  return [
    { what: "opening probe", requests: 1 },
    ...links,
    ...(run.partReadings?.readings.items ?? []),
    ...(space === undefined ? [] : [{ what: "space", requests: space.requests }]),
    ...itemsAhead(run, { pin, sweeps, batches }, size, all),
  ].filter(({ requests }) => requests > 0);
}

/** What is still to be spent in a round whose index and small parts are read. */
function itemsAhead(
  run: CrawlRun,
  { pin, sweeps, batches }: Omit<RoundPlanInput, "diffs">,
  size: number,
  all: boolean,
): PlanItem[] {
  const releases = run.unindexed.map((edition) => {
    const stories = run.workspace.parts[partNames.stories(edition.name)]?.records ?? storiesOf(run, "draft");
    return { what: `stories ${edition.name}`, requests: twice(pages(stories, size)), perPage: size };
  });
  const variants = variantEditions(run).map(({ name }) => ({ what: `variants ${name}`, requests: 1, perPage: size }));
  const drafts = { what: "links draft, once more", requests: sweeps.get("draft") ?? 0, perPage: linksPerPage };
  return [
    ...(all || run.derived ? allStories(run, size) : askedStories(batches, size)),
    ...releases,
    ...variants,
    ...(all || asksForDrafts(batches) ? [drafts] : []),
    ...(pin.used ? [{ what: "closing probe", requests: 1 }] : []),
  ];
}

/** Requests that a round still needs once its index and small parts are read. */
export function requestsAhead(run: CrawlRun, input: Omit<RoundPlanInput, "diffs">): number {
  return itemsAhead(run, input, run.batchSize.stories, false).reduce((sum, { requests }) => sum + requests, 0);
}

function askedStories(batches: ReadonlyMap<VersionRun, Batch[]>, size: number): PlanItem[] {
  return [...batches].map(([{ version, editions }, asked]) => ({
    what: `stories ${version} (${editions.length} ${editions.length === 1 ? "language" : "languages"})`,
    requests: storyRequests(asked, size),
    perPage: size,
  }));
}

/** How many requests the stories of these batches take in batches of another size; what only fills a batch is left out. */
function storyRequests(batches: readonly Batch[], size: number): number {
  const stories = new Map<string, { editions: number; count: number }>();
  for (const { editions, uuids, audit, decides } of batches) {
    const group = `${decides} ${editions.map(({ name }) => name).join(" ")}`;
    const before = stories.get(group)?.count ?? 0;
    const count = before + uuids.filter((uuid) => !audit.has(uuid)).length;
    stories.set(group, { editions: editions.length, count });
  }
  return [...stories.values()].reduce((sum, { editions, count }) => sum + Math.ceil(count / size) * editions, 0);
}

/** Every story of every language, in full batches; read by pages where there is no index. */
function allStories(run: CrawlRun, size: number): PlanItem[] {
  return run.versions
    .filter(({ due }) => due)
    .map(({ version, editions }) => {
      const batches = Math.ceil(storiesOf(run, version) / size);
      const each = run.derived ? twice(Math.max(1, batches)) : batches;
      return { what: `stories ${version}`, requests: each * editions.length, perPage: size };
    });
}

function asksForDrafts(batches: ReadonlyMap<VersionRun, Batch[]>): boolean {
  return [...batches].some(([{ version }, asked]) => version === "draft" && asked.length > 0);
}

/** Several pages are read twice, because no index vouches for them. */
function twice(pagesNeeded: number): number {
  return pagesNeeded > 1 ? pagesNeeded * 2 : pagesNeeded;
}

function storiesOf(run: CrawlRun, version: string): number {
  let stories = 0;
  const index = [...run.index].find(([name]) => name === version)?.[1];
  for (const row of index?.values() ?? []) if (!row.isFolder) stories++;
  return index === undefined ? (run.context.probe.total ?? 0) : stories;
}
