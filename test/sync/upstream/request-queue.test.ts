import { setMaxListeners } from "node:events";
import { describe, expect, test } from "vitest";
import { OffprintError } from "../../../src/lib/errors.js";
import { UpstreamError } from "../../../src/lib/http/upstream-error.js";
import type { RateBudget } from "../../../src/sync/upstream/rate-budget.js";
import { type Attempt, RequestQueue, type RequestQueueOptions } from "../../../src/sync/upstream/request-queue.js";

const kind = { group: "delivery" } as const;
const fault = new UpstreamError("UPSTREAM_UNREACHABLE", "fault", { status: 503, retriable: true });
const limited = new UpstreamError("UPSTREAM_RATE_LIMITED", "limited", { status: 429, retriable: true });
const refused = new UpstreamError("UPSTREAM_REFUSED", "refused", { status: 401 });

/** A sleep that lasts until the test ends it. */
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

/** A signal that many may listen to. */
function lasting(): AbortSignal {
  const { signal } = new AbortController();
  setMaxListeners(0, signal);
  return signal;
}

const unlimited: RateBudget = { take: async () => {}, refused: async () => {}, servedByEdge: () => {} };

function open(options: Partial<RequestQueueOptions> = {}) {
  const counts = { total: 0, retried: 0, rateLimited: 0, fromEdge: 0, bytes: 0 };
  const waits: number[] = [];
  const queue = new RequestQueue({
    concurrency: 8,
    draftsAtOnce: 30,
    retries: 5,
    budget: unlimited,
    counts,
    sleep: async (ms) => void waits.push(ms),
    random: () => 0.5,
    now: () => 0,
    signal: lasting(),
    ...options,
  });
  return { queue, counts, waits };
}

/** Lets everything run that waits for nothing outside. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Fails with each of the errors in turn, then succeeds. */
function failing(...errors: Error[]): (attempt: Attempt) => Promise<string> {
  return async ({ number }) => {
    const error = errors[number - 1];
    if (error !== undefined) throw error;
    return `attempt ${number}`;
  };
}

