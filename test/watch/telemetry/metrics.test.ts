import fc from "fast-check";
import { expect, test } from "vitest";
import type { SyncReport } from "../../../src/sync/report.js";
import {
  durationBounds,
  type Metrics,
  metricsAfter,
  startMetrics,
  withFreshness,
  withKept,
  withRunElsewhere,
} from "../../../src/watch/telemetry/metrics.js";
import { families, metricsText } from "../../../src/watch/telemetry/metrics-text.js";
import type { SpaceFreshness } from "../../../src/watch/telemetry/space-freshness.js";
import type { RunEnded, WatchEvent } from "../../../src/watch/watch-event.js";

const hour = 3_600_000;

function freshness(space: string, more: Partial<SpaceFreshness> = {}): SpaceFreshness {
  return { space, generation: 4, committedAtMs: 1000, confirmedAtMs: 2000, held: false, maxAgeMs: hour, ...more };
}

function ended(space: string, more: Partial<RunEnded> = {}): RunEnded {
  return {
    kind: "run-ended",
    space,
    atMs: 10_000,
    reasons: [{ kind: "schedule" }],
    outcome: "unchanged",
    durationMs: 400,
    exitCode: 0,
    report: {
      generation: 4,
      requests: { total: 1, retried: 0, rateLimited: 0 },
      problems: [],
    } as unknown as SyncReport,
    problems: [],
    nextAtMs: 310_000,
    ...more,
  };
}

function textAfter(events: readonly WatchEvent[], spaces = [freshness("blog")], nowMs = 11_000): string {
  const metrics = events.reduce<Metrics>(metricsAfter, startMetrics(spaces));
  return metricsText(metrics, { version: "1.2.3", nowMs });
}

