import fc from "fast-check";
import { expect, test } from "vitest";
import { OffprintError } from "../../src/lib/errors.js";
import { probeSteps } from "../../src/watch/expectation.js";
import { FakeClock } from "../support/fake-clock.js";
import { WatchedModel } from "../support/watched-model.js";

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const startMs = Date.parse("2026-10-20T08:00:00Z");

/** A space that is watched, after its first sync; cv stands at the time of that. */
async function watching(schedule: ConstructorParameters<typeof WatchedModel>[1] = { everyMs: 24 * hour, jitterMs: 0 }) {
  const clock = new FakeClock(startMs);
  const model = new WatchedModel(clock, schedule);
  model.cv = Math.floor(startMs / second) - 10_000;
  model.start();
  await clock.pass(5 * minute);
  expect(model.reasons()).toEqual(["start"]);
  return { clock, model, cvNow: () => Math.floor(clock.now() / second) };
}

test("syncs at the start after a missed turn, and otherwise at the next turn", async () => {
  const clock = new FakeClock(startMs);
  const model = new WatchedModel(clock, { everyMs: hour, jitterMs: 0 });
  model.known = { ...model.known, confirmedAtMs: startMs - minute };
  model.start();
  await clock.pass(59 * minute);
  expect(model.reasons()).toEqual(["start"]);
  await model.stop();
  model.start();
  await clock.pass(2 * minute);
  expect(model.reasons()).toEqual(["start", "schedule"]);
});

test("hands changes of an earlier process to the hooks at the start, with a run", async () => {
  const clock = new FakeClock(startMs);
  const model = new WatchedModel(clock, { everyMs: 24 * hour, jitterMs: 0 });
  model.known = { ...model.known, cv: model.cv, confirmedAtMs: startMs - minute };
  model.outstanding = true;
  model.start();
  await clock.pass(minute);
  expect(model.reasons()).toEqual(["start"]);
  expect(model.handedOver).toBe(1);
});

test("other settings touch no run under way, then apply as after a restart, and events that wait stay", async () => {
  const { clock, model, cvNow } = await watching();
  model.syncMs = 40 * second;
  model.cv = cvNow();
  model.announce("published 1");
  await clock.pass(10 * second);
  model.announce("published 2");
  model.change({ everyMs: hour, jitterMs: 0 });
  model.change({ everyMs: 10 * minute, jitterMs: 0 });
  await clock.pass(10 * second);
  expect(model.runs).toHaveLength(2);
  expect(model.runs[1]!.endedMs).toBeUndefined();
  await clock.pass(minute);
  expect(model.runs[1]!.outcome).toBe("committed");
  model.cv = cvNow();
  await clock.pass(5 * minute);
  expect(model.reasons().slice(1)).toEqual(["webhook published 1", "webhook published 2", "schedule"]);
  const before = model.runs.length;
  await clock.pass(hour);
  expect(model.runs.length - before).toBe(6);
  model.change({ everyMs: hour });
  await clock.pass(second);
  expect(model.closed).toEqual([2]);
  expect(model.mostAtOnce).toBe(1);
});

/** A space with turns every six minutes whose token is refused for so many hours. */
async function refusedFor(hours: number) {
  const { clock, model, cvNow } = await watching({ everyMs: 6 * minute, jitterMs: 0 });
  model.failure = new OffprintError("UPSTREAM_REFUSED", "The token is wrong.");
  const sinceMs = clock.elapsed();
  const before = model.runs.length;
  await clock.pass(hours * hour);
  const tries = () => model.runs.slice(before).map(({ startedMs }) => Math.floor((startedMs - sinceMs) / hour));
  const parked = () => model.events.filter(({ kind }) => kind === "parked");
  return { clock, model, cvNow, tries, parked };
}