describe("a failed request", () => {
  test("is sent again after a jittered wait that grows", async () => {
    const { queue, counts, waits } = open();
    expect(await queue.send(kind, 0, failing(fault, fault, fault))).toBe("attempt 4");
    expect(waits).toEqual([250, 500, 1_000]);
    expect(counts).toMatchObject({ total: 4, retried: 3, rateLimited: 0 });
  });

  test("reports why it waits, if that takes a second or more, and at most every ten", async () => {
    const told: string[] = [];
    let nowMs = 0;
    const { queue } = open({
      retries: 10,
      now: () => nowMs,
      sleep: async (ms) => {
        nowMs += ms;
      },
      warn: (text) => void told.push(text),
    });
    await queue.send(kind, 0, failing(...Array.from({ length: 6 }, () => fault), limited));
    // After 0.75 s for 1 s, and after 15.75 s, when the upstream refuses more.
    expect(told).toEqual(["fault: trying again in 1 s", "limited: trying again in 1.3 s"]);
  });

  test("fails with its last error after all retries, of which a 429 uses none", async () => {
    const { queue, counts } = open({ retries: 2 });
    await expect(queue.send(kind, 0, failing(fault, limited, fault, fault))).rejects.toBe(fault);
    expect(counts).toMatchObject({ total: 4, retried: 3, rateLimited: 1 });
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

  test("takes no place in the queue while it waits", async () => {
    const { sleep, wake } = sleeper();
    const { queue } = open({ concurrency: 1, sleep });
    const first = queue.send(kind, 0, failing(fault));
    expect(await queue.send(kind, 0, failing())).toBe("attempt 1");
    wake();
    expect(await first).toBe("attempt 2");
  });
});

describe("the queue", () => {
  test("never exceeds its concurrency, and sends the highest priority first", async () => {
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

  test("takes every attempt from the budget, and reports a 429 to it", async () => {
    const calls: string[] = [];
    const budget: RateBudget = {
      take: async ({ perPage }) => void calls.push(`take ${perPage}`),
      refused: async (sentMs, pauseMs) => void calls.push(`refused at ${sentMs} for ${pauseMs}`),
      servedByEdge: ({ perPage }) => void calls.push(`free ${perPage}`),
    };
    const { queue, counts } = open({ budget });
    await queue.send({ group: "delivery", perPage: 100 }, 0, async ({ number, servedByEdge }) => {
      if (number === 1) throw limited;
      servedByEdge();
    });
    expect(calls).toEqual(["take 100", "refused at 0 for 1250", "take 100", "free 100"]);
    expect(counts).toMatchObject({ total: 2, rateLimited: 1, fromEdge: 1 });
  });

  test("pauses everything after a 429, including requests that wait for the budget", async () => {
    const { sleep, wake, waits } = sleeper();
    let mayTake: () => void = () => {};
    let taken = 0;
    const budget: RateBudget = {
      ...unlimited,
      take: () => (taken++ === 1 ? new Promise((resolve) => (mayTake = resolve)) : Promise.resolve()),
    };
    const { queue, counts } = open({ sleep, budget });
    const sent: string[] = [];
    const first = queue.send(kind, 0, async ({ number }) => {
      sent.push(`first ${number}`);
      if (number === 1) throw limited;
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

  test("pauses once for refusals of concurrent requests, and again for a later one", async () => {
    const { queue, counts, waits } = open();
    await Promise.all([1, 2, 3].map(() => queue.send(kind, 0, failing(limited, limited))));
    expect(counts).toMatchObject({ total: 9, rateLimited: 6 });
    expect(waits).toEqual([1_250, 2_250]);
  });

  test("never exceeds the interface's limit of concurrent draft reads", async () => {
    const { queue } = open({ concurrency: 100, draftsAtOnce: 30 });
    let [drafts, most] = [0, 0];
    const draft = async () => {
      most = Math.max(most, ++drafts);
      await settle();
      drafts--;
    };
    await Promise.all(Array.from({ length: 90 }, () => queue.send({ ...kind, draft: true }, 0, draft)));
    expect(most).toBe(30);
  });

  test.each([
    ["names no time", {}, /429 to everything for \d min: limited$/],
    ["asks for a day", { retryAfterMs: 86_400_000 }, /It asks to wait 24 h \(Retry-After\)\.$/],
    ["asks for longer than there is", { retryAfterMs: 1e23 }, /It asks to wait longer than a year/],
    ["asks for no time at all", { retryAfterMs: 0 }, /429 to everything for \d min/],
  ])(
    "gives up on an upstream that answers nothing but 429 and %s, after five minutes of waiting",
    async (_what, asks, message) => {
      const { queue, waits } = open({ retries: 0 });
      const refusal = new UpstreamError("UPSTREAM_RATE_LIMITED", "limited", { status: 429, retriable: true, ...asks });
      const sending = queue.send(kind, 0, async () => {
        throw refusal;
      });
      await expect(sending).rejects.toMatchObject({
        code: "UPSTREAM_RATE_LIMITED",
        message: expect.stringMatching(message),
      });
      expect(waits.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(300_000);
      expect(waits.length).toBeGreaterThan(3);
    },
  );

  test("continues if every second request is refused, and gives up after half an hour of waiting", async () => {
    const { queue, counts, waits } = open();
    for (let n = 0; n < 1_000; n++) await queue.send(kind, 0, failing(limited));
    expect(counts).toMatchObject({ total: 2_000, rateLimited: 1_000 });
    const endless = async () => {
      for (;;) await queue.send(kind, 0, failing(limited));
    };
    await expect(endless()).rejects.toMatchObject({
      message: expect.stringMatching(/answered 429 \d+ times, after 30 min of waiting/),
    });
    expect(waits.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(1_800_000);
  });

  test("stops before a request beyond maxRequests, including retries, and does not retry that", async () => {
    const { queue, counts } = open({ maxRequests: 3 });
    await queue.send(kind, 0, failing(fault));
    await queue.send(kind, 0, failing());
    await expect(queue.send(kind, 0, failing())).rejects.toMatchObject({ code: "REQUEST_LIMIT" });
    expect(counts.total).toBe(3);
    await expect(open({ maxRequests: 2 }).queue.send(kind, 0, failing(fault, fault))).rejects.toMatchObject({
      code: "REQUEST_LIMIT",
    });
  });

  test("ends with the reason of the signal at every wait", async () => {
    const controller = new AbortController();
    const { sleep } = sleeper();
    const never: RateBudget = { ...unlimited, take: () => new Promise(() => {}) };
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
