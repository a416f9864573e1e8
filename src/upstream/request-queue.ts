import PQueue from "p-queue";
import pRetry from "p-retry";
import { OffprintError } from "../errors.js";
import { endBySignal } from "./end-by-signal.js";
import type { RateBudget, RequestKind } from "./rate-budget.js";
import { retryDelay } from "./retry-delay.js";
import { UpstreamError } from "./upstream-error.js";

/** How much was asked of the upstream; live. */
export interface RequestCounts {
  /** Every HTTP request that was sent, retries and redirects included; asset downloads are not. */
  total: number;
  /** Those of them that repeated a failed one. */
  retried: number;
  /** Answers with status 429. */
  rateLimited: number;
  /** Bytes of all bodies as they came over the wire. */
  bytes: number;
}

/** What a {@link RequestQueue} works with. */
export interface RequestQueueOptions {
  concurrency: number;
  /** How often a failed request is sent again. */
  retries: number;
  /** The most requests that may be sent; undefined: no limit. */
  maxRequests?: number;
  budget: RateBudget;
  counts: RequestCounts;
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  random: () => number;
  /** Ends what is waiting and what is under way. */
  signal: AbortSignal;
}

/** Sends requests by priority, not too many at once, not too fast, and again when that may help. */
export interface RequestQueue {
  /**
   * Runs one request to its end. `attempt` sends it once; it is called again after an `UpstreamError` that is retriable.
   *
   * @throws OffprintError REQUEST_LIMIT before a request beyond `maxRequests`; else what the last attempt threw, or the
   * reason of the signal
   */
  send<T>(kind: RequestKind, priority: number, attempt: (number: number) => Promise<T>): Promise<T>;
}

/**
 * The order of things: a retry waits outside of the queue, so that it holds no place in it; a place in the queue is taken
 * before the budget, so that priorities decide who draws on it next. A 429 holds up everything, also what waits inside.
 */
export function createRequestQueue(options: RequestQueueOptions): RequestQueue {
  const { budget, counts, random, signal, sleep } = options;
  const queue = new PQueue({ concurrency: options.concurrency });
  let pause: Promise<void> | undefined;

  function pauseFor(ms: number): void {
    queue.pause();
    const current: Promise<void> = Promise.allSettled([pause, sleep(ms, signal)]).then(() => {
      if (pause !== current) return;
      pause = undefined;
      queue.start();
    });
    pause = current;
  }

  function slowDown(error: UpstreamError, number: number): void {
    counts.rateLimited++;
    budget.refused();
    pauseFor(retryDelay(error, number, random));
  }

  async function sendOnce<T>(kind: RequestKind, number: number, attempt: (number: number) => Promise<T>): Promise<T> {
    await endBySignal(budget.take(kind), signal);
    while (pause !== undefined) await pause;
    signal.throwIfAborted();
    if (options.maxRequests !== undefined && counts.total >= options.maxRequests)
      throw limitReached(options.maxRequests);
    counts.total++;
    if (number > 1) counts.retried++;
    try {
      return await attempt(number);
    } catch (error) {
      if (error instanceof UpstreamError && error.status === 429) slowDown(error, number);
      throw error;
    }
  }

  async function waitForRetry(error: Error, number: number): Promise<boolean> {
    if (!(error instanceof UpstreamError) || !error.retriable) return false;
    await sleep(retryDelay(error, number, random), signal);
    return true;
  }

  return {
    send(kind, priority, attempt) {
      const queued = (number: number) => queue.add(() => sendOnce(kind, number, attempt), { priority, signal });
      return pRetry(queued, {
        retries: options.retries,
        minTimeout: 0,
        shouldRetry: ({ error, attemptNumber }) => waitForRetry(error, attemptNumber),
      });
    },
  };
}

function limitReached(maxRequests: number): OffprintError {
  return new OffprintError("REQUEST_LIMIT", `The limit of ${maxRequests} requests is reached.`, {
    hint: "Raise queue.maxRequests, or read less (source.include).",
  });
}
