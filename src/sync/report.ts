import type { ExportReport } from "../content/tree/export-content.js";
import type { Problem } from "../lib/errors.js";
import type { StoryChanges } from "../snapshot/compare-stories.js";
import { countStories } from "../snapshot/count-stories.js";
import { parts as partNames } from "../snapshot/layout.js";
import type { Level, Manifest } from "../snapshot/manifest.js";
import { requestsFor } from "../snapshot/part-kinds.js";
import { countedByCode, type RunRecord, type SecondLook, type State } from "../snapshot/state.js";
import type { AssetReport } from "./assets/fetched-assets.js";
import type { Base } from "./base.js";
import type { CrawlResult, RoundBill } from "./crawl/crawl.js";
import type { SyncPlan } from "./crawl/plan.js";
import type { ProgressStage } from "./crawl/run/progress.js";
import { type NamedChange, namedChanges } from "./named-changes.js";
import type { SyncContext } from "./sync-context.js";

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
  requests: {
    total: number;
    retried: number;
    rateLimited: number;
    /** Answers from the edge, which no rate limit counts. */
    fromEdge: number;
    bytes: number;
    fullCrawlWouldCost: number | null;
  };
  /** Different stories, whatever the number of languages. */
  stories: { total: number; added: number; changed: number; removed: number; moved: number };
  /** null if no record was checked. */
  assets: AssetReport | null;
  content: { written: number; removed: number };
  durationMs: number;
  stagesMs: Partial<Record<ProgressStage, number>>;
  /** The cost of each reading round, and why it was not clean; empty if nothing was read. */
  rounds: readonly RoundBill[];
  /** The first ten changed stories, some of every kind; empty for the first generation. */
  changes: NamedChange[];
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
  const { total, retried, rateLimited, fromEdge, bytes } = source.upstream.counts;
  return {
    schema: 1,
    outcome: facts.outcome,
    generation: manifest?.generation ?? null,
    cv: facts.cv,
    consistency: manifest?.level ?? null,
    confirmed:
      manifest === undefined ? null : manifest.confirmed !== false && (facts.looks ?? state.looks).length === 0,
    requests: {
      total,
      retried,
      rateLimited,
      fromEdge,
      bytes,
      fullCrawlWouldCost: facts.reading?.plan.fullCrawlWouldCost ?? fullCrawlCost(manifest),
    },
    stories: storiesOf(manifest, isCommit ? facts : {}),
    assets: facts.assets ?? null,
    content: { written: facts.content?.written ?? 0, removed: facts.content?.removed ?? 0 },
    durationMs: Math.round(clock.elapsedMs()),
    stagesMs: clock.stagesMs(),
    rounds: facts.reading?.rounds ?? [],
    changes: isCommit && previous !== undefined ? namedChanges(facts.changes, manifest?.editions ?? []) : [],
    problems: reported(facts.problems, state),
    ...(options.dryRun && facts.reading !== undefined ? { plan: facts.reading.plan } : {}),
  };
}

/** Problems are the same if code and message are: a message with another value is new. */
function reported(problems: readonly Problem[], state: State): ReportedProblem[] {
  const name = ({ code, message }: Problem) => `${code} ${message}`;
  const known = new Set(knownProblems(state).map(name));
  return problems.map((problem) => ({ ...problem, isNew: !known.has(name(problem)) }));
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

function storiesOf(
  manifest: Manifest | undefined,
  { changes, added = 0 }: Pick<Facts, "changes" | "added">,
): SyncReport["stories"] {
  const { editions = [], parts = {} } = manifest ?? {};
  const total = Math.max(0, ...editions.map(({ name }) => parts[partNames.stories(name)]?.records ?? 0));
  const counts = countStories(changes);
  return { total, ...counts, added: counts.added + added };
}

/** The cost of a full reading: two probes, links by thousands, stories by hundreds, the rest. */
function fullCrawlCost(manifest: Manifest | undefined): number | null {
  if (manifest === undefined) return null;
  const probes = 2;
  return Object.entries(manifest.parts).reduce((sum, [part, entry]) => sum + requestsFor(part, entry), probes);
}
