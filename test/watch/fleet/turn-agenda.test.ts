import { expect, test } from "vitest";
import type { RunRecord } from "../../../src/watch/fleet/fleet-records.js";
import { queuedSpaces } from "../../../src/watch/fleet/fleet-state.js";
import { jobId } from "../../../src/watch/fleet/space-job.js";
import {
  agendaAfterSettingBack,
  dueJobs,
  missedJob,
  startAgenda,
  untilDueMs,
} from "../../../src/watch/fleet/turn-agenda.js";
import { turnsOf } from "../../../src/watch/next-turn.js";

const atMs = 1_800_000_000_000;
const minute = 60_000;
const turns = turnsOf({ everyMs: 5 * minute, jitterMs: 0, maxAgeMs: 0 }, "blog");
const fleet = new Map([["blog", turns]]);

function run(space: string, ms: number, confirmedAtMs: number | null): RunRecord {
  const freshness = { generation: 1, committedAtMs: 1, confirmedAtMs, held: false };
  return {
    space,
    worker: "a:1",
    atMs: ms,
    durationMs: 9,
    outcome: "failed",
    exitCode: 5,
    codes: ["LOCKED"],
    freshness,
  };
}

test("workers whose clocks differ by a minute give the job of a turn the same id", () => {
  const ids = [0, minute].map((skew) => {
    const agenda = startAgenda(fleet, atMs + 1);
    return dueJobs(agenda, fleet, atMs + 5 * minute + skew).jobs.map(jobId);
  });
  expect(ids[0]).toEqual([`blog/turn/${atMs + 5 * minute}`]);
  expect(ids[1]).toEqual(ids[0]);
});

test("many missed turns make one job, and none twice", () => {
  const { jobs, agenda } = dueJobs(startAgenda(fleet, atMs), fleet, atMs + 61 * minute);
  expect(jobs).toHaveLength(1);
  expect(dueJobs(agenda, fleet, atMs + 61 * minute).jobs).toEqual([]);
  expect(untilDueMs(agenda, atMs + 61 * minute)).toBe(4 * minute);
});

test("a clock set back brings the next turn nearer", () => {
  const agenda = agendaAfterSettingBack(startAgenda(fleet, atMs), fleet, atMs - 60 * minute);
  expect(untilDueMs(agenda, atMs - 60 * minute)).toBe(5 * minute);
});

test("workers that start together find the same missed turn", () => {
  const known = { space: "blog", confirmedAtMs: atMs - 30 * minute, hasOutstanding: false, lastRun: undefined };
  const found = [0, 7, minute].map((skew) => missedJob(known, turns, atMs + skew));
  expect(found.map((job) => job?.atMs)).toEqual(Array(3).fill(atMs - 25 * minute));
  const never = { ...known, confirmedAtMs: null };
  expect([0, minute].map((skew) => missedJob(never, turns, atMs + skew)?.atMs)).toEqual([0, 0]);
});

test("a space that another worker has just confirmed missed nothing; one with a failed run is retried", () => {
  const known = { space: "blog", confirmedAtMs: atMs - 30 * minute, hasOutstanding: false };
  expect(missedJob({ ...known, lastRun: run("blog", atMs, atMs) }, turns, atMs + 1)).toBeUndefined();
  const failed = run("blog", atMs - minute, null);
  const [first, later] = [failed, { ...failed, atMs: atMs - 1 }].map((lastRun) =>
    missedJob({ space: "blog", confirmedAtMs: null, hasOutstanding: false, lastRun }, turns, atMs),
  );
  expect(first?.atMs).not.toBe(later?.atMs);
});

test("a current job takes precedence over the last run", () => {
  const job = { kind: "turn", atMs, sinceMs: atMs + 5 } as const;
  const runs = ["a", "b", "c"].map((space) => run(space, atMs, null));
  const spaces = queuedSpaces(runs, [
    { ...job, space: "a", state: "active", worker: "web:7" },
    { ...job, space: "a", state: "waiting", worker: undefined },
    { ...job, space: "b", state: "waiting", worker: undefined },
  ]);
  expect(spaces.get("a")).toMatchObject({
    state: "active",
    worker: "web:7",
    sinceMs: atMs + 5,
    lastRun: { exitCode: 5 },
  });
  expect(spaces.get("b")).toMatchObject({ state: "waiting", worker: null });
  expect(spaces.get("c")).toMatchObject({ state: "failed", worker: "a:1", sinceMs: atMs });
});

test("a second look is due once, in addition to the turns", () => {
  const agenda = new Map(startAgenda(fleet, atMs)).set("blog", {
    turnAtMs: atMs + 5 * minute,
    lookAtMs: atMs + minute,
  });
  expect(untilDueMs(agenda, atMs)).toBe(minute);
  const due = dueJobs(agenda, fleet, atMs + minute);
  expect(due.jobs).toEqual([{ space: "blog", kind: "look", atMs: atMs + minute }]);
  expect(dueJobs(due.agenda, fleet, atMs + minute).jobs).toEqual([]);
  expect(untilDueMs(due.agenda, atMs + minute)).toBe(4 * minute);
});