/** The value of a line, by its beginning as it stands in the text. */
function sampleOf(text: string, series: string): number | undefined {
  const line = text.split("\n").find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

test("before any run, the text gives the age of the copy and counts nothing", () => {
  expect(textAfter([])).toMatchInlineSnapshot(`
    "# HELP offprint_build_info Version of the program; always 1.
    # TYPE offprint_build_info gauge
    offprint_build_info{version="1.2.3"} 1
    # HELP offprint_ready 1 while the space was confirmed within its maximum age, is held, or is synced by another process.
    # TYPE offprint_ready gauge
    offprint_ready{space="blog"} 1
    # HELP offprint_standby 1 while another process syncs the space and this one stands by.
    # TYPE offprint_standby gauge
    offprint_standby{space="blog"} 0
    # HELP offprint_last_confirmed_timestamp_seconds When the generation was last known to match the space; 0: never.
    # TYPE offprint_last_confirmed_timestamp_seconds gauge
    offprint_last_confirmed_timestamp_seconds{space="blog"} 2
    # HELP offprint_last_commit_timestamp_seconds When the current generation was committed; 0: never.
    # TYPE offprint_last_commit_timestamp_seconds gauge
    offprint_last_commit_timestamp_seconds{space="blog"} 1
    # HELP offprint_max_age_seconds The setting schedule.maxAge of the space.
    # TYPE offprint_max_age_seconds gauge
    offprint_max_age_seconds{space="blog"} 3600
    # HELP offprint_generation Number of the current generation; 0: none.
    # TYPE offprint_generation gauge
    offprint_generation{space="blog"} 4
    # HELP offprint_run_in_progress 1 while a sync runs.
    # TYPE offprint_run_in_progress gauge
    offprint_run_in_progress{space="blog"} 0
    # HELP offprint_last_run_timestamp_seconds When the last sync ended; 0: never.
    # TYPE offprint_last_run_timestamp_seconds gauge
    offprint_last_run_timestamp_seconds{space="blog"} 0
    # HELP offprint_next_run_timestamp_seconds When the next sync is due; 0: unknown.
    # TYPE offprint_next_run_timestamp_seconds gauge
    offprint_next_run_timestamp_seconds{space="blog"} 0
    # HELP offprint_runs_total Finished syncs, by outcome.
    # TYPE offprint_runs_total counter
    offprint_runs_total{space="blog",outcome="committed"} 0
    offprint_runs_total{space="blog",outcome="unchanged"} 0
    offprint_runs_total{space="blog",outcome="kept"} 0
    offprint_runs_total{space="blog",outcome="failed"} 0
    # HELP offprint_requests_total Requests to the upstream, by syncs that ended or failed.
    # TYPE offprint_requests_total counter
    offprint_requests_total{space="blog"} 0
    # HELP offprint_requests_retried_total Of these requests, those sent again after a failure.
    # TYPE offprint_requests_retried_total counter
    offprint_requests_retried_total{space="blog"} 0
    # HELP offprint_requests_rate_limited_total Of these requests, those answered 429 (too many requests).
    # TYPE offprint_requests_rate_limited_total counter
    offprint_requests_rate_limited_total{space="blog"} 0
    # HELP offprint_run_duration_seconds How long a sync took.
    # TYPE offprint_run_duration_seconds histogram
    offprint_run_duration_seconds_bucket{space="blog",le="0.1"} 0
    offprint_run_duration_seconds_bucket{space="blog",le="0.5"} 0
    offprint_run_duration_seconds_bucket{space="blog",le="1"} 0
    offprint_run_duration_seconds_bucket{space="blog",le="5"} 0
    offprint_run_duration_seconds_bucket{space="blog",le="15"} 0
    offprint_run_duration_seconds_bucket{space="blog",le="60"} 0
    offprint_run_duration_seconds_bucket{space="blog",le="300"} 0
    offprint_run_duration_seconds_bucket{space="blog",le="900"} 0
    offprint_run_duration_seconds_bucket{space="blog",le="3600"} 0
    offprint_run_duration_seconds_bucket{space="blog",le="+Inf"} 0
    offprint_run_duration_seconds_sum{space="blog"} 0
    offprint_run_duration_seconds_count{space="blog"} 0
    "
  `);
});

test("an unchanged run confirms the space as of its start", () => {
  const text = textAfter([ended("blog")]);
  expect(sampleOf(text, 'offprint_last_confirmed_timestamp_seconds{space="blog"}')).toBe(9.6);
  expect(sampleOf(text, 'offprint_last_commit_timestamp_seconds{space="blog"}')).toBe(1);
  expect(sampleOf(text, 'offprint_runs_total{space="blog",outcome="unchanged"}')).toBe(1);
  expect(sampleOf(text, 'offprint_requests_total{space="blog"}')).toBe(1);
  expect(sampleOf(text, 'offprint_next_run_timestamp_seconds{space="blog"}')).toBe(310);
});

test("a run that failed counts what it sent, with retries and answers 429", () => {
  const text = textAfter([
    ended("blog"),
    ended("blog", { outcome: "failed", report: undefined, requests: { total: 6, retried: 5, rateLimited: 4 } }),
  ]);
  expect(sampleOf(text, 'offprint_requests_total{space="blog"}')).toBe(7);
  expect(sampleOf(text, 'offprint_requests_retried_total{space="blog"}')).toBe(5);
  expect(sampleOf(text, 'offprint_requests_rate_limited_total{space="blog"}')).toBe(4);
});

test("failed, kept and unclean runs confirm nothing, so the age grows", () => {
  const unclean = { code: "UPSTREAM_INCONSISTENT", message: "", hint: "" } as const;
  for (const run of [
    ended("blog", { outcome: "failed", report: undefined }),
    ended("blog", { outcome: "kept" }),
    ended("blog", { outcome: "committed", problems: [unclean] }),
  ]) {
    expect(sampleOf(textAfter([run]), 'offprint_last_confirmed_timestamp_seconds{space="blog"}')).toBe(2);
  }
});

test("a space never confirmed has the age of the epoch, which every age alert sees", () => {
  const never = freshness("blog", { generation: null, committedAtMs: null, confirmedAtMs: null });
  const text = textAfter([], [never]);
  expect(sampleOf(text, 'offprint_last_confirmed_timestamp_seconds{space="blog"}')).toBe(0);
  expect(sampleOf(text, 'offprint_ready{space="blog"}')).toBe(0);
});

test("problems are those of the last run, counted by code", () => {
  const dead = { code: "LINK_DEAD", message: "/a", hint: "", count: 3 } as const;
  const refused = { code: "UPSTREAM_REFUSED", message: "401", hint: "" } as const;
  const first = ended("blog", { problems: [dead, { ...dead, count: 2 }] });
  expect(sampleOf(textAfter([first]), 'offprint_problems{space="blog",code="LINK_DEAD"}')).toBe(5);
  const text = textAfter([first, ended("blog", { outcome: "failed", report: undefined, problems: [refused] })]);
  expect(text).not.toContain("LINK_DEAD");
  expect(sampleOf(text, 'offprint_problems{space="blog",code="UPSTREAM_REFUSED"}')).toBe(1);
});

test("webhooks to unknown spaces are counted without the caller's text", () => {
  const events = ["'; rm -rf /", "other", undefined].map(
    (space): WatchEvent => ({ kind: "webhook", space, atMs: 1, result: "unknown-space", event: "published 1" }),
  );
  const text = textAfter([...events, { kind: "webhook", space: "blog", atMs: 1, result: "accepted" }]);
  expect(text.split("\n").filter((line) => line.startsWith("offprint_webhooks_total"))).toEqual([
    'offprint_webhooks_total{space="blog",result="accepted"} 1',
    'offprint_webhooks_total{result="unknown-space"} 3',
  ]);
});

test("a lease is lost by whoever had it, not by a standby", () => {
  const wait: WatchEvent = { kind: "standing-by", space: "blog", atMs: 1, holder: null };
  const take: WatchEvent = { kind: "took-over", space: "blog", atMs: 1 };
  const lost = (...events: WatchEvent[]) => sampleOf(textAfter(events), 'offprint_lease_lost_total{space="blog"}');
  expect(lost()).toBeUndefined();
  expect(lost(wait, wait, take)).toBe(0);
  expect(lost(wait, take, wait)).toBe(1);
  expect(lost(take, take, wait, wait, take, take)).toBe(3);
});

test("syncs that the store failed are counted by code, and each once", () => {
  const problem = (code: "STORE_UNREACHABLE" | "LINK_DEAD") => ({ code, message: "", hint: "" });
  const failed = ended("blog", { outcome: "failed", report: undefined, problems: [problem("STORE_UNREACHABLE")] });
  const text = textAfter([failed, failed, ended("blog", { problems: [problem("LINK_DEAD")] })]);
  expect(sampleOf(text, 'offprint_store_failures_total{space="blog",code="STORE_UNREACHABLE"}')).toBe(2);
  expect(text).not.toContain('offprint_store_failures_total{space="blog",code="LINK_DEAD"}');
});

test("what the output has is told until another process commits a later generation", () => {
  const kept = { generation: 4, generations: 3, bytes: 1000 };
  const metrics = withKept(startMetrics([freshness("blog")]), "blog", kept);
  const text = (one: Metrics) => metricsText(one, { version: "1.2.3", nowMs: 11_000 });
  expect(sampleOf(text(metrics), 'offprint_generations_kept{space="blog"}')).toBe(3);
  expect(sampleOf(text(metrics), 'offprint_output_bytes{space="blog"}')).toBe(1000);
  const later = text(withFreshness(metrics, "blog", { generation: 5, confirmedAtMs: 3000 }));
  expect(later).not.toMatch(/offprint_generations_kept|offprint_output_bytes/);
});

test("a worker tells of its queue, and since when it is gone", () => {
  const told = { workersAlive: 3, jobsWaiting: 2 };
  const text = (queue: Metrics["queue"]) =>
    metricsText({ ...startMetrics([]), queue }, { version: "1.2.3", commit: "f00", nowMs: 11_000 });
  expect(text(undefined)).toBe(
    '# HELP offprint_build_info Version of the program; always 1.\n# TYPE offprint_build_info gauge\noffprint_build_info{version="1.2.3",commit="f00"} 1\n',
  );
  const values = (queue: Metrics["queue"]) =>
    ["up", "gone_since_timestamp_seconds", "workers_alive", "jobs_waiting"].map((name) =>
      sampleOf(text(queue), `offprint_queue_${name}`),
    );
  expect(values({})).toEqual([1, 0, undefined, undefined]);
  expect(values({ told })).toEqual([1, 0, 3, 2]);
  expect(values({ told, goneSinceMs: 5000 })).toEqual([0, 5, 3, 2]);
});

test("hooks and expectations are counted by consumer and result", () => {
  const hook = { kind: "hook", space: "blog", atMs: 1, from: null, to: 5, durationMs: 1 } as const;
  const text = textAfter([
    { ...hook, consumer: "build", result: "done" },
    { ...hook, consumer: "build", result: "failed" },
    { ...hook, consumer: "constructor", result: "done" },
    { kind: "expectation", space: "blog", atMs: 1, result: "not-seen", probes: 7, waitedMs: 120_000 },
  ]);
  expect(sampleOf(text, 'offprint_hooks_total{space="blog",consumer="build",result="failed"}')).toBe(1);
  expect(sampleOf(text, 'offprint_hooks_total{space="blog",consumer="constructor",result="done"}')).toBe(1);
  expect(sampleOf(text, 'offprint_expectations_total{space="blog",result="not-seen"}')).toBe(1);
});

test("the process that ran the space last reports its problems: the others forget theirs", () => {
  const refused = { code: "UPSTREAM_REFUSED", message: "", hint: "" } as const;
  const failed = ended("blog", { outcome: "failed", report: undefined, problems: [refused] });
  const metrics = metricsAfter(startMetrics([freshness("blog")]), failed);
  const problems = (one: Metrics) => one.spaces.get("blog")?.problems;
  // The worker's own run, or one before it, changes nothing.
  for (const atMs of [9000, 10_000])
    expect(problems(withRunElsewhere(metrics, "blog", atMs))).toEqual({ UPSTREAM_REFUSED: 1 });
  expect(problems(withRunElsewhere(metrics, "blog", 10_001))).toEqual({});
  expect(withRunElsewhere(metrics, "of-another-file", 10_001)).toBe(metrics);

  const standingBy = { kind: "standing-by", space: "blog", atMs: 11_000 } as const;
  const holder = { host: "web-2", pid: 7, since: "2026-11-22T20:15:04Z" };
  expect(problems(metricsAfter(metrics, { ...standingBy, holder }))).toEqual({});
  // A store that cannot be read names no holder.
  expect(problems(metricsAfter(metrics, { ...standingBy, holder: null }))).toEqual({ UPSTREAM_REFUSED: 1 });
});

test("the metrics say since when the command of a consumer fails, until it succeeds or another process has done its work", () => {
  const hook = { kind: "hook", space: "blog", consumer: "site", atMs: 9000, from: null, to: 5, durationMs: 1 } as const;
  const failed = { ...hook, result: "failed", failures: { times: 3, sinceMs: 5000, againAtMs: null } } as const;
  const since = (...events: WatchEvent[]) =>
    sampleOf(textAfter(events), 'offprint_hook_failing_since_timestamp_seconds{space="blog",consumer="site"}');
  expect(since(failed)).toBe(5);
  expect(since(failed, { ...hook, result: "done" })).toBe(0);
  expect(since(failed, { ...hook, result: "nothing" })).toBe(0);
  const text = textAfter([failed, { ...hook, result: "nothing" }]);
  expect(text.split("\n").filter((line) => line.startsWith("offprint_hooks_total"))).toEqual([
    'offprint_hooks_total{space="blog",consumer="site",result="failed"} 1',
  ]);
});

const anyCharacter = fc.constantFrom('"', "\\", "\n", "\r", "n", "}", ",", "=", " ", "ü", "\u2028", "\0", "😀");

test("any label value stays on one line and can be read back", () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 12 }), (consumer) => {
      const hook = { kind: "hook", space: "blog", atMs: 1, from: 1, to: 2, result: "done", durationMs: 1 } as const;
      const found = textAfter([{ ...hook, consumer }])
        .split("\n")
        .filter((line) => line.startsWith("offprint_hooks_total"));
      expect(found).toHaveLength(1);
      const [, written = "?"] =
        /^offprint_hooks_total\{space="blog",consumer="(.*)",result="done"\} 1$/su.exec(found[0] ?? "") ?? [];
      expect(written.replace(/\\(.)/gsu, (_, mark) => (mark === "n" ? "\n" : mark))).toBe(consumer);
    }),
  );
});

