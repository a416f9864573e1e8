import { expect, test } from "vitest";
import { OffprintError } from "../../src/lib/errors.js";
import type { SyncReport } from "../../src/sync/report.js";
import { turnsOf } from "../../src/watch/next-turn.js";
import type { WatchEvent } from "../../src/watch/watch-event.js";
import type { WatchedSpace } from "../../src/watch/watch-space.js";
import { watchSpaces } from "../../src/watch/watch-spaces.js";
import { FakeClock } from "../support/fake-clock.js";

const second = 1000;
const report = { outcome: "committed", generation: 1, cv: 1, problems: [] } as unknown as SyncReport;

/** Spaces whose syncs take so long, or until they are aborted. */
function watching(syncMs: number, count = 1, concurrency = 1) {
  const clock = new FakeClock(Date.parse("2026-11-22T20:00:00Z"));
  const events: WatchEvent[] = [];
  const stop = new AbortController();
  const at = { running: 0, most: 0, runs: 0 };
  const space = (name: string): WatchedSpace => ({
    name,
    session: {
      probe: async () => ({ cv: 1, dateMs: null, total: null }),
      async sync({ signal, admit } = {}) {
        await admit?.();
        at.runs += 1;
        at.running += 1;
        at.most = Math.max(at.most, at.running);
        await clock.sleep(syncMs, signal);
        at.running -= 1;
        signal?.throwIfAborted();
        if (name === "broken") throw new OffprintError("UPSTREAM_REFUSED", "The token is wrong.");
        return report;
      },
    },
    turns: turnsOf({ everyMs: 3600 * second, maxAgeMs: 0 }, name),
    readKnown: async () => ({ spaceId: null, cv: null, confirmedAtMs: null, lookAtMs: null }),
    exitCodeOf: () => 0,
  });
  const names = ["broken", ...Array.from({ length: count - 1 }, (_, index) => `space-${index}`)];
  const watch = watchSpaces({
    spaces: (count === 1 ? ["blog"] : names).map(space),
    clock,
    concurrency,
    emit: (event) => void events.push(event),
    signal: stop.signal,
  });
  let doneMs: number | undefined;
  void watch.done.then(() => {
    doneMs = clock.elapsed();
  });
  const ended = () => events.filter((event) => event.kind === "run-ended");
  return { clock, events, stop, at, ended, doneMs: () => doneMs };
}

const terminated = new OffprintError("TERMINATED", "Terminated by a signal.");

test("an active run may finish after the signal, and no other begins", async () => {
  const { clock, stop, at, ended, doneMs } = watching(12 * second, 3);
  await clock.pass(10 * second);
  stop.abort(terminated);
  await clock.pass(60 * second);
  expect(ended().map(({ space, exitCode }) => [space, exitCode])).toEqual([
    ["broken", 4],
    ["space-0", 143],
    ["space-1", 143],
  ]);
  expect(at.runs).toBe(1);
  expect(doneMs()).toBe(12 * second);
});

test("aborts a run that does not end within 20 s, so that all is over within 25 s", async () => {
  const { clock, stop, ended, doneMs } = watching(600 * second);
  await clock.pass(10 * second);
  stop.abort(terminated);
  await clock.pass(60 * second);
  expect(ended()).toMatchObject([{ outcome: "failed", problems: [{ code: "TERMINATED" }] }]);
  expect(doneMs()).toBe(30 * second);
});

test("ends at once without an active run", async () => {
  const { clock, stop, doneMs } = watching(second);
  await clock.pass(600 * second);
  stop.abort(terminated);
  await clock.pass(0);
  expect(doneMs()).toBe(600 * second);
});

test("syncs a limited number of spaces at once, and a failing one delays none", async () => {
  const { clock, at, ended } = watching(10 * second, 10, 4);
  await clock.pass(31 * second);
  expect(at.most).toBe(4);
  expect(ended()).toHaveLength(10);
  await clock.pass(3600 * second);
  expect(ended().filter(({ space }) => space === "broken")).toHaveLength(2);
  expect(ended()).toHaveLength(20);
});
