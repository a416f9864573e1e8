import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { StoreSetting } from "../../../src/config/config.js";
import { isOffprintError } from "../../../src/lib/errors.js";
import { currentManifest } from "../../../src/snapshot/current-manifest.js";
import { parts } from "../../../src/snapshot/layout.js";
import { openOutput } from "../../../src/snapshot/open-output.js";
import type { Output } from "../../../src/snapshot/output.js";
import type { Bucket } from "../../../src/snapshot/store/bucket.js";
import { type AcquireInTimeOptions, Lease, type LeaseClock } from "../../../src/snapshot/store/lease.js";
import { newOwner } from "../../../src/snapshot/store/lock-owner.js";
import { verifySnapshot } from "../../../src/snapshot/verify/verify.js";
import { commit, recoverPointer } from "../../../src/snapshot/write/commit.js";
import { prune } from "../../../src/snapshot/write/prune.js";
import { replacePart } from "../../../src/snapshot/write/update-part.js";
import { FakeClock } from "../../support/fake-clock.js";
import { createMemoryBucket, type Fault, type MemoryBucket } from "../../support/memory-bucket.js";
import { sampleDraft } from "../../support/sample-draft.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const startMs = Date.UTC(2026, 0, 5);
const leaseMs = 60_000;

/** The clock of one machine, whose time of day is off by so much. */
function clockOf(fake: FakeClock, offMs = 0): LeaseClock {
  return {
    now: () => fake.now() + offMs,
    elapsed: () => fake.elapsed(),
    sleep: (ms, signal) => fake.sleep(ms, signal),
  };
}

function writers(offsMs: readonly number[] = [0, 0]) {
  const fake = new FakeClock(startMs);
  const memory = createMemoryBucket({ now: () => fake.now() });
  const open = (offMs: number, options: Parameters<MemoryBucket["client"]>[0] = {}) => {
    const clock = clockOf(fake, offMs);
    const bucket = memory.client({ now: clock.now, ...options });
    return { bucket, lease: new Lease(bucket, { name: ".lease.json", leaseMs, clock }) };
  };
  return { fake, memory, open, leases: offsMs.map((offMs) => open(offMs).lease) };
}

/** Lets everything happen that needs no time. */
async function soon<T>(fake: FakeClock, work: Promise<T>): Promise<T> {
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  done.catch(() => undefined);
  while (!isDone) await fake.pass(0);
  return done;
}