test("duration buckets are cumulative and end with all of them", () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 5_000_000 }), { maxLength: 20 }), (durations) => {
      const text = textAfter(durations.map((durationMs) => ended("blog", { durationMs })));
      const name = "offprint_run_duration_seconds";
      for (const bound of durationBounds) {
        const below = durations.filter((ms) => ms / 1000 <= bound).length;
        expect(sampleOf(text, `${name}_bucket{space="blog",le="${bound}"}`)).toBe(below);
      }
      expect(sampleOf(text, `${name}_bucket{space="blog",le="+Inf"}`)).toBe(durations.length);
      expect(sampleOf(text, `${name}_count{space="blog"}`)).toBe(durations.length);
      const sum = durations.reduce((all, ms) => all + ms, 0) / 1000;
      expect(sampleOf(text, `${name}_sum{space="blog"}`)).toBeCloseTo(sum, 6);
    }),
  );
});

test("only facts of the process have no label; names are distinct, and a counter's ends with _total", () => {
  const names = families.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  const ofTheProcess = families.filter(({ labels }) => labels.length === 0).map(({ name }) => name);
  expect(ofTheProcess).toEqual([
    "offprint_queue_up",
    "offprint_queue_gone_since_timestamp_seconds",
    "offprint_queue_workers_alive",
    "offprint_queue_jobs_waiting",
    "offprint_resident_memory_bytes",
  ]);
  expect(families.filter(({ type, name }) => (type === "counter") !== name.endsWith("_total"))).toEqual([]);
});
