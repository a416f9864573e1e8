import { expect, test } from "vitest";
import { consumeJobs } from "../../../src/watch/fleet/queue-consumer.js";
import type { QueueEngine } from "../../../src/watch/fleet/queue-engine.js";
import type { SpaceJob } from "../../../src/watch/fleet/space-job.js";

/** A consumer whose queue hands it whatever the test says. */
function consumer() {
  class UnrecoverableError extends Error {}
  const handled: SpaceJob[] = [];
  let take: ((job: { data: unknown }) => Promise<string>) | undefined;
  const engine = {
    newWorker: (handle: typeof take) => {
      take = handle;
      return { on: () => undefined };
    },
    bullmq: { UnrecoverableError },
  } as unknown as QueueEngine;
  const handle = async (job: SpaceJob) => {
    handled.push(job);
    return { kind: "done", said: "fine" } as const;
  };
  consumeJobs(engine, { name: "one", concurrency: 1, takeOverMs: 1000, handle, onStalled: () => undefined }, 1);
  return { take: take!, handled, UnrecoverableError };
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
