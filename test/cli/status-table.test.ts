import { expect, test } from "vitest";
import { tableRow } from "../../src/cli/status-table.js";
import type { SpaceConfig } from "../../src/config/load/fleet.js";
import type { QueuedSpace } from "../../src/watch/fleet/fleet-state.js";

const minute = 60_000;
const nowMs = 1_000 * minute;

/** A space of `maxAge: 2m` and `recheck: 60m`, whose folder says that it was confirmed so long ago. */
function found(confirmedAgoMs: number | null, store?: object) {
  const config = { schedule: { maxAgeMs: 2 * minute }, source: { recheckMs: 60 * minute }, output: { store } };
  const confirmedAtMs = confirmedAgoMs === null ? null : nowMs - confirmedAgoMs;
  const generation = confirmedAgoMs === null ? null : 4;
  const lastWeek = { requests: 3, runs: 1, isWhole: true };
  const status = { generation, held: false, level: "exact" as const, cv: 1, confirmedAtMs, lastWeek, problems: [] };
  return { space: { name: "blog", config } as unknown as SpaceConfig, status, exitCode: 0 };
}

function queued(confirmedAgoMs: number, more: Partial<QueuedSpace> = {}): QueuedSpace {
  const freshness = { generation: 4, committedAtMs: 1, confirmedAtMs: nowMs - confirmedAgoMs, held: false };
  return { state: "idle", worker: "web:7", sinceMs: nowMs, lastRun: null, freshness, ...more };
}

test("a space that workers confirmed 11 s ago is not 11 minutes old, as its folder says", () => {
  const row = tableRow(found(11 * minute), queued(11_000), nowMs);
  expect(row).toMatchObject({
    isStale: false,
    isBound: false,
    isFailed: false,
    status: { confirmedAtMs: nowMs - 11_000 },
  });
});

test("a queue that knows less than the folder changes nothing", () => {
  const before = queued(3 * minute);
  expect(tableRow(found(1000), before, nowMs).status.confirmedAtMs).toBe(nowMs - 1000);
  const older = { ...before.freshness!, generation: 3, confirmedAtMs: nowMs - 10 };
  expect(tableRow(found(1000), { ...before, freshness: older }, nowMs).status.confirmedAtMs).toBe(nowMs - 1000);
});

test("without a queue a folder says at most how old a copy is, so it is stale only after a recheck is missing, too", () => {
  expect(tableRow(found(50 * minute), undefined, nowMs)).toMatchObject({ isBound: true, isStale: false });
  expect(tableRow(found(63 * minute), undefined, nowMs)).toMatchObject({ isBound: true, isStale: true });
  // A bucket's lease carries each confirmation.
  expect(tableRow(found(3 * minute, {}), undefined, nowMs)).toMatchObject({ isBound: false, isStale: true });
  expect(tableRow(found(null), undefined, nowMs).isStale).toBe(true);
});

test("a parked space says since when it is refused, by the queue or by its folder", () => {
  const refusal = { sinceMs: nowMs - 300 * minute, code: "UPSTREAM_REFUSED" as const };
  const lastRun = { atMs: nowMs - 10, durationMs: 5, outcome: "failed", exitCode: 4, codes: ["UPSTREAM_REFUSED"] };
  const failing = { codes: ["UPSTREAM_REFUSED"], sinceMs: refusal.sinceMs };
  const byQueue = queued(1000, { lastRun: { ...lastRun, failingSinceMs: refusal.sinceMs, refusal } });
  expect(tableRow(found(1000), byQueue, nowMs)).toMatchObject({ failing, parkedSinceMs: refusal.sinceMs });
  const byFolder = { ...found(1000), noted: refusal };
  expect(tableRow(byFolder, undefined, nowMs)).toMatchObject({
    failing,
    isFailed: true,
    parkedSinceMs: refusal.sinceMs,
  });
  const young = { ...refusal, sinceMs: nowMs - 30 * minute };
  expect(
    tableRow(found(1000), queued(1000, { lastRun: { ...lastRun, refusal: young } }), nowMs).parkedSinceMs,
  ).toBeUndefined();
});

test("a space that fails says with which codes and since when, whatever its folder has", () => {
  const lastRun = { atMs: nowMs - 10, durationMs: 5, outcome: "failed", exitCode: 5, codes: ["UPSTREAM_UNREACHABLE"] };
  const row = (failingSinceMs?: number) =>
    tableRow(found(1000), queued(1000, { state: "active", lastRun: { ...lastRun, failingSinceMs } }), nowMs);
  const sinceMs = nowMs - 28 * minute;
  expect(row(sinceMs)).toMatchObject({ isFailed: true, failing: { codes: ["UPSTREAM_UNREACHABLE"], sinceMs } });
  expect(row()).toMatchObject({ failing: { sinceMs: nowMs - 10 } });
});

test("a space whose command fails needs a person, unless its sync fails: that is said first", () => {
  const failures = { times: 14, sinceMs: nowMs - 90 * minute, code: "HOOK_FAILED", againAtMs: nowMs } as const;
  const { status, ...rest } = found(1000);
  const of = { ...rest, status: { ...status, consumers: [{ consumer: "site", failures }] } };
  expect(tableRow(of, undefined, nowMs)).toMatchObject({
    isFailed: true,
    failing: { codes: ["HOOK_FAILED"], sinceMs: nowMs - 90 * minute },
  });
  const lastRun = { atMs: nowMs, durationMs: 5, outcome: "failed", exitCode: 5, codes: ["UPSTREAM_UNREACHABLE"] };
  expect(tableRow(of, queued(1000, { lastRun }), nowMs)).toMatchObject({ failing: { codes: lastRun.codes } });
});
