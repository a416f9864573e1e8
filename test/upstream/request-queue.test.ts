import { describe, expect, test } from "vitest";
import { OffprintError } from "../../src/errors.js";
import type { RateBudget } from "../../src/upstream/rate-budget.js";
import { createRequestQueue, type RequestQueue, type RequestQueueOptions } from "../../src/upstream/request-queue.js";
import { UpstreamError } from "../../src/upstream/upstream-error.js";

const kind = { group: "delivery" } as const;
const fault = new UpstreamError("UPSTREAM_UNREACHABLE", "fault", { status: 503, retriable: true });
const limited = new UpstreamError("UPSTREAM_RATE_LIMITED", "limited", { status: 429, retriable: true });
const refused = new UpstreamError("UPSTREAM_REFUSED", "refused", { status: 401 });

/** A sleep that lasts until it is told to end. */
function sleeper(): { sleep: (ms: number, signal: AbortSignal) => Promise<void>; waits: number[]; wake: () => void } {
  const waits: number[] = [];
  let sleepers: (() => void)[] = [];
  const sleep = (ms: number, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      waits.push(ms);
      sleepers.push(resolve);
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
  const wake = () => {
    for (const resolve of sleepers) resolve();
    sleepers = [];
  };
  return { sleep, waits, wake };
}

function open(options: Partial<RequestQueueOptions> = {}) {
  const counts = { total: 0, retried: 0, rateLimited: 0, bytes: 0 };
  const waits: number[] = [];
  const queue: RequestQueue = createRequestQueue({
    concurrency: 8,
    retries: 5,
    budget: { take: () => Promise.resolve(), refused: () => {} },
    counts,
    sleep: async (ms) => void waits.push(ms),
    random: () => 0.5,
    signal: new AbortController().signal,
    ...options,
  });
  return { queue, counts, waits };
}

/** Lets everything run that waits for nothing outside. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Fails with each of the errors in turn, then succeeds. */
function failing(...errors: Error[]): (attempt: number) => Promise<string> {
  return async (attempt) => {
    const error = errors[attempt - 1];
    if (error !== undefined) throw error;
    return `attempt ${attempt}`;
  };
}

describe("a failed request", () => {
  test("is sent again after a jittered wait that grows", async () => {
    const { queue, counts, waits } = open();
    expect(await queue.send(kind, 0, failing(fault, fault, fault))).toBe("attempt 4");
    expect(waits).toEqual([250, 500, 1_000]);
    expect(counts).toMatchObject({ total: 4, retried: 3, rateLimited: 0 });
  });

  test("is given up with its last error when the retries are used up", async () => {
    const { queue, counts } = open({ retries: 2 });
    await expect(queue.send(kind, 0, failing(fault, limited, fault, fault))).rejects.toBe(fault);
    expect(counts).toMatchObject({ total: 3, retried: 2, rateLimited: 1 });
  });

  test.each([
    ["the upstream refuses", refused],
    ["this program has a fault", new TypeError("x is not a function")],
    ["it was no error of the upstream", new OffprintError("NO_SPACE", "full")],
  ])("is not sent again when %s", async (_what, error) => {
    const { queue, counts, waits } = open();
    await expect(queue.send(kind, 0, failing(error))).rejects.toBe(error);
    expect([counts.total, waits]).toEqual([1, []]);
  });

  test("holds no place in the queue while it waits", async () => {
    const { sleep, wake } = sleeper();
    const { queue } = open({ concurrency: 1, sleep });
    const first = queue.send(kind, 0, failing(fault));
    expect(await queue.send(kind, 0, failing())).toBe("attempt 1");
    wake();
    expect(await first).toBe("attempt 2");
  });
});

describe("the queue", () => {
  test("sends no more at once than its concurrency, and the highest priority first", async () => {
    const { queue } = open({ concurrency: 2 });
    const order: string[] = [];
    let at = 0;
    let most = 0;
    const job = (name: string) => async () => {
      order.push(name);
      most = Math.max(most, ++at);
      await settle();
      at--;
    };
    await Promise.all([
      queue.send(kind, 0, job("a")),
      queue.send(kind, 0, job("b")),
      queue.send(kind, 0, job("low")),
      queue.send(kind, 5, job("high")),
      queue.send(kind, 1, job("middle")),
    ]);
    expect(order).toEqual(["a", "b", "high", "middle", "low"]);
    expect(most).toBe(2);
  });

  test("takes every attempt from the budget, and tells it of a 429", async () => {
    const calls: string[] = [];
    const budget: RateBudget = {
      take: async ({ perPage }) => void calls.push(`take ${perPage}`),
      refused: () => void calls.push("refused"),
    };
    const { queue } = open({ budget });
    await queue.send({ group: "delivery", perPage: 100 }, 0, failing(limited));
    expect(calls).toEqual(["take 100", "refused", "take 100"]);
  });

  test("holds everything up after a 429, also what already waits for the budget", async () => {
    const { sleep, wake, waits } = sleeper();
    let mayTake: () => void = () => {};
    let taken = 0;
    const budget: RateBudget = {
      take: () => (taken++ === 1 ? new Promise((resolve) => (mayTake = resolve)) : Promise.resolve()),
      refused: () => {},
    };
    const { queue, counts } = open({ sleep, budget });
    const sent: string[] = [];
    const first = queue.send(kind, 0, async (attempt) => {
      sent.push(`first ${attempt}`);
      if (attempt === 1) throw limited;
    });
    const others = [1, 2, 3].map((n) => queue.send(kind, 0, async () => void sent.push(`other ${n}`)));
    const late = settle().then(() => queue.send(kind, 0, async () => void sent.push("late")));
    await settle();
    await settle();
    mayTake();
    await settle();
    const before = [...sent];
    expect(before).not.toContain("other 1");
    expect(before).not.toContain("late");
    expect(waits.every((ms) => ms >= 1_000)).toBe(true);
    wake();
    await Promise.all([first, ...others, late]);
    expect(sent.slice(before.length).sort()).toEqual(expect.arrayContaining(["first 2", "late", "other 1"]));
    expect(counts.rateLimited).toBe(1);
  });

  test("resumes after the longest of several pauses", async () => {
    const ends: (() => void)[] = [];
    const { queue } = open({ retries: 0, sleep: () => new Promise((resolve) => void ends.push(resolve)) });
    const running = [1, 2].map(() => queue.send(kind, 0, failing(limited)).catch(() => {}));
    await Promise.all(running);
    let sent = false;
    const next = queue.send(kind, 0, async () => {
      sent = true;
    });
    ends[0]?.();
    await settle();
    expect(sent).toBe(false);
    ends[1]?.();
    await next;
    expect(sent).toBe(true);
  });

  test("stops before a request beyond maxRequests, retries counted, and does not retry that", async () => {
    const { queue, counts } = open({ maxRequests: 3 });
    await queue.send(kind, 0, failing(fault));
    await queue.send(kind, 0, failing());
    await expect(queue.send(kind, 0, failing())).rejects.toMatchObject({ code: "REQUEST_LIMIT" });
    expect(counts.total).toBe(3);
    await expect(open({ maxRequests: 2 }).queue.send(kind, 0, failing(fault, fault))).rejects.toMatchObject({
      code: "REQUEST_LIMIT",
    });
  });

  test("ends with the reason of the signal, wherever a request waits", async () => {
    const controller = new AbortController();
    const { sleep } = sleeper();
    const never: RateBudget = { take: () => new Promise(() => {}), refused: () => {} };
    const waiting = open({ concurrency: 1, budget: never, signal: controller.signal }).queue;
    const retrying = open({ sleep, signal: controller.signal }).queue;
    const paused = open({ sleep, signal: controller.signal }).queue;
    const running = [
      waiting.send(kind, 0, failing()),
      waiting.send(kind, 0, failing()),
      retrying.send(kind, 0, failing(fault)),
      paused.send(kind, 0, failing(limited)),
    ];
    await settle();
    running.push(paused.send(kind, 0, failing()));
    const reason = new OffprintError("INTERRUPTED", "Interrupted.");
    controller.abort(reason);
    for (const result of await Promise.allSettled(running)) expect(result).toEqual({ status: "rejected", reason });
  });
});