describe("a lease", () => {
  test("is held by one of many at a time, and by the next one after its release", async () => {
    const { fake, leases } = writers([0, 59_000, -59_000, 0]);
    const ends = await soon(fake, Promise.allSettled(leases.map((lease) => lease.acquire())));
    const winner = ends.findIndex(({ status }) => status === "fulfilled");
    expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const end of ends) if (end.status === "rejected") expect(end.reason).toMatchObject({ code: "LOCKED" });
    await soon(fake, leases[winner]!.release());
    const next = leases[(winner + 1) % 4]!;
    const taken = await soon(fake, next.acquire());
    expect(taken.before).toBe((ends[winner] as PromiseFulfilledResult<{ nonce: string }>).value.nonce);
  });

  test("lasts as long as it is renewed, and not much longer", async () => {
    const { fake, leases } = writers([30_000, -30_000]);
    const [one, two] = leases as [Lease, Lease];
    await soon(fake, one.acquire());
    for (let at = 0; at < 100; at++) await fake.pass(10_000);
    one.assertHeld();
    await expect(soon(fake, two.acquire())).rejects.toMatchObject({ code: "LOCKED" });
  });

  test("of a dead process is taken by a waiting one, at most 5 s after its end", async () => {
    const { fake, open } = writers();
    const gone = { is: false };
    const one = open(0, { fault: () => (gone.is ? "killed-before" : undefined) }).lease;
    const two = open(45_000).lease;
    await soon(fake, one.acquire());
    const told: unknown[] = [];
    let takenMs: number | undefined;
    void two
      .acquireInTime(undefined, { signal: new AbortController().signal, onWait: (holder) => told.push(holder) })
      .then(() => {
        takenMs = fake.elapsed();
      });
    for (let at = 0; at < 20; at++) await fake.pass(7_000);
    expect(takenMs).toBeUndefined();
    const goneMs = fake.elapsed();
    gone.is = true;
    for (let at = 0; at < 100 && takenMs === undefined; at++) {
      await fake.pass(1_000);
      // Who takes a lease reads who it is from /proc, which passes no time of the clock: twice the same read is longer.
      await newOwner();
      await newOwner();
      await fake.pass(0);
    }
    expect(takenMs! - goneMs).toBeLessThanOrEqual(leaseMs + 5_000);
    expect(told).toHaveLength(1);
    expect(one.isHeld).toBe(false);
  });

  test("is waited for while the bucket is unreachable, which is reported once each time", async () => {
    const { fake, leases, open } = writers();
    await soon(fake, leases[0]!.acquire());
    const down = { is: false };
    const { lease } = open(0, { fault: () => (down.is ? "unreachable" : undefined) });
    const stop = new AbortController();
    const told: string[] = [];
    const waiting = lease.acquireInTime(undefined, {
      signal: stop.signal,
      onWait: () => told.push("waits"),
      onFailure: ({ code }) => told.push(code),
    });
    for (const is of [false, true, false, true]) {
      down.is = is;
      for (let at = 0; at < 90; at++) await fake.pass(1_000);
    }
    expect(told).toEqual(["waits", "STORE_UNREACHABLE", "STORE_UNREACHABLE"]);
    stop.abort(new Error("stopped"));
    await expect(soon(fake, waiting)).rejects.toThrow("stopped");
  });

  test("tells who stands by when the snapshot was last confirmed, at no request of its own", async () => {
    const { fake, leases } = writers();
    const [one, two] = leases as [Lease, Lease];
    await soon(fake, one.acquire());
    one.setState({ generation: 4, confirmedAtMs: 1000 });
    const stop = new AbortController();
    const seen: unknown[] = [];
    const onState: AcquireInTimeOptions["onState"] = (state) => seen.push(state?.confirmedAtMs);
    const waiting = two.acquireInTime(undefined, { signal: stop.signal, onWait: () => undefined, onState });
    for (let at = 0; at < 30; at++) await fake.pass(1_000);
    one.tellConfirmed(2000);
    for (let at = 0; at < 60; at++) await fake.pass(1_000);
    expect([...new Set(seen)].slice(-2)).toEqual([1000, 2000]);
    stop.abort(new Error("stopped"));
    await expect(soon(fake, waiting)).rejects.toThrow("stopped");
    await soon(fake, one.release());
    expect(() => one.tellConfirmed(3000)).not.toThrow();
  });

  test("is lost if not renewed in time, by either clock", async () => {
    for (const stands of ["now", "elapsed"] as const) {
      const fake = new FakeClock(startMs);
      const memory = createMemoryBucket({ now: () => fake.now() });
      const asleep = { ms: 0 };
      const clock: LeaseClock = {
        now: () => fake.now() + (stands === "elapsed" ? asleep.ms : 0),
        elapsed: () => fake.elapsed() + (stands === "now" ? asleep.ms : 0),
        sleep: (ms, signal) => fake.sleep(ms, signal),
      };
      const lease = new Lease(memory.client(), { name: ".lease.json", leaseMs, clock });
      await soon(fake, lease.acquire());
      const { lost } = lease;
      asleep.ms = leaseMs;
      expect(() => lease.untilMs()).toThrow(expect.objectContaining({ code: "LOCKED" }));
      expect(lost?.reason).toMatchObject({ code: "LOCKED" });
    }
  });

  test("carries the state with each renewal, and on release", async () => {
    const { fake, leases } = writers();
    const [one, two] = leases as [Lease, Lease];
    await soon(fake, one.acquire());
    one.setState({ cv: 1 });
    expect(await soon(fake, two.state())).toBeNull();
    await fake.pass(leaseMs / 3);
    await fake.pass(0);
    expect(await soon(fake, two.state())).toEqual({ cv: 1 });
    one.setState({ cv: 2 });
    await soon(fake, one.release());
    expect(await soon(fake, two.state())).toEqual({ cv: 2 });
    expect(() => one.setState({ cv: 3 })).toThrow(expect.objectContaining({ code: "LOCKED" }));
  });
});

test("the bucket refuses writes after the end of a lease, whoever holds it then", async () => {
  const { fake, memory, open } = writers();
  const stopped = { isOn: false };
  const one = open(0, { fault: () => (stopped.isOn ? fake.sleep(leaseMs + 10_000).then(() => undefined) : undefined) });
  await soon(fake, one.lease.acquire());
  const untilMs = one.lease.untilMs();
  // The renewals of a process that is stopped wait with it.
  stopped.isOn = true;
  const late = one.bucket.put("snapshot/a.json", Buffer.from("late"), { untilMs }).catch((error: unknown) => error);
  const removal = one.bucket.remove("manifest.json", { untilMs }).catch((error: unknown) => error);
  memory.set("manifest.json", Buffer.from("of the next holder"));
  for (let at = 0; at < 8; at++) await fake.pass(10_000);
  expect(await late).toMatchObject({ code: "LOCKED" });
  expect(await removal).toMatchObject({ code: "LOCKED" });
  expect([...memory.objects.keys()].sort()).toEqual([".lease.json", "manifest.json"]);
});

/** How often each writer tries to commit. */
const turns = 12;
const setting: StoreSetting = { bucket: "memory", prefix: "", singleWriter: false, leaseMs, cacheBytes: 1e9 };
const fault = fc.oneof(
  { weight: 20, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.constantFrom<Fault>("unreachable", "lost-answer", "retried") },
);
/** Faults of a writer's requests in order: how long each takes, and how it ends. */
const troubles = fc.array(
  fc.record({
    stopMs: fc.oneof({ weight: 12, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 150_000 })),
    fault,
  }),
  {
    minLength: 10,
    maxLength: 60,
  },
);