test("a space that is refused for an hour is parked: tried less and less often, and reported once", async () => {
  const { model, tries, parked } = await refusedFor(48);
  expect(tries().filter((hours) => hours < 1).length).toBeGreaterThanOrEqual(10);
  expect(tries().filter((hours) => hours > 1)).toHaveLength(9);
  expect(parked()).toMatchObject([{ kind: "parked", space: "blog", code: "UPSTREAM_REFUSED" }]);
  expect(model.parked).toMatchObject({ code: "UPSTREAM_REFUSED" });
  const ended = model.events.filter((event) => event.kind === "run-ended").at(-1)!;
  expect(ended.nextAtMs! - ended.atMs).toBeGreaterThan(5.9 * hour);
});

test("an event takes a parked space up at once, and its turns are as before", async () => {
  const { clock, model, cvNow } = await refusedFor(20);
  model.failure = undefined;
  const before = model.runs.length;
  model.cv = cvNow();
  model.announce();
  await clock.pass(10 * second);
  expect(model.runs[before]!.outcome).toBe("committed");
  expect(model.parked).toBeUndefined();
  await clock.pass(hour + 10 * minute);
  expect(model.runs.length - before).toBeGreaterThanOrEqual(10);
});

test("other settings, such as a new token, take a parked space up at once", async () => {
  const { clock, model, parked } = await refusedFor(20);
  const before = model.runs.length;
  model.change({ everyMs: 6 * minute, jitterMs: 0 });
  await clock.pass(10 * second);
  expect(model.runs).toHaveLength(before + 1);
  // Still refused: it stays parked, without another report.
  await clock.pass(2 * hour);
  expect(model.runs).toHaveLength(before + 1);
  expect(parked()).toHaveLength(1);
  model.failure = undefined;
  model.change({ everyMs: 6 * minute, jitterMs: 0 });
  await clock.pass(10 * second);
  expect(model.runs.at(-1)!.outcome).toBe("unchanged");
  expect(model.parked).toBeUndefined();
});

test("a parked space that is resumed is tried within seconds; a restart keeps since when it is refused", async () => {
  const { clock, model, parked } = await refusedFor(20);
  const before = model.runs.length;
  model.parked = undefined;
  await clock.pass(6 * second);
  expect(model.reasons().slice(before)).toEqual(["resume"]);
  await clock.pass(2 * hour);
  expect(parked()).toHaveLength(2);
  const since = model.parked;
  await model.stop();
  const runs = model.runs.length;
  model.start();
  await clock.pass(30 * minute);
  expect(model.runs).toHaveLength(runs + 1);
  expect(model.parked).toEqual(since);
  expect(parked()).toHaveLength(2);
});

test("a turn that passed is made up for by a change, and an ended space begins nothing more", async () => {
  const { clock, model } = await watching();
  model.failure = new OffprintError("UPSTREAM_REFUSED", "The token is wrong.");
  model.announce();
  model.cv += 100_000;
  await clock.pass(5 * minute);
  const failed = model.runs.length;
  model.failure = undefined;
  model.known = { ...model.known, confirmedAtMs: clock.now() - 25 * hour };
  model.change({ everyMs: 24 * hour, jitterMs: 0 });
  await clock.pass(minute);
  expect(model.reasons().slice(failed)).toEqual(["start"]);
  expect(model.change("ended")).toBe(true);
  await clock.pass(48 * hour);
  expect(model.runs).toHaveLength(failed + 1);
  expect(model.change({ everyMs: hour })).toBe(false);
});

test("events of a held space cause no series of runs", async () => {
  const { clock, model, cvNow } = await watching();
  model.held = true;
  model.cv = cvNow() - 3600;
  model.announce();
  await clock.pass(5 * minute);
  expect(model.runs).toHaveLength(2);
  expect(model.told()).toEqual(["not-seen"]);
  model.cv = cvNow();
  model.announce();
  await clock.pass(5 * minute);
  expect(model.runs).toHaveLength(3);
  expect(model.told()).toEqual(["not-seen", "seen"]);
});

