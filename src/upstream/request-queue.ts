import PQueue from "p-queue";
import pRetry from "p-retry";
import { OffprintError } from "../errors.js";
import { endBySignal } from "./end-by-signal.js";
import { FairQueue } from "./fair-queue.js";
import type { RateBudget } from "./rate-budget.js";
import type { RequestKind } from "./rate-tiers.js";
import { createRefusals } from "./refusals.js";
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
  /** Answers that came from the edge, which no limit counts. */
  fromEdge: number;
  /** Bytes of all bodies as they came over the wire. */
  bytes: number;
}

/** What a {@link RequestQueue} works with. */
export interface RequestQueueOptions {
  concurrency: number;
  /** Draft reads under way at once, whatever the concurrency. */
  draftsAtOnce: number;
  /** How often a failed request is sent again; a 429 is no failure in this sense. */
  retries: number;
  /** The most requests that may be sent; undefined: no limit. */
  maxRequests?: number;
  budget: RateBudget;
  counts: RequestCounts;
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  random: () => number;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Ends what is waiting and what is under way. */
  signal: AbortSignal;
  /** Told why a request is waited for, now and then. */
  warn?: (message: string) => void;
  /** Told of every wait that is worth a word, and its reason. */
  onWait?: (ms: number, reason: string) => void;
}

/** Shorter waits are nobody's business, in milliseconds. */
const toldWaitMs = 1_000;
/** What a queue holds a request back for less long than this is no wait, in milliseconds. */
const noWaitMs = 20;
/** The least time between two lines about waiting, in milliseconds. */
const betweenToldMs = 10_000;

/** One sending of a request. */
export interface Attempt {
  /** From 1, over all sendings. */
  number: number;
  /** Tells that the answer came from the edge. */
  servedByEdge(): void;
}

/** What a caller may say about one request. */
export interface SendOptions {
  /** The caller asks for less when the answer is late or too large: such a request is not sent again as it is. */
  splits?: boolean;
}

/** Sends requests by priority, not too many at once, not too fast, and again when that may help. */
export interface RequestQueue {
  /**
   * Runs one request to its end. `attempt` sends it once; it is called again after an `UpstreamError` that is retriable. A
   * 429 slows everything down instead of using up the retries.
   *
   * @throws OffprintError REQUEST_LIMIT before a request beyond `maxRequests`; UPSTREAM_RATE_LIMITED when the upstream went
   * on refusing for minutes; else what the last attempt threw, or the reason of the signal
   */
  send<T>(
    kind: RequestKind,
    priority: number,
    attempt: (attempt: Attempt) => Promise<T>,
    options?: SendOptions,
  ): Promise<T>;
}

/**
 * The order of things: a retry waits outside of the queue, so that it holds no place in it; a place in the queue is taken
 * before the budget, so that priorities decide who draws on it next. A 429 holds up everything, also what waits inside.
 */
export function createRequestQueue(options: RequestQueueOptions): RequestQueue {
  const { budget, counts, now, random, signal, sleep } = options;
  const queue = new PQueue({ concurrency: options.concurrency, queueClass: FairQueue });
  const drafts = new PQueue({ concurrency: options.draftsAtOnce, queueClass: FairQueue });
  const refusals = createRefusals(random);
  let pause: Promise<void> | undefined;
  /** Counts the pauses: a refusal of what was sent before the last one says nothing new. */
  let pauses = 0;

  let quietUntilMs = Number.NEGATIVE_INFINITY;

  function tell({ message }: UpstreamError, waitMs: number): void {
    options.onWait?.(waitMs, message);
    if (waitMs < toldWaitMs || now() < quietUntilMs) return;
    quietUntilMs = now() + betweenToldMs;
    options.warn?.(`${message.replace(/\.$/, "")}: trying again in ${Math.round(waitMs / 100) / 10} s`);
  }

  function pauseFor(ms: number): void {
    queue.pause();
    pauses++;
    const current: Promise<void> = Promise.allSettled([pause, sleep(ms, signal)]).then(() => {
      if (pause !== current) return;
      pause = undefined;
      queue.start();
    });
    pause = current;
  }

  /** Waits until nothing is paused and the budget lets the request go. */
  async function mayGo(kind: RequestKind): Promise<void> {
    do {
      while (pause !== undefined) await pause;
      signal.throwIfAborted();
      const sinceMs = now();
      await endBySignal(budget.take(kind), signal);
      const heldMs = now() - sinceMs;
      if (heldMs >= noWaitMs) options.onWait?.(heldMs, "the rate limit (queue.rateLimit)");
    } while (pause !== undefined);
    signal.throwIfAborted();
  }

  async function sendOnce<T>(kind: RequestKind, number: number, attempt: (attempt: Attempt) => Promise<T>): Promise<T> {
    await mayGo(kind);
    if (options.maxRequests !== undefined && counts.total >= options.maxRequests)
      throw limitReached(options.maxRequests);
    counts.total++;
    if (number > 1) counts.retried++;
    const sent = { ms: now(), pauses };
    try {
      const result = await attempt({ number, servedByEdge: () => countEdge(kind) });
      refusals.answered();
      return result;
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      if (error.status !== 429) refusals.answered();
      else await slowDown(error, sent);
      throw error;
    }
  }

  function countEdge(kind: RequestKind): void {
    counts.fromEdge++;
    budget.servedByEdge(kind);
  }

  async function slowDown(error: UpstreamError, sent: { ms: number; pauses: number }): Promise<void> {
    counts.rateLimited++;
    if (sent.pauses < pauses && pause !== undefined) return;
    const pauseMs = refusals.refused(error);
    tell(error, pauseMs);
    pauseFor(pauseMs);
    await budget.refused(sent.ms, pauseMs);
  }

  async function waitForRetry(error: Error, number: number, { splits = false }: SendOptions): Promise<boolean> {
    if (!(error instanceof UpstreamError) || !error.retriable) return false;
    // A late answer will be late again; one that was cut off may have been an accident, the second one is none.
    if (splits && error.tooMuch && (error.code === "UPSTREAM_TIMEOUT" || number > 1)) return false;
    const waitMs = retryDelay(error, number, random);
    tell(error, waitMs);
    await sleep(waitMs, signal);
    return true;
  }

  return {
    send(kind, priority, attempt, sendOptions = {}) {
      let number = 0;
      const queued = () => queue.add(() => sendOnce(kind, ++number, attempt), { priority, signal });
      const bounded = () => (kind.draft ? drafts.add(queued, { priority, signal }) : queued());
      const admitted = async () => {
        for (;;) {
          try {
            return await bounded();
          } catch (error) {
            // The pause is where a refused request waits: it comes back to the queue at once.
            if (!(error instanceof UpstreamError && error.status === 429 && error.retriable)) throw error;
          }
        }
      };
      return pRetry(admitted, {
        retries: options.retries,
        minTimeout: 0,
        shouldRetry: ({ error, attemptNumber }) => waitForRetry(error, attemptNumber, sendOptions),
      });
    },
  };
}

function limitReached(maxRequests: number): OffprintError {
  return new OffprintError("REQUEST_LIMIT", `The limit of ${maxRequests} requests is reached.`, {
    hint: "Raise queue.maxRequests, or read less (source.include).",
  });
}