/** Two of three whose every eleventh or thirteenth request arrives after the end of their lease: the bucket has to refuse it. */
const lateWriters = [11, 13, 10].map((count, writer) => ({
  offMs: 0,
  troubles: Array.from({ length: count }, (_, at) => ({
    stopMs: writer < 2 && at === count - 1 ? 100_000 : 0,
    fault: undefined,
  })),
}));

test("three writers, paused, disconnected and with wrong clocks, repeat no number and write nothing late", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ offMs: fc.integer({ min: -60_000, max: 60_000 }), troubles }), {
        minLength: 3,
        maxLength: 3,
      }),
      async (plans) => {
        const fake = new FakeClock(startMs);
        const memory = createMemoryBucket({ now: () => fake.now() });
        const committed = new Map<number, string>();
        const holders = new Map<string, number>();
        /** Time passes while all of them wait for it, and not while one reads or writes its disk. */
        const waits = plans.map(() => 0);
        let isOver = false;
        const wait = async (writer: number, ms: number) => {
          waits[writer]! += 1;
          await fake.sleep(ms);
          waits[writer]! -= 1;
        };
        const wrong: string[] = [];
        const leaseOf = () => JSON.parse(Buffer.from(memory.objects.get(".lease.json")!.bytes).toString("utf8"));
        const work = plans.map(async (plan, writer) => {
          let requests = 0;
          let stoppedUntil = 0;
          const bucket: Bucket = memory.client({
            now: () => fake.now() + plan.offMs,
            async fault() {
              const next = plan.troubles[requests++ % plan.troubles.length]!;
              stoppedUntil = Math.max(stoppedUntil, fake.elapsed() + next.stopMs);
              if (stoppedUntil > fake.elapsed()) await wait(writer, stoppedUntil - fake.elapsed());
              return next.fault;
            },
            accepted(name) {
              if (name === ".lease.json") holders.set(leaseOf().holder.nonce, writer);
              else if (holders.get(leaseOf().holder.nonce) !== writer) wrong.push(`${writer} wrote ${name}`);
              if (!name.startsWith("snapshot/generations/")) return;
              const found = memory.objects.get(name);
              if (found === undefined) return;
              const manifest = JSON.parse(Buffer.from(found.bytes).toString("utf8"));
              const known = committed.get(manifest.generation);
              if (known !== undefined && known !== manifest.checksum) wrong.push(`${manifest.generation} twice`);
              committed.set(manifest.generation, manifest.checksum);
            },
          });
          const output = openOutput(
            { dir: await temporaryFolder(), store: setting },
            { bucket, clock: clockOf(fake, plan.offMs) },
          );
          for (let turn = 0; turn < turns; turn++) {
            await writeOnce(output, `${writer} ${turn}`).catch((error: unknown) => {
              if (!isOffprintError(error)) throw error;
            });
            await wait(writer, 20_000);
          }
          waits[writer]! += 1;
        });
        const done = Promise.all(work).finally(() => {
          isOver = true;
        });
        done.catch(() => undefined);
        while (!isOver) {
          if (waits.every((count) => count > 0)) await fake.pass(500);
          else await new Promise((resolve) => setImmediate(resolve));
        }
        await done;
        expect(wrong).toEqual([]);
        const reader = openOutput({ dir: await temporaryFolder(), store: setting }, { bucket: memory.client() });
        if ((await currentManifest(reader.store)) === undefined) return;
        const { problems } = await verifySnapshot(reader.store, { all: true, deep: true });
        expect(problems.filter(({ message }) => !message.startsWith("manifest.json "))).toEqual([]);
      },
    ),
    { numRuns: Number(process.env.OFFPRINT_LEASE_RUNS ?? 6), endOnFailure: true, examples: [[lateWriters]] },
  );
}, 600_000);

/** Two hours back: what was committed then and is superseded may be removed. */
const old = new Date(startMs - 7_200_000).toISOString();

/** What a sync does with its store: one part for all, one that only this commit has; an older generation is pruned. */
async function writeOnce(output: Output, text: string): Promise<void> {
  const lock = await output.lock();
  try {
    const { store } = output;
    const base = (await recoverPointer(store))?.generation ?? null;
    const draft = sampleDraft({
      committedAt: old,
      editions: [],
      parts: {
        [parts.tags("published")]: await replacePart(
          store,
          parts.tags("published"),
          ['{"name":"same","taggings_count":1}'],
          100,
        ),
        [parts.space]: await replacePart(store, parts.space, [JSON.stringify({ me: { text } })], 100),
      },
    });
    await lock.assertHeld();
    await commit(store, draft, { base });
    await prune(store, 2, startMs);
  } finally {
    await lock.release();
  }
}
