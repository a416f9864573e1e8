import { expect, test } from "vitest";
import { consumeJobs, type JobEnd } from "../../../src/watch/fleet/queue-consumer.js";
import type { QueueEngine } from "../../../src/watch/fleet/queue-engine.js";
import type { SpaceJob } from "../../../src/watch/fleet/space-job.js";

/** A consumer whose queue hands it whatever the test says. */
function consumer(end: JobEnd = { kind: "done", said: "fine" }) {
  class UnrecoverableError extends Error {}
  class DelayedError extends Error {}
  const handled: SpaceJob[] = [];
  let take: ((job: object, token?: string) => Promise<string>) | undefined;
  const engine = {
    newWorker: (handle: typeof take) => {
      take = handle;
      return { on: () => undefined };
    },
    bullmq: { UnrecoverableError, DelayedError },
  } as unknown as QueueEngine;
  const handle = async (job: SpaceJob) => {
    handled.push(job);
    return end;
  };
  consumeJobs(engine, { name: "one", concurrency: 1, takeOverMs: 1000, handle, onStalled: () => undefined }, 1);
  return { take: take!, handled, UnrecoverableError, DelayedError };
}

test.each([
  null,
  undefined,
  7,
  "blog",
  [],
  {},
  { space: null, kind: "turn", atMs: 1 },
  { space: "blog", kind: "none", atMs: 1 },
  { space: "blog", kind: "turn", atMs: "1" },
])("gives up a job whose data is %j, and hands nothing of it on", async (data) => {
  const { take, handled, UnrecoverableError } = consumer();
  await expect(take({ data })).rejects.toBeInstanceOf(UnrecoverableError);
  expect(handled).toEqual([]);
});

test("passes on a job of a space", async () => {
  const { take, handled } = consumer();
  const data = { space: "blog", kind: "turn", atMs: 1 };
  expect(await take({ data })).toBe("fine");
  expect(handled).toEqual([data]);
});

test("puts a job off that is for another worker, so that it does not come back at once", async () => {
  const { take, DelayedError } = consumer({ kind: "put-off", ms: 5000 });
  const moved: unknown[][] = [];
  const data = { space: "blog", kind: "turn", atMs: 1 };
  const job = { data, timestamp: Date.now(), moveToDelayed: async (...to: unknown[]) => void moved.push(to) };
  const beforeMs = Date.now();
  await expect(take(job, "a-token")).rejects.toBeInstanceOf(DelayedError);
  expect(moved).toHaveLength(1);
  expect(moved[0]![1]).toBe("a-token");
  expect(Number(moved[0]![0]) - beforeMs).toBeGreaterThanOrEqual(5000);
});
