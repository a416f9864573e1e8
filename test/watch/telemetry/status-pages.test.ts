import { expect, test } from "vitest";
import { metricsAfter, startMetrics } from "../../../src/watch/telemetry/metrics.js";
import { freshnessAfter, type SpaceFreshness } from "../../../src/watch/telemetry/space-freshness.js";
import { statusDocument } from "../../../src/watch/telemetry/status-document.js";
import { freshnessAnswer, liveness, readiness, statusPages } from "../../../src/watch/telemetry/status-pages.js";

const nowMs = Date.parse("2026-03-01T12:00:00Z");

function confirmed(space: string, agoMs: number | null, more: Partial<SpaceFreshness> = {}): SpaceFreshness {
  const confirmedAtMs = agoMs === null ? null : nowMs - agoMs;
  return { space, generation: 7, committedAtMs: 1, confirmedAtMs, held: false, maxAgeMs: 60_000, ...more };
}

test("fresh while every space was confirmed within its maximum age", () => {
  const answer = freshnessAnswer([confirmed("a", 60_000), confirmed("b", 90_000, { maxAgeMs: 100_000 })], nowMs);
  expect(answer.status).toBe(200);
});

test("one outdated space gives 503, and the body names it", () => {
  const answer = freshnessAnswer([confirmed("a", 1000), confirmed("b", 60_001)], nowMs);
  expect(answer).toEqual({
    status: 503,
    body: {
      fresh: false,
      spaces: [
        {
          space: "a",
          fresh: true,
          generation: 7,
          confirmedAt: "2026-03-01T11:59:59.000Z",
          ageSeconds: 1,
          maxAgeSeconds: 60,
        },
        {
          space: "b",
          fresh: false,
          generation: 7,
          confirmedAt: "2026-03-01T11:58:59.999Z",
          ageSeconds: 60,
          maxAgeSeconds: 60,
        },
      ],
    },
  });
});

test("a space never confirmed is not fresh", () => {
  const answer = freshnessAnswer([confirmed("a", null, { generation: null })], nowMs);
  expect(answer.status).toBe(503);
  expect(answer.body).toMatchObject({ spaces: [{ space: "a", fresh: false, confirmedAt: null, ageSeconds: null }] });
});

test("a held generation is fresh at any age: somebody wants it to stay", () => {
  const answer = freshnessAnswer([confirmed("a", 999_999_999, { held: true })], nowMs);
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({ spaces: [{ held: true, fresh: true }] });
});

test("a time in the future proves nothing, and a run that confirms the space replaces it", () => {
  const before = confirmed("a", -3_600_000);
  expect(freshnessAnswer([before], nowMs).status).toBe(503);
  expect(freshnessAnswer([confirmed("a", -2000)], nowMs).status).toBe(200);
  const told = statusDocument(startMetrics([before]), { version: "1", nowMs }).spaces[0];
  expect(told).toMatchObject({ ready: false, readyUntil: null });
  const run = { atMs: nowMs, reasons: [], durationMs: 10, exitCode: 0, problems: [], nextAtMs: null };
  const after = freshnessAfter(before, { kind: "run-ended", space: "a", outcome: "unchanged", ...run });
  expect(after.confirmedAtMs).toBe(nowMs - 10);
});

test.each([
  ["UPSTREAM_REFUSED", false],
  ["UPSTREAM_UNREACHABLE", false],
  ["UPSTREAM_INCONSISTENT", false],
  ["LOCKED", true],
  ["OUTPUT_UNUSABLE", true],
] as const)("whether a generation is still held after a run that failed with %s: %s", (code, held) => {
  const problems = [{ code, message: "", hint: "" }];
  const run = { atMs: nowMs, reasons: [], durationMs: 10, exitCode: 1, problems, nextAtMs: null };
  const before = confirmed("a", 999_999_999, { held: true });
  const after = freshnessAfter(before, { kind: "run-ended", space: "a", outcome: "failed", ...run });
  expect(after.held).toBe(held);
  expect(freshnessAnswer([after], nowMs).status).toBe(held ? 200 : 503);
});

test("a process that answers is alive, whatever the age of its copies", () => {
  expect(liveness()).toEqual({ status: 200, body: { alive: true } });
});

test("a process is ready although one of its spaces is broken, so that a rollout goes on", () => {
  expect(readiness([confirmed("a", 1000), confirmed("broken", null)], [])).toEqual({
    status: 200,
    body: { ready: true },
  });
});

test("not ready before the lease of each bucket was read, as its holder or as a standby", () => {
  const spaces = (standby?: boolean) => [
    confirmed("folder", 0),
    confirmed("bucket", 0, standby === undefined ? {} : { standby }),
  ];
  expect(readiness(spaces(), ["bucket"])).toEqual({ status: 503, body: { ready: false, waitsFor: ["bucket"] } });
  expect(readiness(spaces(true), ["bucket"]).status).toBe(200);
  expect(readiness(spaces(false), ["bucket"]).status).toBe(200);
});

test("the pages of a server show the current metrics", () => {
  let metrics = startMetrics([confirmed("a", 90_000), confirmed("b ß", 0)]);
  const pages = statusPages({ metrics: () => metrics, version: "1.2.3", now: () => nowMs });
  expect(Object.keys(pages)).toEqual(["/healthz", "/readyz", "/fresh", "/fresh/a", "/fresh/b%20%C3%9F", "/metrics"]);
  expect(pages["/healthz"]?.()).toEqual({
    status: 200,
    contentType: "application/json; charset=utf-8",
    body: '{"alive":true}\n',
  });
  const statusesOf = () => ["/readyz", "/fresh", "/fresh/a", "/fresh/b%20%C3%9F"].map((page) => pages[page]?.().status);
  expect(statusesOf()).toEqual([200, 503, 503, 200]);
  const run = { atMs: nowMs, reasons: [], durationMs: 10, exitCode: 0, problems: [], nextAtMs: null };
  metrics = metricsAfter(metrics, { kind: "run-ended", space: "a", outcome: "unchanged", ...run });
  expect(statusesOf()).toEqual([200, 200, 200, 200]);
  expect(pages["/metrics"]?.()).toMatchObject({ body: expect.stringContaining('offprint_ready{space="a"} 1\n') });
});
