import { expect, test } from "vitest";
import { metricsAfter, startMetrics } from "../../../src/watch/telemetry/metrics.js";
import { freshnessAfter, type SpaceFreshness } from "../../../src/watch/telemetry/space-freshness.js";
import { statusDocument } from "../../../src/watch/telemetry/status-document.js";
import { liveness, readiness, statusPages } from "../../../src/watch/telemetry/status-pages.js";

const nowMs = Date.parse("2026-03-01T12:00:00Z");

function confirmed(space: string, agoMs: number | null, more: Partial<SpaceFreshness> = {}): SpaceFreshness {
  const confirmedAtMs = agoMs === null ? null : nowMs - agoMs;
  return { space, generation: 7, committedAtMs: 1, confirmedAtMs, held: false, maxAgeMs: 60_000, ...more };
}

test("ready while every space was confirmed within its maximum age", () => {
  const answer = readiness([confirmed("a", 60_000), confirmed("b", 90_000, { maxAgeMs: 100_000 })], nowMs);
  expect(answer.status).toBe(200);
});

test("one outdated space gives 503, and the body names it", () => {
  const answer = readiness([confirmed("a", 1000), confirmed("b", 60_001)], nowMs);
  expect(answer).toEqual({
    status: 503,
    body: {
      ready: false,
      spaces: [
        {
          space: "a",
          ready: true,
          generation: 7,
          confirmedAt: "2026-03-01T11:59:59.000Z",
          ageSeconds: 1,
          maxAgeSeconds: 60,
        },
        {
          space: "b",
          ready: false,
          generation: 7,
          confirmedAt: "2026-03-01T11:58:59.999Z",
          ageSeconds: 60,
          maxAgeSeconds: 60,
        },
      ],
    },
  });
});

test("a space never confirmed is not ready", () => {
  const answer = readiness([confirmed("a", null, { generation: null })], nowMs);
  expect(answer.status).toBe(503);
  expect(answer.body).toMatchObject({ spaces: [{ space: "a", ready: false, confirmedAt: null, ageSeconds: null }] });
});

test("a held generation is ready at any age: somebody wants it to stay", () => {
  const answer = readiness([confirmed("a", 999_999_999, { held: true })], nowMs);
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({ spaces: [{ held: true, ready: true }] });
});

test("a time in the future proves nothing, and a run that confirms the space replaces it", () => {
  const before = confirmed("a", -3_600_000);
  expect(readiness([before], nowMs).status).toBe(503);
  expect(readiness([confirmed("a", -2000)], nowMs).status).toBe(200);
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
  expect(readiness([after], nowMs).status).toBe(held ? 200 : 503);
});

test("a process that answers is alive, ready or not", () => {
  expect(liveness()).toEqual({ status: 200, body: { alive: true } });
});

test("the pages of a server show the current metrics", () => {
  let metrics = startMetrics([confirmed("a", 90_000)]);
  const pages = statusPages({ metrics: () => metrics, version: "1.2.3", now: () => nowMs });
  expect(Object.keys(pages)).toEqual(["/healthz", "/readyz", "/metrics"]);
  expect(pages["/healthz"]?.()).toEqual({
    status: 200,
    contentType: "application/json; charset=utf-8",
    body: '{"alive":true}\n',
  });
  expect(pages["/readyz"]?.().status).toBe(503);
  const run = { atMs: nowMs, reasons: [], durationMs: 10, exitCode: 0, problems: [], nextAtMs: null };
  metrics = metricsAfter(metrics, { kind: "run-ended", space: "a", outcome: "unchanged", ...run });
  expect(pages["/readyz"]?.().status).toBe(200);
  expect(pages["/metrics"]?.()).toMatchObject({ body: expect.stringContaining('offprint_ready{space="a"} 1\n') });
});
