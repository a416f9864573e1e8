import PQueue from "p-queue";
import { OffprintError } from "../../lib/errors.js";
import { endBySignal } from "../../lib/http/deadline.js";
import { UpstreamError } from "../../lib/http/upstream-error.js";
import { FairQueue } from "./fair-queue.js";
import type { RateBudget } from "./rate-budget.js";
import type { RequestKind } from "./rate-tiers.js";
import { createRefusals, type Refusals, retryDelay } from "./retry-delay.js";

/** The requests sent so far. The object changes while requests are sent. */
export interface RequestCounts {
  /** Every HTTP request, including retries and redirects, but not asset downloads. */
  total: number;
  retried: number;
  rateLimited: number;
  /** Answers from the edge, which no limit counts. */
  fromEdge: number;
  /** Bytes of all bodies as they came over the wire. */
  bytes: number;
}

export interface RequestQueueOptions {
  concurrency: number;
  /** The most draft reads in flight, whatever the concurrency. */
  draftsAtOnce: number;
  retries: number;
  /** Undefined: no limit. */
  maxRequests?: number | undefined;
  budget: RateBudget;
  counts: RequestCounts;
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  random: () => number;
  now: () => number;
  signal: AbortSignal;
  /** Called now and then with the reason why a request must wait. */
  warn?: ((message: string) => void) | undefined;
  /** Called before every wait for a retry, and for every rate limit wait of 20 ms or more. */
  onWait?: ((ms: number, reason: string) => void) | undefined;
}

/** A wait for a retry of so many milliseconds is worth a warning. */
const warnedWaitMs = 1_000;
const betweenWarningsMs = 10_000;
/** The rate limit delays nearly every request a little; only longer waits (ms) are reported. */
const reportedHoldMs = 20;

export interface Attempt {
  number: number;
  /** Call this if the answer came from the edge. */
  servedByEdge(): void;
}

/** By priority, within limits of number and rate: requests queue first, then draw on the budget. A 429 pauses all. */
export class RequestQueue {
  readonly #options: RequestQueueOptions;
  readonly #queue: PQueue<FairQueue>;
  readonly #drafts: PQueue<FairQueue>;
  readonly #refusals: Refusals;
  #pause: Promise<void> | undefined;
  /** The number of pauses: requests from before the last one are refused for the same reason. */
  #pauses = 0;
  #noWarningBeforeMs = Number.NEGATIVE_INFINITY;

  constructor(options: RequestQueueOptions) {
    this.#options = options;
    this.#queue = new PQueue({ concurrency: options.concurrency, queueClass: FairQueue });
    this.#drafts = new PQueue({ concurrency: options.draftsAtOnce, queueClass: FairQueue });
    this.#refusals = createRefusals(options.random);
  }

  /**
   * `attempt` again after a retriable `UpstreamError`; a 429 slows all down instead.
   * @param splits no retry if an answer is late or too large
   * @throws OffprintError REQUEST_LIMIT; UPSTREAM_RATE_LIMITED if only 429 came for minutes
   */
  async send<T>(kind: RequestKind, priority: number, attempt: SendAttempt<T>, splits = false): Promise<T> {
    const { retries, random, signal, sleep } = this.#options;
    let sent = 0;
    let failures = 0;
    const queued = () => this.#queue.add(() => this.#sendOnce(kind, ++sent, attempt), { priority, signal });
    for (;;) {
      try {
        return await (kind.draft ? this.#drafts.add(queued, { priority, signal }) : queued());
      } catch (error) {
        if (!(error instanceof UpstreamError && error.retriable)) throw error;
        // The queue was paused for it: it goes back at once, behind those that have waited longer.
        if (error.status === 429) continue;
        failures++;
        if (failures > retries || (splits && isTooMuch(error, failures))) throw error;
        const waitMs = retryDelay(error, failures, random);
        this.#reportWait(error, waitMs);
        await sleep(waitMs, signal);
      }
    }
  }

  async #sendOnce<T>(kind: RequestKind, number: number, attempt: SendAttempt<T>): Promise<T> {
    const { budget, counts, maxRequests, now } = this.#options;
    await this.#mayGo(kind);
    if (maxRequests !== undefined && counts.total >= maxRequests) throw limitReached(maxRequests);
    counts.total++;
    if (number > 1) counts.retried++;
    const sent = { ms: now(), pauses: this.#pauses };
    const servedByEdge = (): void => {
      counts.fromEdge++;
      budget.servedByEdge(kind);
    };
    try {
      const result = await attempt({ number, servedByEdge });
      this.#refusals.answered();
      return result;
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      if (error.status !== 429) this.#refusals.answered();
      else await this.#slowDown(error, sent);
      throw error;
    }
  }

  async #mayGo(kind: RequestKind): Promise<void> {
    const { budget, now, onWait, signal } = this.#options;
    do {
      while (this.#pause !== undefined) await this.#pause;
      signal.throwIfAborted();
      const sinceMs = now();
      await endBySignal(budget.take(kind), signal);
      const heldMs = now() - sinceMs;
      if (heldMs >= reportedHoldMs) onWait?.(heldMs, "the rate limit (queue.rateLimit)");
    } while (this.#pause !== undefined);
    signal.throwIfAborted();
  }

  async #slowDown(error: UpstreamError, sent: { ms: number; pauses: number }): Promise<void> {
    const { budget, counts } = this.#options;
    counts.rateLimited++;
    if (sent.pauses < this.#pauses && this.#pause !== undefined) return;
    const pauseMs = this.#refusals.refused(error);
    this.#reportWait(error, pauseMs);
    this.#pauseFor(pauseMs);
    await budget.refused(sent.ms, pauseMs);
  }

  #pauseFor(ms: number): void {
    const { signal, sleep } = this.#options;
    this.#queue.pause();
    this.#pauses++;
    const current: Promise<void> = Promise.allSettled([this.#pause, sleep(ms, signal)]).then(() => {
      if (this.#pause !== current) return;
      this.#pause = undefined;
      this.#queue.start();
    });
    this.#pause = current;
  }

  #reportWait({ message }: UpstreamError, waitMs: number): void {
    const { now, onWait, warn } = this.#options;
    onWait?.(waitMs, message);
    if (waitMs < warnedWaitMs || now() < this.#noWarningBeforeMs) return;
    this.#noWarningBeforeMs = now() + betweenWarningsMs;
    warn?.(`${message.replace(/\.$/, "")}: trying again in ${Math.round(waitMs / 100) / 10} s`);
  }
}

type SendAttempt<T> = (attempt: Attempt) => Promise<T>;

/** A late answer will be late again. One truncated answer may be an accident, two are not. */
function isTooMuch({ tooMuch, code }: UpstreamError, failures: number): boolean {
  return tooMuch && (code === "UPSTREAM_TIMEOUT" || failures > 1);
}

function limitReached(maxRequests: number): OffprintError {
  return new OffprintError("REQUEST_LIMIT", `The limit of ${maxRequests} requests is reached.`, {
    hint: "Raise queue.maxRequests, or read less (source.include).",
  });
}
