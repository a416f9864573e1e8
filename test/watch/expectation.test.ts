import { expect, test } from "vitest";
import { type Agenda, nextAction } from "../../src/watch/agenda.js";
import { type Confirmed, expectStorm, judgeProbe, nextProbeMs, probeSteps } from "../../src/watch/expectation.js";
import { joinStorm, type Storm, stormEndMs } from "../../src/watch/storm.js";

const published = { name: "published 1", movesCv: true, spaceId: undefined };
const asset = { name: "asset.created 2", movesCv: false, spaceId: undefined };
/** Server time at 0 of the clock, in seconds. */
const epoch = 1_000_000;
const confirmed: Confirmed = { cv: epoch - 500, startedMs: -100_000 };

/** A storm of events that came at these moments of the clock. */
function stormOf(...events: [atMs: number, event: typeof published][]): Storm {
  return events.reduce<Storm | undefined>(
    (storm, [atMs, event]) => joinStorm(storm, event, atMs, confirmed.cv),
    undefined,
  )!;
}

/** What the upstream answers at a moment of the clock. */
const answer = (cv: number | null, nowMs: number) => ({ cv, serverMs: epoch * 1000 + nowMs });

test("a storm ends two seconds after its last event, and at most fifteen after its first", () => {
  expect(stormEndMs(stormOf([1000, published]))).toBe(3000);
  expect(stormEndMs(stormOf([1000, published], [2500, asset]))).toBe(4500);
  expect(stormEndMs(stormOf([1000, published], [15_500, published]))).toBe(16_000);
  expect(stormOf([0, asset], [1, published], [2, published]).events).toEqual({
    names: ["asset.created 2", "published 1"],
    count: 3,
    movesCv: true,
    beyondCv: "asset.created 2",
  });
});

const open = expectStorm(stormOf([10_000, published]), 12_000);
const judged: [what: string, cv: number | null, nowMs: number, passes: boolean][] = [
  ["the cv of before", epoch - 500, 12_000, false],
  ["a newer one that is too old for the event", epoch + 4, 12_000, false],
  ["one that is five seconds older than the event", epoch + 5, 12_000, true],
  ["that of the event's second", epoch + 10, 12_000, true],
  ["a later one", epoch + 90, 100_000, true],
];

for (const [what, cv, nowMs, passes] of judged) {
  test(`${what} ${passes ? "has passed" : "has not passed"} an event`, () => {
    const verdict = judgeProbe(open, answer(cv, nowMs), confirmed, nowMs);
    expect(verdict.result).toBe(passes ? "seen" : undefined);
    expect(verdict.open === undefined).toBe(passes);
    // What moved is read in any case.
    expect(verdict.runs).toBe(cv !== epoch - 500);
  });
}

test("waits on a recent cv confirmed before the event, which may belong to an earlier change, without reporting it", () => {
  const known: Confirmed = { cv: epoch + 8, startedMs: 9000 };
  let expectation = expectStorm(joinStorm(undefined, published, 10_000, known.cv), 12_000);
  for (const stepMs of probeSteps) {
    const nowMs = 12_000 + stepMs;
    expect(nextProbeMs(expectation)).toBe(nowMs);
    const verdict = judgeProbe(expectation, answer(known.cv, nowMs), known, nowMs);
    expect(verdict.runs).toBe(false);
    if (verdict.open === undefined) expect(verdict.result).toBe("seen");
    else expectation = verdict.open;
  }
  expect(expectation.step).toBe(probeSteps.length - 1);
});

test("accepts an event half a minute late; reports one whose change never shows", () => {
  const last = { ...open, step: probeSteps.length - 1 };
  const found = (cv: number) => judgeProbe(last, answer(cv, 132_000), { cv, startedMs: 13_000 }, 132_000);
  expect(found(epoch - 20)).toMatchObject({ open: undefined, runs: false, result: "seen" });
  expect(found(epoch - 500)).toMatchObject({ open: undefined, runs: false, result: "not-seen" });
});

test("does not read again what a run after the event has already read", () => {
  const since: Confirmed = { cv: epoch + 10, startedMs: 11_000 };
  expect(judgeProbe(open, answer(epoch + 10, 12_000), since, 12_000)).toMatchObject({ runs: false, result: "seen" });
  const before: Confirmed = { cv: epoch + 10, startedMs: 9000 };
  expect(judgeProbe(open, answer(epoch + 10, 12_000), before, 12_000)).toMatchObject({ runs: true, result: "seen" });
});

test("without a cv, reads the parts at once, and again at the end", () => {
  const first = judgeProbe(open, answer(null, 12_000), { ...confirmed, cv: null }, 12_000);
  expect(first).toMatchObject({ runs: true, recheck: "published 1", result: undefined });
  const second = judgeProbe(first.open!, answer(null, 14_000), { ...confirmed, cv: null }, 14_000);
  expect(second).toMatchObject({ runs: false, result: undefined });
  const last = { ...second.open!, step: probeSteps.length - 1 };
  expect(judgeProbe(last, answer(null, 132_000), confirmed, 132_000)).toEqual({
    open: undefined,
    runs: true,
    recheck: "published 1",
    result: undefined,
  });
});

test("further events do not hide that an earlier one was not seen", () => {
  let expectation = open;
  const results: unknown[] = [];
  for (let nowMs = 12_000; nowMs < 300_000; nowMs += 20_000) {
    expectation = expectStorm(stormOf([nowMs - 2000, published]), nowMs, expectation);
    const verdict = judgeProbe(expectation, answer(confirmed.cv, nowMs), confirmed, nowMs);
    results.push(verdict.result);
    expectation = verdict.open!;
  }
  expect(results.filter((result) => result === "not-seen")).toHaveLength(2);
});

test("picks the earliest: the end of a storm, a probe, a turn or a second look", () => {
  const storm = stormOf([0, published]);
  const expectation = expectStorm(storm, 2000);
  const agenda: Agenda = { turnAtMs: 5000, lookAtMs: 6000, storm, expectation };
  const at = (ms: number) => ({ nowMs: ms, elapsedMs: ms });
  expect(nextAction(agenda, at(1500))).toEqual({ kind: "wait", ms: 500 });
  expect(nextAction(agenda, at(9000))).toEqual({ kind: "expect", storm });
  expect(nextAction({ ...agenda, storm: undefined }, at(9000))).toEqual({ kind: "probe", expectation });
  const quiet = { ...agenda, storm: undefined, expectation: undefined };
  expect(nextAction(quiet, at(9000))).toEqual({ kind: "run", reasons: [{ kind: "schedule" }] });
  expect(nextAction({ ...quiet, turnAtMs: 9500 }, at(9000))).toEqual({ kind: "run", reasons: [{ kind: "recheck" }] });
  expect(nextAction({ ...quiet, turnAtMs: null, lookAtMs: null }, at(9000))).toEqual({
    kind: "wait",
    ms: Number.POSITIVE_INFINITY,
  });
});
