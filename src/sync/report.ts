import type { ExportReport } from "../content/tree/export-content.js";
import type { Problem } from "../lib/errors.js";
import { noChanges, type StoryChanges } from "../snapshot/compare-stories.js";
import type { EntryChange } from "../snapshot/entry-changes.js";
import { parts as partNames } from "../snapshot/layout.js";
import type { Level, Manifest } from "../snapshot/manifest.js";
import { requestsFor } from "../snapshot/part-kinds.js";
import { countedByCode, type RunRecord, type SecondLook, type State } from "../snapshot/state.js";
import { countDifferences } from "../snapshot/story-differences.js";
import type { AssetReport } from "./assets/fetched-assets.js";
import type { Base } from "./base.js";
import type { CrawlResult, RoundBill } from "./crawl/crawl.js";
import type { SyncPlan } from "./crawl/plan.js";
import type { ProgressStage } from "./crawl/run/progress.js";
import { type NamedChange, named, namedChanges } from "./named-changes.js";
import type { SyncContext } from "./sync-context.js";
import type { RequestCounts } from "./upstream/request-queue.js";

/** A problem, and whether the last run did not report it. */
export interface ReportedProblem extends Problem {
  isNew: boolean;
}

/** What a sync did: the document of `sync --json`. */
export interface SyncReport {
  schema: 1;
  /** `kept`: the previous generation stays, because the reading failed a safety check. */
  outcome: "committed" | "unchanged" | "kept" | "failed";
  generation: number | null;
  cv: number | null;
  consistency: Level | null;
  /**
   * True if every recent reading was checked again, at least 60 s later. Until then the level
   * assumes that nothing lags by more than `source.settle` less a second. null: no generation.
   */
  confirmed: boolean | null;
  /** `fullCrawlWouldCost`: the cost of `--full`; without a plan, estimated from the snapshot. */
  requests: RequestCounts & { fullCrawlWouldCost: number | null };
  /** Different stories, whatever the number of languages; those that moved are changed, too. */
  stories: { total: number; added: number; changed: number; removed: number; moved: number };
  /** null if no record was checked. */
  assets: AssetReport | null;
  content: { written: number; removed: number };
  durationMs: number;
  stagesMs: Partial<Record<ProgressStage, number>>;
  /** The cost of each reading round, and why it was not clean; empty if nothing was read. */
  rounds: readonly RoundBill[];
  /** The first ten changed stories and moved folders, some of every kind; empty for the first generation. */
  changes: NamedChange[];
  /** How many entries of datasources differ, and the first ten of them. */
  entries: { total: number; changes: EntryChange[] };
  /** Everything that is wrong or deserves attention; `isNew` if the last run did not report it. */
  problems: ReportedProblem[];
  /** Only for a dry run. */
  plan?: SyncPlan;
}

export interface Facts {
  base: Base;
  outcome: SyncReport["outcome"];
  cv: number | null;
  /** The current generation; undefined: still the base's. */
  manifest?: Manifest | undefined;
  reading?: CrawlResult | undefined;
  changes?: StoryChanges | undefined;
  /** How many stories are new, if the changes do not list them. */
  added?: number | undefined;
  entries?: readonly EntryChange[] | undefined;
  assets?: AssetReport | undefined;
  /** The looks that remain open; undefined: those of the base. */
  looks?: readonly SecondLook[] | undefined;
  content?: ExportReport | undefined;
  problems: Problem[];
}

export function syncReport({ source, options, clock }: SyncContext, facts: Facts): SyncReport {
  const { previous, state } = facts.base;
  const manifest = facts.manifest ?? previous;
  const isCommit = facts.outcome === "committed";
  const { entries = [] } = facts;
  return {
    schema: 1,
    outcome: facts.outcome,
    generation: manifest?.generation ?? null,
    cv: facts.cv,
    consistency: manifest?.level ?? null,
    confirmed:
      manifest === undefined ? null : manifest.confirmed !== false && (facts.looks ?? state.looks).length === 0,
    requests: {
      ...source.upstream.counts,
      fullCrawlWouldCost: facts.reading?.plan.fullCrawlWouldCost ?? fullCrawlCost(manifest),
    },
    stories: countStories(manifest, isCommit ? facts : {}),
    assets: facts.assets ?? null,
    content: { written: facts.content?.written ?? 0, removed: facts.content?.removed ?? 0 },
    durationMs: Math.round(clock.elapsedMs()),
    stagesMs: clock.stagesMs(),
    rounds: facts.reading?.rounds ?? [],
    changes: isCommit && previous !== undefined ? namedChanges(facts.changes, manifest?.editions ?? []) : [],
    entries: isCommit ? { total: entries.length, changes: entries.slice(0, named) } : { total: 0, changes: [] },
    problems: reported(facts.problems, state),
    ...(options.dryRun && facts.reading !== undefined ? { plan: facts.reading.plan } : {}),
  };
}

function reported(problems: readonly Problem[], state: State): ReportedProblem[] {
  const known = new Set(knownProblems(state).map(identityOf));
  return problems.map((problem) => ({ ...problem, isNew: !known.has(identityOf(problem)) }));
}

/** Equal for the same code and message; where a story has the problem, its slug does not count: folders move. */
function identityOf({ code, message, place }: Problem): string {
  if (place === undefined) return `${code} ${message}`;
  const behindSlug = message.indexOf(`" (${place.edition})`);
  return `${code} ${place.story} ${message.slice(Math.max(0, behindSlug))}`;
}

export function knownProblems({ spaceProblems, contentProblems }: State): Problem[] {
  return [...spaceProblems, ...contentProblems];
}

export function runRecord(context: SyncContext, facts: Facts): RunRecord {
  const report = syncReport(context, facts);
  return {
    startedAt: new Date(Date.now() - report.durationMs).toISOString(),
    durationMs: report.durationMs,
    outcome: report.outcome,
    generation: report.generation,
    cv: report.cv,
    level: report.consistency,
    requests: report.requests.total,
    bytes: report.requests.bytes,
    stories: report.stories,
    stagesMs: report.stagesMs,
    ...(facts.problems.length === 0
      ? {}
      : { problems: facts.problems.slice(0, 20), problemCounts: countedByCode(facts.problems) }),
  };
}

/** A story counts once, whatever the number of its editions. */
function countStories(
  manifest: Manifest | undefined,
  { changes = noChanges(), added: unlisted = 0 }: Pick<Facts, "changes" | "added">,
): SyncReport["stories"] {
  const { editions = [], parts = {} } = manifest ?? {};
  const total = Math.max(0, ...editions.map(({ name }) => parts[partNames.stories(name)]?.records ?? 0));
  const { added, changed, removed, moved } = countDifferences(changes);
  return { total, added: added + unlisted, changed, removed, moved };
}

/** The cost of a full reading: two probes, links by thousands, stories by hundreds, the rest. */
function fullCrawlCost(manifest: Manifest | undefined): number | null {
  if (manifest === undefined) return null;
  const probes = 2;
  return Object.entries(manifest.parts).reduce((sum, [part, entry]) => sum + requestsFor(part, entry), probes);
}
