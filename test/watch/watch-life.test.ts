import fc from "fast-check";
import { expect, test } from "vitest";
import { type Turns, turnsOf } from "../../src/watch/next-turn.js";
import { FakeClock } from "../support/fake-clock.js";
import { WatchedModel } from "../support/watched-model.js";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/** How many days are lived through; `OFFPRINT_WATCH_DAYS=100000` takes a few minutes. */
const days = Number(process.env.OFFPRINT_WATCH_DAYS ?? 2000);
const startMs = Date.parse("2026-01-01T00:00:00Z");

type Step =
  | { kind: "pass"; ms: number }
  /** The machine sleeps: the time of day goes on, nothing else does. */
  | { kind: "suspend"; ms: number }
  | { kind: "restart"; ms: number }
  | { kind: "slow"; ms: number };

const upTo = (most: number) => fc.integer({ min: 1, max: most });
const steps = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("pass" as const), ms: upTo(4 * day) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("suspend" as const), ms: upTo(3 * day) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("restart" as const), ms: upTo(2 * day) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("slow" as const), ms: upTo(9 * hour) }) },
);

const schedules = fc.constantFrom(
  { everyMs: 6 * hour },
  { everyMs: 5 * hour, jitterMs: 10 * minute },
  { cron: "30 2,14 * * *", timeZone: "Europe/Vienna" },
  { cron: "*/30 1-3 * * 0", timeZone: "America/Sao_Paulo" },
  { cron: "15 */4 * * *", timeZone: "Australia/Lord_Howe", jitterMs: 5 * minute },
);

interface Life {
  model: WatchedModel;
  turns: Turns;
}

/** Lives through the steps again and again until so many days are over. */
async function live(
  schedule: Parameters<typeof turnsOf>[0],
  name: string,
  life: readonly Step[],
  forMs: number,
): Promise<Life> {
  const clock = new FakeClock(startMs);
  const model = new WatchedModel(clock, schedule, name);
  model.start();
  let downMs = 0;
  for (let index = 0; clock.elapsed() + downMs < forMs; index++) {
    const step = life[index % life.length]!;
    model.cv += 1;
    if (step.kind === "pass") await clock.pass(step.ms);
    else if (step.kind === "suspend") await clock.set(step.ms);
    else if (step.kind === "slow") model.syncMs = model.syncMs > 1000 ? 300 : step.ms;
    else {
      await model.stop();
      await clock.set(step.ms);
      model.start();
    }
    if (step.kind === "suspend" || step.kind === "restart") downMs += step.ms;
    // However the life goes, time passes.
    await clock.pass(minute);
  }
  await model.stop();
  return { model, turns: turnsOf(schedule, name) };
}

test(`through ${days} days with sleep, restarts, slow runs and summer time: one run at a time, none missed, none repeated`, async () => {
  const runs = days > 2000 ? 20 : 8;
  await fc.assert(
    fc.asyncProperty(
      schedules,
      fc.string(),
      fc.array(steps, { minLength: 5, maxLength: 30 }),
      async (written, name, life) => {
        const schedule = { maxAgeMs: 0, ...written };
        const { model, turns } = await live(schedule, name, life, (days / runs) * day);
        expect(model.mostAtOnce).toBe(1);
        const { runs: made } = model;
        expect(made.length).toBeGreaterThan(0);
        for (const [index, run] of made.entries()) {
          const before = made[index - 1];
          if (before === undefined) continue;
          // No backlog: each run has its own turn. One at the start belongs to a turn that was missed.
          expect(run.atMs).toBeGreaterThanOrEqual(turns.after(before.atMs)!);
          // While it is awake, it never waits longer than an interval; a stop takes up to a minute here.
          const waitedMs = run.startedMs - before.endedMs!;
          if ("everyMs" in written) expect(waitedMs).toBeLessThanOrEqual(written.everyMs + minute);
        }
      },
    ),
    { numRuns: runs },
  );
}, 900_000);

test("while the process runs and the machine is awake, no turn passes without a run", async () => {
  await fc.assert(
    fc.asyncProperty(schedules, fc.string(), async (written, name) => {
      const schedule = { maxAgeMs: 0, ...written };
      const life: Step[] = [{ kind: "pass", ms: 3 * day }];
      const { model, turns } = await live(schedule, name, life, 60 * day);
      for (const [index, run] of model.runs.entries()) {
        const before = model.runs[index - 1];
        if (before !== undefined) expect(run.atMs).toBe(turns.after(before.atMs));
      }
    }),
    { numRuns: 10 },
  );
});

test("a clock set back causes neither a storm of runs nor a pause: the next turn follows the new time", async () => {
  await fc.assert(
    fc.asyncProperty(upTo(2 * day), upTo(5 * hour), async (byMs, afterMs) => {
      const clock = new FakeClock(startMs);
      const model = new WatchedModel(clock, { everyMs: hour });
      model.start();
      await clock.pass(afterMs);
      const before = model.runs.length;
      await clock.set(-byMs);
      const sinceMs = clock.elapsed();
      await clock.pass(5 * hour);
      const later = model.runs.slice(before).map(({ startedMs }) => startedMs - sinceMs);
      expect(later[0]).toBeLessThanOrEqual(hour);
      expect(later.length).toBeGreaterThanOrEqual(4);
      expect(later.length).toBeLessThanOrEqual(6);
      await model.stop();
    }),
    { numRuns: 30 },
  );
});