for (const lagS of [1, 20, 90]) {
  test(`a cv that lags ${lagS} s behind the event is committed within 5 s after it moves, with at most 12 probes`, async () => {
    const { clock, model, cvNow } = await watching();
    const eventCv = cvNow();
    const eventMs = clock.elapsed();
    model.announce("published 4711");
    await clock.pass(lagS * second);
    expect(model.runs).toHaveLength(1);
    model.cv = eventCv;
    await clock.pass(5 * minute);
    expect(model.reasons()).toEqual(["start", "webhook published 4711"]);
    const run = model.runs[1]!;
    expect(run.outcome).toBe("committed");
    expect(run.endedMs! - (eventMs + lagS * second)).toBeLessThanOrEqual(5 * second);
    expect(model.probes.length).toBeLessThanOrEqual(12);
    expect(model.told()).toEqual(["seen"]);
  });
}

test("commits a change or reports its event as unseen, for any lag and clocks", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 150_000 }),
      fc.integer({ min: -hour, max: hour }),
      fc.integer({ min: 0, max: 999 }),
      fc.integer({ min: 0, max: 4000 }),
      async (lagMs, serverAheadMs, phaseMs, deliveryMs) => {
        const { clock, model } = await watching();
        model.serverAheadMs = serverAheadMs;
        await clock.pass(phaseMs);
        const eventCv = Math.floor((clock.now() + serverAheadMs) / second);
        await clock.pass(deliveryMs);
        model.announce();
        await clock.pass(lagMs);
        const movedMs = clock.elapsed();
        model.cv = eventCv;
        await clock.pass(5 * minute);
        expect(model.probes.length).toBeLessThanOrEqual(probeSteps.length);
        if (model.told()[0] === "seen") {
          expect(model.runs.map(({ outcome }) => outcome)).toEqual(["committed", "committed"]);
          expect(model.runs[1]!.endedMs! - movedMs).toBeLessThanOrEqual(31 * second);
        } else {
          expect(lagMs).toBeGreaterThan(121 * second - deliveryMs);
          expect(model.told()).toEqual(["not-seen"]);
          expect(model.runs).toHaveLength(1);
        }
      },
    ),
    { numRuns: 60 },
  );
});

test("reports an event the upstream never shows as EVENT_NOT_SEEN after two minutes, and no run says unchanged", async () => {
  const { clock, model } = await watching();
  model.announce("published 4711");
  await clock.pass(5 * minute);
  expect(model.reasons()).toEqual(["start"]);
  expect(model.probes).toHaveLength(12);
  const told = model.events.find((event) => event.kind === "expectation");
  expect(told).toMatchObject({ result: "not-seen", problem: { code: "EVENT_NOT_SEEN" }, probes: 12 });
});

test("a thousand events in a second cause one run", async () => {
  const { clock, model, cvNow } = await watching();
  for (let index = 0; index < 1000; index++) {
    model.announce(`published ${index}`);
    await clock.pass(1);
  }
  model.cv = cvNow();
  await clock.pass(5 * minute);
  expect(model.reasons().slice(1)).toEqual([
    "webhook published 0, webhook published 1, webhook published 2, webhook published 3, webhook published 4, webhook and 995 more",
  ]);
});

test("handles events that never pause after 15 s", async () => {
  const { clock, model, cvNow } = await watching();
  const firstMs = clock.elapsed();
  for (let index = 0; index < 30; index++) {
    model.cv = cvNow();
    model.announce();
    await clock.pass(second);
  }
  await clock.pass(5 * minute);
  expect(model.runs[1]!.startedMs - firstMs).toBe(15 * second);
  expect(model.runs).toHaveLength(3);
});

test("an event during a run causes exactly one more run after it", async () => {
  const { clock, model, cvNow } = await watching();
  model.syncMs = 40 * second;
  model.cv = cvNow();
  model.announce("published 1");
  await clock.pass(10 * second);
  expect(model.runs).toHaveLength(2);
  model.cv = cvNow();
  model.announce("published 2");
  model.announce("published 3");
  await clock.pass(10 * minute);
  expect(model.reasons().slice(1)).toEqual(["webhook published 1", "webhook published 2, webhook published 3"]);
  expect(model.runs[2]!.startedMs).toBe(model.runs[1]!.endedMs);
  expect(model.mostAtOnce).toBe(1);
});

