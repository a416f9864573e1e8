import type { ExportReport } from "../content/tree/export-content.js";
import type { Problem } from "../lib/errors.js";
import type { StoryChanges } from "../snapshot/compare-stories.js";
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

/** A problem, and whether the run before did not report it. */
export interface ReportedProblem extends Problem {
  isNew: boolean;
}

/** What a sync did: the document of `sync --json`. */
export interface SyncReport {
  schema: 1;
  /** `kept`: the previous generation stays, because what was read must not be committed. */
  outcome: "committed" | "unchanged" | "kept" | "failed";
  generation: number | null;
  cv: number | null;
  consistency: Level | null;
  /**
   * Whether everything that was read lately was looked at once more, at least 60 s later: until then the level assumes that
   * no part of the interface lags by more than `source.settle` less a second. null where there is no generation.
   */
  confirmed: boolean | null;
  /** `fullCrawlWouldCost`: of reading everything anew; reckoned from what is here where nothing was planned, else null. */
  requests: {
    total: number;
    retried: number;
    rateLimited: number;
    /** Answers of the edge, which no rate limit counts. */
    fromEdge: number;
    bytes: number;
    fullCrawlWouldCost: number | null;
  };
  /** Different stories, whatever the number of languages. */
  stories: { total: number; added: number; changed: number; removed: number; moved: number };
  /** null where no record was looked at. */
  assets: AssetReport | null;
  content: { written: number; removed: number };
  durationMs: number;
  /** Milliseconds by stage. */
  stagesMs: Partial<Record<ProgressStage, number>>;
  /** What each round of reading took, and why it was not clean; empty where nothing was read. */
  rounds: readonly RoundBill[];
  /**
   * What happened to stories, by name: the first ten of them, of every kind some; empty for the first generation.
   * `offprint diff` lists all.
   */
  changes: NamedChange[];
  /** Everything that is wrong or deserves attention; `isNew` for what the run before this one did not report. */
  problems: ReportedProblem[];
  /** Only of a dry run. */
  plan?: SyncPlan;
}

/** What the stages of a sync came to. */
export interface Facts {
  /** What the sync started from. */
  base: Base;
  outcome: SyncReport["outcome"];
  cv: number | null;
  /** The generation that is current now; undefined: still the base's. */
  manifest?: Manifest | undefined;
  reading?: CrawlResult | undefined;
  changes?: StoryChanges | undefined;
  /** How many stories are new, where the changes do not list them. */
  added?: number | undefined;
  assets?: AssetReport | undefined;
  /** What is still to be looked at once more; undefined: what the base has. */
  looks?: readonly SecondLook[] | undefined;
  content?: ExportReport | undefined;
  problems: Problem[];
}

/** The facts as the document that a person or a program reads. */
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
    stories: countStories(manifest, isCommit ? facts : {}),
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

/** Two problems are the same when code and message are: a message that tells another value is news. */
function reported(problems: readonly Problem[], state: State): ReportedProblem[] {
  const name = ({ code, message }: Problem) => `${code} ${message}`;
  const known = new Set(knownProblems(state).map(name));
  return problems.map((problem) => ({ ...problem, isNew: !known.has(name(problem)) }));
}

/** What the generation was found to lack, and still does. */
export function knownProblems({ spaceProblems, contentProblems }: State): Problem[] {
  return [...spaceProblems, ...contentProblems];
}

/** One line of the log of runs. */
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

/** A story counts once, as what happened to it in the first edition where something did. */
function countStories(
  manifest: Manifest | undefined,
  { changes, added: unlisted = 0 }: Pick<Facts, "changes" | "added">,
): SyncReport["stories"] {
  const total = Math.max(0, ...(manifest?.editions ?? []).map(({ name }) => recordsOf(manifest, name)));
  const seen = new Set<string>();
  const count = (stories: readonly { uuid: string }[] = []): number => {
    const fresh = new Set(stories.map(({ uuid }) => uuid).filter((uuid) => !seen.has(uuid)));
    for (const uuid of fresh) seen.add(uuid);
    return fresh.size;
  };
  const [added, removed, changed] = [count(changes?.added), count(changes?.removed), count(changes?.changed)];
  const moved = new Set(changes?.moved.map(({ uuid }) => uuid)).size;
  return { total, added: added + unlisted, changed, removed, moved };
}

/** What reading everything that a generation holds takes: two probes, links by thousands, stories by hundreds, the rest. */
function fullCrawlCost(manifest: Manifest | undefined): number | null {
  if (manifest === undefined) return null;
  const probes = 2;
  return Object.entries(manifest.parts).reduce((sum, [part, entry]) => sum + requestsFor(part, entry), probes);
}

function recordsOf(manifest: Manifest | undefined, edition: string): number {
  return manifest?.parts[partNames.stories(edition)]?.records ?? 0;
}
