import { expect, test } from "vitest";
import { OffprintError } from "../../src/lib/errors.js";
import type { StandByOptions } from "../../src/snapshot/output.js";
import type { SyncReport } from "../../src/sync/report.js";
import { turnsOf } from "../../src/watch/next-turn.js";
import { type Metrics, metricsAfter, startMetrics } from "../../src/watch/telemetry/metrics.js";
import { statusPages } from "../../src/watch/telemetry/status-pages.js";
import type { WatchEvent } from "../../src/watch/watch-event.js";
import type { WatchedSpace } from "../../src/watch/watch-space.js";
import { watchSpaces } from "../../src/watch/watch-spaces.js";
import { FakeClock } from "../support/fake-clock.js";

const second = 1000;
const minute = 60 * second;
const holder = { host: "build-1", pid: 4711, since: "2026-11-22T19:00:00.000Z" };
const lost = new OffprintError("LOCKED", "The lease of s3://bucket has ended.");

/** The right to write one space, as a test gives and takes it. */
class Right {
  closed = 0;
  /** What standing by throws. */
  refusal: OffprintError | undefined;
  /** The store cannot be reached while it is waited for. */
  fail: StandByOptions["onFailure"] = () => undefined;
  #held: AbortController | undefined;
  #waiting: (() => void) | undefined;

