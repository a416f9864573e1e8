import { countProblems, type ErrorCode, type Problem } from "../../lib/errors.js";
import { noRequests, type RunEnded, type SentRequests, type WatchEvent, type WebhookResult } from "../watch-event.js";
import { freshnessAfter, type SpaceFreshness } from "./space-freshness.js";

type Outcome = RunEnded["outcome"];
type HookResult = Exclude<Extract<WatchEvent, { kind: "hook" }>["result"], "nothing">;
type ExpectationResult = Extract<WatchEvent, { kind: "expectation" }>["result"];

/** Counts by name; a missing name means 0. */
export type Counts<Name extends string> = Readonly<Partial<Record<Name, number>>>;

/** Upper bounds of the run duration buckets, in seconds. */
export const durationBounds = [0.1, 0.5, 1, 5, 15, 60, 300, 900, 3600] as const;

export interface Durations {
  /** Count per bucket, plus one for durations above the last of {@link durationBounds}. */
  counts: readonly number[];
  sum: number;
}

export interface SpaceCounters {
  runs: Counts<Outcome>;
  requests: number;
  /** Of those: sent again, and answered 429. */
  retried: number;
  rateLimited: number;
  durations: Durations;
}

export interface SpaceMetrics extends SpaceCounters {
  freshness: SpaceFreshness;
  isRunning: boolean;
  /** Milliseconds since the epoch; null: none. */
  lastRunAtMs: number | null;
  nextRunAtMs: number | null;
  problems: Counts<ErrorCode>;
  webhooks: Counts<WebhookResult>;
  expectations: Counts<ExpectationResult>;
  hooks: Readonly<Record<string, HookCounters>>;
  /** How often another process got the right to write that this one had. */
  leaseLost: number;
  /** Syncs that a problem of the store failed, by its code. */
  storeFailures: Counts<ErrorCode>;
  kept?: KeptSnapshot | undefined;
}

/** Of a consumer's command. */
interface HookCounters {
  results: Counts<HookResult>;
  /** Milliseconds since the epoch; null: it does not fail. */
  failingSinceMs: number | null;
}

/** What the output has. */
export interface KeptSnapshot {
  /** The current one. */
  generation: number;
  /** How many generations are kept, the current one included. */
  generations: number;
  /** Of all their files; undefined in a bucket, where counting them takes many requests. */
  bytes?: number | undefined;
}

/** What a worker knows of its queue. */
export interface QueueMetrics {
  /** When it stopped answering, in milliseconds since the epoch; undefined: it answers. */
  goneSinceMs?: number | undefined;
  /** As it last told; undefined: not yet. */
  told?: { workersAlive: number; jobsWaiting: number } | undefined;
}

export interface Metrics {
  spaces: ReadonlyMap<string, SpaceMetrics>;
  /** Webhooks sent to unknown addresses. We do not keep the addresses: anyone could fill memory. */
  strayWebhooks: Counts<WebhookResult>;
  /** undefined: the process has none. */
  queue?: QueueMetrics | undefined;
}

export function startMetrics(
  spaces: readonly SpaceFreshness[],
  counters: (space: string) => SpaceCounters | undefined = () => undefined,
): Metrics {
  const started = spaces.map((freshness): [string, SpaceMetrics] => {
    const start = { isRunning: false, lastRunAtMs: null, nextRunAtMs: null, runs: {} };
    const durations = { counts: [...durationBounds.map(() => 0), 0], sum: 0 };
    const counted = { problems: {}, webhooks: {}, expectations: {}, hooks: {}, leaseLost: 0, storeFailures: {} };
    const requests = { requests: 0, retried: 0, rateLimited: 0 };
    return [freshness.space, { freshness, ...start, ...requests, durations, ...counted, ...counters(freshness.space) }];
  });
  return { spaces: new Map(started), strayWebhooks: {} };
}

/** Returns the metrics of these spaces: those that are known keep what was counted. Pure. */
export function metricsOfSpaces(metrics: Metrics, spaces: readonly SpaceFreshness[]): Metrics {
  const { spaces: fresh } = startMetrics(spaces);
  const kept = [...fresh].map(([name, start]): [string, SpaceMetrics] => {
    const known = metrics.spaces.get(name);
    if (known === undefined) return [name, start];
    return [name, { ...known, freshness: { ...known.freshness, maxAgeMs: start.freshness.maxAgeMs } }];
  });
  return { ...metrics, spaces: new Map(kept) };
}

/** Returns the metrics after an event. Webhooks of an unknown space count as stray. Pure. */
export function metricsAfter(metrics: Metrics, event: WatchEvent): Metrics {
  const name = event.space ?? "";
  if (event.kind !== "webhook" || metrics.spaces.has(name)) {
    return withSpace(metrics, name, (before) => spaceAfter(before, event));
  }
  return { ...metrics, strayWebhooks: counted(metrics.strayWebhooks, event.result) };
}

