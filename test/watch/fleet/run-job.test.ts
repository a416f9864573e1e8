import { expect, test } from "vitest";
import { type ErrorCode, OffprintError } from "../../../src/lib/errors.js";
import type { SyncReport } from "../../../src/sync/report.js";
import { announcedText, announceStorm, dueAtMs, parseAnnounced } from "../../../src/watch/fleet/announced.js";
import { type JobSurroundings, runJob } from "../../../src/watch/fleet/run-job.js";
import { serverClock } from "../../../src/watch/fleet/shared-values.js";
import { joinStorm } from "../../../src/watch/storm.js";
import type { WatchEvent } from "../../../src/watch/watch-event.js";
import type { WatchedSpace } from "../../../src/watch/watch-space.js";
import { memoryValues } from "./memory-values.js";

const startMs = 1_800_000_000_000;
const eventJob = { space: "blog", kind: "event", atMs: 0 } as const;

/** A space whose upstream shows `cv`, with one event announced, and what becomes of it. */
function announcedSpace(failure?: ErrorCode) {
  const now = { ms: startMs };
  const upstream = { cv: 100 };
  const copy = { cv: 100 };
  const { values, kept } = memoryValues({ now: () => now.ms });
  const events: WatchEvent[] = [];
  const storm = joinStorm(undefined, { name: "published 1", movesCv: true, spaceId: undefined }, startMs, copy.cv);
  kept.set("events blog", announcedText(announceStorm(undefined, storm))!);
  let syncs = 0;
  const space: WatchedSpace = {
    name: "blog",
    turns: { after: () => null },
    session: {
      probe: async () => ({ cv: upstream.cv, dateMs: now.ms }) as never,
      async sync() {
        syncs++;
        if (failure !== undefined) throw new OffprintError(failure, "The sync failed.");
        copy.cv = upstream.cv;
        return { outcome: "committed", cv: copy.cv, problems: [], requests: { total: 3 } } as unknown as SyncReport;
      },
    },
    readKnown: async () => ({ spaceId: 7, cv: copy.cv, confirmedAtMs: startMs, lookAtMs: null }),
    exitCodeOf: () => 0,
  };
  const never = new AbortController().signal;
  const around: JobSurroundings = {
    clock: { now: () => now.ms, elapsed: () => now.ms - startMs, sleep: async () => undefined },
    emit: (event) => void events.push(event),
    stop: never,
    abort: never,
    values,
    server: serverClock(() => now.ms),
    nextAtMs: () => null,
  };
  const announced = () => parseAnnounced(kept.get("events blog"));
  /** Lets time pass until something is due, and does it. */
  const step = async () => {
    now.ms = Math.max(now.ms, dueAtMs(announced()!));
    return runJob(eventJob, space, around);
  };
  return { upstream, copy, announced, step, events, syncs: () => syncs };
}

test("an event that the upstream shows causes one run and is then forgotten", async () => {
  const { upstream, announced, step, syncs, events } = announcedSpace();
  upstream.cv = startMs / 1000;
  expect(await step()).toMatchObject({ outcome: "committed", reasons: [{ kind: "webhook", event: "published 1" }] });
  expect(announced()).toBeUndefined();
  expect(syncs()).toBe(1);
  expect(events.map(({ kind }) => kind)).toEqual(["run-started", "run-ended", "expectation"]);
});

test("probes without a sync while the upstream shows an older cv, and reports it after two minutes", async () => {
  const { announced, step, syncs, events } = announcedSpace();
  let steps = 0;
  for (; announced() !== undefined && steps < 50; steps++) expect(await step()).toBeUndefined();
  expect([steps, syncs()]).toEqual([12, 0]);
  expect(events).toMatchObject([{ kind: "expectation", result: "not-seen", problem: { code: "EVENT_NOT_SEEN" } }]);
});

test("a job that is early, or whose work another worker has done, does nothing", async () => {
  const { upstream, announced, step, syncs } = announcedSpace();
  upstream.cv = startMs / 1000;
  await step();
  expect(announced()).toBeUndefined();
  const { values } = memoryValues({ now: () => startMs });
  const nothing = { values } as unknown as JobSurroundings;
  expect(await runJob(eventJob, { name: "blog" } as WatchedSpace, nothing)).toBeUndefined();
  expect(syncs()).toBe(1);
});

test("does not repeat a permanently failing sync at each probe, but a passing failure", async () => {
  const failing = announcedSpace("UPSTREAM_REFUSED");
  failing.upstream.cv = startMs / 1000 - 60;
  for (let steps = 0; steps < 3; steps++) await failing.step();
  expect(failing.syncs()).toBe(1);
  const passing = announcedSpace("UPSTREAM_UNREACHABLE");
  passing.upstream.cv = startMs / 1000 - 60;
  for (let steps = 0; steps < 3; steps++) await passing.step();
  expect(passing.syncs()).toBe(3);
});