  async standBy({ signal, onWait, onFailure }: StandByOptions) {
    if (this.#held !== undefined) return { isNew: false, lost: this.#held.signal };
    if (this.refusal !== undefined) throw this.refusal;
    onWait(holder);
    this.fail = onFailure;
    await new Promise<void>((resolve, reject) => {
      this.#waiting = resolve;
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
    this.#held = new AbortController();
    return { isNew: true, lost: this.#held.signal };
  }

  give(): void {
    this.#waiting?.();
  }

  lose(): void {
    const held = this.#held;
    this.#held = undefined;
    held?.abort(lost);
  }
}

/** Spaces that several processes watch, whose syncs take ten seconds; the pages are those of the process. */
function watching(names: readonly string[]) {
  const clock = new FakeClock(Date.parse("2026-11-22T20:00:00Z"));
  const events: WatchEvent[] = [];
  const stop = new AbortController();
  const rights = new Map(names.map((name) => [name, new Right()]));
  const asked: string[] = [];
  const freshness = (space: string) => {
    return { space, generation: 1, committedAtMs: 1, confirmedAtMs: clock.now(), held: false, maxAgeMs: 30 * minute };
  };
  let metrics: Metrics = startMetrics(names.map(freshness));
  const space = (name: string): WatchedSpace => ({
    name,
    session: {
      probe: async () => {
        asked.push(`${name} probe`);
        return { cv: 2, dateMs: null, total: null };
      },
      async sync({ signal, admit } = {}) {
        await admit?.();
        asked.push(`${name} sync`);
        await clock.sleep(10 * second, signal);
        signal?.throwIfAborted();
        return {
          outcome: "unchanged",
          generation: 1,
          cv: 1,
          requests: { total: 1 },
          problems: [],
        } as unknown as SyncReport;
      },
    },
    turns: turnsOf({ everyMs: 5 * minute, jitterMs: 0, maxAgeMs: 0 }, name),
    readKnown: async () => ({ spaceId: 7, cv: 1, confirmedAtMs: null, lookAtMs: null }),
    standBy: (options) => rights.get(name)!.standBy(options),
    close: async () => {
      rights.get(name)!.closed += 1;
    },
    exitCodeOf: () => 0,
  });
  const emit = (event: WatchEvent) => {
    events.push(event);
    metrics = metricsAfter(metrics, event);
  };
  const watch = watchSpaces({ spaces: names.map(space), clock, concurrency: 4, emit, signal: stop.signal });
  const pages = statusPages({ metrics: () => metrics, version: "1.0.0", now: () => clock.now() });
  const kinds = (name = names[0]) => events.filter((event) => event.space === name).map(({ kind }) => kind);
  return { clock, events, stop, asked, watch, pages, kinds, right: (name = names[0]) => rights.get(name ?? "")! };
}

test("a standby asks nothing, logs the holder once, and follows an event only once it has the right to write", async () => {
  const { clock, events, asked, watch, kinds, right } = watching(["blog"]);
  await clock.pass(60 * minute);
  watch.spaces.get("blog")!.announce({ name: "published 1", movesCv: true, spaceId: undefined });
  await clock.pass(60 * minute);
  expect(events).toEqual([expect.objectContaining({ kind: "standing-by", space: "blog", holder })]);
  expect(asked).toEqual([]);
  right().give();
  await clock.pass(11 * second);
  expect(kinds().slice(0, 4)).toEqual(["standing-by", "took-over", "run-started", "run-ended"]);
  expect(asked[0]).toBe("blog sync");
  expect(events.filter(({ kind }) => kind === "run-started").slice(1)).toMatchObject([
    { reasons: [{ kind: "webhook", event: "published 1" }] },
  ]);
});

test("losing the right ends the run and returns to standby; regaining it starts again", async () => {
  const { clock, events, kinds, right } = watching(["blog"]);
  await clock.pass(0);
  right().give();
  await clock.pass(5 * second);
  expect(kinds()).toEqual(["standing-by", "took-over", "run-started"]);
  right().lose();
  await clock.pass(0);
  await clock.pass(0);
  expect(events.slice(3)).toMatchObject([
    { kind: "run-ended", outcome: "failed", exitCode: 11, problems: [{ code: "LOCKED" }] },
    { kind: "standing-by", holder },
  ]);
  await clock.pass(60 * minute);
  expect(events).toHaveLength(5);
  right().give();
  await clock.pass(11 * second);
  expect(kinds().slice(5)).toEqual(["took-over", "run-started", "run-ended"]);
});

test("notices at once if the right is lost between two runs", async () => {
  const { clock, kinds, right } = watching(["blog"]);
  await clock.pass(0);
  right().give();
  await clock.pass(60 * second);
  right().lose();
  await clock.pass(0);
  await clock.pass(0);
  expect(kinds().at(-1)).toBe("standing-by");
});

test("reports an unreachable store on standby, and stays on standby", async () => {
  const { clock, events, kinds, right, pages } = watching(["blog"]);
  await clock.pass(minute);
  right().fail(new OffprintError("STORE_UNREACHABLE", "s3://bucket does not answer."));
  await clock.pass(minute);
  expect(events.slice(1)).toMatchObject([
    { kind: "run-ended", outcome: "failed", exitCode: 5, problems: [{ code: "STORE_UNREACHABLE" }] },
  ]);
  expect(String(pages["/metrics"]!().body)).toContain('offprint_standby{space="blog"} 1');
  right().give();
  await clock.pass(11 * second);
  expect(kinds().slice(2, 5)).toEqual(["took-over", "run-started", "run-ended"]);
});

test("reports a store that refuses each minute, until it accepts", async () => {
  const { clock, kinds, events, right } = watching(["blog"]);
  await clock.pass(0);
  right().give();
  await clock.pass(minute);
  right().refusal = new OffprintError("STORE_REFUSED", "s3://bucket refuses the key.");
  right().lose();
  await clock.pass(150 * second);
  expect(events.filter((event) => event.kind === "run-ended" && event.exitCode === 4)).toHaveLength(3);
  expect(events.at(-1)).toMatchObject({ exitCode: 4, problems: [{ code: "STORE_REFUSED" }] });
  right().refusal = undefined;
  await clock.pass(minute);
  right().give();
  await clock.pass(11 * second);
  expect(kinds().slice(-4)).toEqual(["standing-by", "took-over", "run-started", "run-ended"]);
});

test("each space of a fleet has its own right to write", async () => {
  const { clock, asked, kinds, right, pages } = watching(["blog", "shop"]);
  await clock.pass(0);
  right("shop").give();
  await clock.pass(60 * minute);
  expect(kinds("blog")).toEqual(["standing-by"]);
  expect(kinds("shop").slice(0, 4)).toEqual(["standing-by", "took-over", "run-started", "run-ended"]);
  expect(new Set(asked)).toEqual(new Set(["shop sync"]));
  expect(String(pages["/metrics"]!().body)).toMatch(
    /offprint_standby\{space="blog"\} 1\noffprint_standby\{space="shop"\} 0/,
  );
});

test("a standby is alive and fresh at any age of its copy, and says so; a writer is fresh by its age", async () => {
  const { clock, right, pages } = watching(["blog"]);
  const fresh = () => {
    const { status, body } = pages["/fresh"]!();
    return { status, body: JSON.parse(String(body)) as object };
  };
  await clock.pass(100 * minute);
  expect(pages["/healthz"]!().status).toBe(200);
  expect(fresh()).toMatchObject({ status: 200, body: { fresh: true, spaces: [{ space: "blog", standby: true }] } });
  right().give();
  await clock.pass(second);
  expect(fresh()).toMatchObject({ status: 503, body: { fresh: false } });
  await clock.pass(11 * second);
  const working = fresh();
  expect(working).toMatchObject({ status: 200, body: { fresh: true, spaces: [{ space: "blog", fresh: true }] } });
  expect(JSON.stringify(working)).not.toContain("standby");
});

test("a standby stops at once and closes its output; so does a writer", async () => {
  const { clock, stop, watch, events, right } = watching(["blog"]);
  await clock.pass(minute);
  stop.abort(new OffprintError("TERMINATED", "Terminated by a signal."));
  await watch.done;
  expect(events).toHaveLength(1);
  expect(right().closed).toBe(1);
  const other = watching(["blog"]);
  await other.clock.pass(0);
  other.right().give();
  await other.clock.pass(minute);
  other.stop.abort(new OffprintError("TERMINATED", "Terminated by a signal."));
  await other.watch.done;
  expect(other.right().closed).toBe(1);
});

test("a bucket that refuses the key for an hour is tried less often, and at once after an event", async () => {
  const { clock, events, kinds, right, watch } = watching(["blog"]);
  await clock.pass(0);
  right().give();
  await clock.pass(minute);
  right().refusal = new OffprintError("STORE_REFUSED", "s3://bucket refuses the key.");
  right().lose();
  await clock.pass(2 * 60 * minute - second);
  const tries = () => kinds().filter((kind) => kind === "run-ended").length;
  expect(tries()).toBeGreaterThanOrEqual(60);
  expect(tries()).toBeLessThanOrEqual(62);
  expect(events.filter(({ kind }) => kind === "parked")).toMatchObject([{ space: "blog", code: "STORE_REFUSED" }]);
  const before = tries();
  watch.spaces.get("blog")!.announce({ name: "published 1", movesCv: true, spaceId: undefined });
  await clock.pass(second);
  expect(tries()).toBe(before + 1);
  await clock.pass(48 * 60 * minute);
  expect(tries()).toBeLessThanOrEqual(before + 11);
});