/** What another process tells of a copy. The lease of a bucket says neither when it was committed nor whether it is held. */
export type ToldFreshness = Pick<SpaceFreshness, "generation" | "confirmedAtMs"> &
  Partial<Pick<SpaceFreshness, "committedAtMs" | "held">>;

/** Returns the metrics with an age from another process; a younger age stays. Pure. */
export function withFreshness(metrics: Metrics, space: string, known: ToldFreshness): Metrics {
  return withSpace(metrics, space, (before) => {
    const isOlder = (known.confirmedAtMs ?? 0) < (before.freshness.confirmedAtMs ?? 0);
    return isOlder ? before : { ...before, freshness: { ...before.freshness, ...known } };
  });
}

/** Returns the metrics after another process ran the space: that process reports the problems from now on. Pure. */
export function withRunElsewhere(metrics: Metrics, space: string, atMs: number): Metrics {
  return withSpace(metrics, space, (before) => {
    return before.lastRunAtMs === null || atMs <= before.lastRunAtMs ? before : { ...before, problems: {} };
  });
}

/** Returns the metrics with what the output has now. Pure. */
export function withKept(metrics: Metrics, space: string, kept: KeptSnapshot | undefined): Metrics {
  return withSpace(metrics, space, (before) => ({ ...before, kept }));
}

function withSpace(metrics: Metrics, name: string, change: (before: SpaceMetrics) => SpaceMetrics): Metrics {
  const before = metrics.spaces.get(name);
  if (before === undefined) return metrics;
  return { ...metrics, spaces: new Map(metrics.spaces).set(name, change(before)) };
}

function spaceAfter(before: SpaceMetrics, event: WatchEvent): SpaceMetrics {
  switch (event.kind) {
    case "run-started":
      return { ...before, isRunning: true };
    case "run-ended":
      return afterRun(before, event);
    case "standing-by":
      // The holder reports the problems. Without one, those of the store are ours.
      return { ...afterLease(before, true), ...(event.holder !== null && { problems: {} }) };
    case "took-over":
      return afterLease(before, false);
    case "parked":
      return { ...before, nextRunAtMs: event.nextAtMs };
    case "webhook":
      return { ...before, webhooks: counted(before.webhooks, event.result) };
    case "expectation":
      return { ...before, expectations: counted(before.expectations, event.result) };
    case "hook": {
      const { consumer, result, failures } = event;
      const { results = {} } = (Object.hasOwn(before.hooks, consumer) && before.hooks[consumer]) || {};
      const after = result === "nothing" ? results : counted(results, result);
      const one = { results: after, failingSinceMs: failures?.sinceMs ?? null };
      return { ...before, hooks: { ...before.hooks, [consumer]: one } };
    }
  }
}

/** Who has the lease waits for it, or takes it again, only after losing it. */
function afterLease(before: SpaceMetrics, standby: boolean): SpaceMetrics {
  const hadIt = before.freshness.standby === false;
  const leaseLost = before.leaseLost + (hadIt ? 1 : 0);
  return { ...before, leaseLost, freshness: { ...before.freshness, standby } };
}

function afterRun(before: SpaceMetrics, run: RunEnded): SpaceMetrics {
  const { total, retried, rateLimited }: SentRequests = run.report?.requests ?? run.requests ?? noRequests;
  return {
    ...before,
    freshness: freshnessAfter(before.freshness, run),
    isRunning: false,
    lastRunAtMs: run.atMs,
    nextRunAtMs: run.nextAtMs,
    runs: counted(before.runs, run.outcome),
    requests: before.requests + total,
    retried: before.retried + retried,
    rateLimited: before.rateLimited + rateLimited,
    durations: withDuration(before.durations, run.durationMs / 1000),
    problems: problemCounts(run.problems.length > 0 ? run.problems : (run.report?.problems ?? [])),
    storeFailures: run.problems
      .map(({ code }) => code)
      .filter(isOfStore)
      .reduce(counted, before.storeFailures),
  };
}

function isOfStore(code: ErrorCode): boolean {
  return code.startsWith("STORE_");
}

function counted<Name extends string>(counts: Counts<Name>, name: Name): Counts<Name> {
  return { ...counts, [name]: (counts[name] ?? 0) + 1 };
}

function withDuration({ counts, sum }: Durations, seconds: number): Durations {
  const found = durationBounds.findIndex((bound) => seconds <= bound);
  const bucket = found === -1 ? durationBounds.length : found;
  return { counts: counts.map((count, index) => (index === bucket ? count + 1 : count)), sum: sum + seconds };
}

function problemCounts(problems: readonly Problem[]): Counts<ErrorCode> {
  const counts: Partial<Record<ErrorCode, number>> = {};
  for (const problem of problems) counts[problem.code] = (counts[problem.code] ?? 0) + countProblems([problem]);
  return counts;
}