test("an event whose change the active run has read causes one more run too", async () => {
  const { clock, model, cvNow } = await watching();
  model.cv = cvNow();
  model.announce("published 1");
  model.syncMs = 20 * second;
  await clock.pass(5 * second);
  model.announce("published 1");
  await clock.pass(10 * minute);
  expect(model.runs).toHaveLength(3);
  expect(model.told()).toEqual(["seen", "seen"]);
});

test("reads the parts of an event outside cv at once, and again when the wait is over", async () => {
  const { clock, model } = await watching();
  model.announce("asset.created 7", false);
  await clock.pass(3 * second);
  expect(model.runs.slice(1).map(({ recheck }) => recheck)).toEqual(["webhook asset.created 7"]);
  await clock.pass(5 * minute);
  expect(model.runs.slice(1).map(({ recheck }) => recheck)).toEqual([
    "webhook asset.created 7",
    "webhook asset.created 7",
  ]);
  expect(model.runs[2]!.startedMs - model.runs[1]!.startedMs).toBe(120 * second);
  // Nothing says that cv has to move for it.
  expect(model.told()).toEqual([]);
});

test("if cv passes such an event at once, one run reads everything", async () => {
  const { clock, model, cvNow } = await watching();
  model.announce("release.merged 7", false);
  model.cv = cvNow();
  await clock.pass(5 * minute);
  expect(model.runs.slice(1).map(({ recheck }) => recheck)).toEqual(["webhook release.merged 7"]);
});

test("retries an unreachable upstream for an event, and otherwise at the next turn", async () => {
  const { clock, model, cvNow } = await watching({ everyMs: hour, jitterMs: 0 });
  model.failure = new OffprintError("UPSTREAM_UNREACHABLE", "No answer.");
  model.cv = cvNow();
  model.announce();
  await clock.pass(10 * second);
  model.failure = undefined;
  await clock.pass(2 * minute);
  expect(model.events.flatMap((event) => (event.kind === "run-ended" ? [event.outcome] : []))).toEqual([
    "committed",
    "failed",
    "failed",
    "failed",
    "committed",
  ]);
  model.failure = new OffprintError("UPSTREAM_UNREACHABLE", "No answer.");
  await clock.pass(2 * hour);
  expect(model.reasons().slice(5)).toEqual(["schedule", "schedule"]);
});

test("does not retry a sync that cannot reach the cv at each probe", async () => {
  const { clock, model, cvNow } = await watching();
  model.failure = new OffprintError("REMOVAL_BRAKE", "Too much would be removed.");
  model.cv = cvNow() - 90;
  model.announce();
  await clock.pass(5 * minute);
  expect(model.runs).toHaveLength(2);
  expect(model.told()).toEqual(["not-seen"]);
});

test("looks again at recent records a minute later, unless a turn comes first", async () => {
  const { clock, model } = await watching();
  model.known = { ...model.known, lookAtMs: clock.now() + minute };
  model.cv += 1;
  model.announce();
  await clock.pass(200 * second);
  const { startedMs } = model.runs[1]!;
  model.known = { ...model.known, lookAtMs: null };
  await clock.pass(hour);
  expect(model.reasons().slice(1, 3)).toEqual(["webhook published 1", "recheck"]);
  expect(model.runs[2]!.startedMs - startedMs).toBeLessThan(63 * second);
});

test("runs the change hooks after each run that did not fail", async () => {
  const { clock, model } = await watching({ everyMs: hour, jitterMs: 0 });
  expect(model.handedOver).toBe(1);
  model.failure = new Error("a fault");
  await clock.pass(hour);
  expect(model.handedOver).toBe(1);
  model.failure = undefined;
  await clock.pass(hour);
  expect(model.handedOver).toBe(2);
});
