import { parts as partNames } from "../snapshot/layout.js";
import type { IndexDiff } from "./diff.js";
import type { Pin } from "./pin.js";
import { type Batch, makePlan, type PlanItem, pages, type SyncPlan, storiesPerPage } from "./plan.js";
import { variantEditions } from "./read-unindexed.js";
import type { CrawlRun, VersionRun } from "./run.js";

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
  const common: PlanItem[] = [
    { what: "opening probe", requests: 1 },
    ...[...sweeps].map(([version, requests]) => ({ what: `links ${version}`, requests })),
    ...(run.partReadings?.readings.items ?? []),
    ...(run.partReadings?.space === undefined ? [] : [{ what: "space", requests: run.partReadings.space.requests }]),
  ];
  const releases = run.unindexed.map((edition) => {
    const stories = run.workspace.parts[partNames.stories(edition.name)]?.records ?? storiesOf(run, "draft");
    return { what: `stories ${edition.name}`, requests: twice(pages(stories, storiesPerPage(context.config))) };
  });
  const variants = variantEditions(run).map(({ name }) => ({ what: `variants ${name}`, requests: 1 }));
  const close: PlanItem[] = pin.used ? [{ what: "closing probe", requests: 1 }] : [];
  const drafts = { what: "links draft, once more", requests: sweeps.get("draft") ?? 0 };
  const everything = [...common, ...allStories(run), ...releases, ...variants, drafts, ...close];
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
    items: [
      ...common,
      ...(run.derived ? allStories(run) : askedStories(batches)),
      ...releases,
      ...variants,
      ...(asksForDrafts(batches) ? [drafts] : []),
      ...close,
    ].filter(({ requests }) => requests > 0),
    fullCrawlWouldCost: everything.reduce((sum, { requests }) => sum + requests, 0),
  });
}

function askedStories(batches: ReadonlyMap<VersionRun, Batch[]>): PlanItem[] {
  return [...batches].map(([{ version, editions }, asked]) => ({
    what: `stories ${version} (${editions.length} ${editions.length === 1 ? "language" : "languages"})`,
    requests: asked.reduce((sum, batch) => sum + batch.editions.length, 0),
  }));
}

/** Every story of every language, in full batches; read by pages where there is no index. */
function allStories(run: CrawlRun): PlanItem[] {
  const size = storiesPerPage(run.context.config);
  return run.versions
    .filter(({ due }) => due)
    .map(({ version, editions }) => {
      const batches = Math.ceil(storiesOf(run, version) / size);
      const each = run.derived ? twice(Math.max(1, batches)) : batches;
      return { what: `stories ${version}`, requests: each * editions.length };
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
