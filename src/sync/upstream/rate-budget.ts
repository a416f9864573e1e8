import { furthestMs, reserve, slowDown } from "./pace.js";
import { intervalOf, loadRateTiers, type RateLimit, type RequestKind } from "./rate-tiers.js";
import { ownPace, type PaceHolder, sharedPace } from "./shared-pace.js";

/** The rate limit of one upstream, shared by all requests and retries. */
export interface RateBudget {
  take(kind: RequestKind): Promise<void>;
  /** After a 429 and the pause, all go at half the rate. @param sentMs by {@link RateBudgetOptions.now} */
  refused(sentMs: number, pauseMs: number): Promise<void>;
  /** The edge answered, which the limits do not count: the request's cost is refunded. */
  servedByEdge(kind: RequestKind): void;
}

export interface RateBudgetOptions {
  rateLimit: RateLimit;
  /** File in which processes with the same token share their pace; undefined: not shared. */
  file?: string | undefined;
  /** Keeps the pace instead of the file: several machines may share it. */
  pace?: PaceHolder | undefined;
  /** Called with the reason why the file cannot be used. */
  warn?: ((message: string) => void) | undefined;
  /** Milliseconds since the epoch. */
  now: () => number;
  sleep: (ms: number) => Promise<void>;
}

/** Spreads requests evenly. A 429 halves the rate, which grows again; without a limit, it sets the full one. */
export function createRateBudget(options: RateBudgetOptions): RateBudget {
  const { rateLimit, file, warn = () => {} } = options;
  if (rateLimit === false) return adaptiveBudget(options);
  const pace = options.pace ?? (file === undefined ? ownPace() : sharedPace(file, warn));
  if (rateLimit !== "published") return pacedBudget(options, pace, () => 1_000 / rateLimit, 1);
  const tiers = loadRateTiers();
  return pacedBudget(options, pace, (kind) => intervalOf(kind, tiers), 1);
}

/** The server's seconds begin at other moments than ours, and busy sides bunch. A 429 costs far more than 4 %. */
const margin = 1.04;
const creditLimit = 16;

function pacedBudget(
  { now, sleep }: RateBudgetOptions,
  holder: PaceHolder,
  intervalMs: (kind: RequestKind) => number,
  largestShare: number,
): RateBudget {
  const credits = new Credits();
  let turn: Promise<unknown> = Promise.resolve();
  /** The time reserved for a request that a refund then paid for; the next request uses it. */
  let reservedMs: number | undefined;

  async function pay(kind: RequestKind): Promise<void> {
    const price = intervalMs(kind) * margin;
    if (credits.use(price)) return;
    // A clock that was set back has left the reserved time far ahead.
    if (reservedMs !== undefined && reservedMs - now() > furthestMs) reservedMs = undefined;
    reservedMs ??= await holder.update((pace) => {
      const reserved = reserve(pace, price, largestShare, now());
      return { pace: reserved.pace, result: reserved.startMs };
    });
    const waitMs = reservedMs - now();
    if (waitMs > 0 && (await credits.before(sleep(waitMs), price))) return;
    reservedMs = undefined;
  }

  return {
    take(kind) {
      const paid = turn.then(() => pay(kind));
      turn = paid.catch(() => {});
      return paid;
    },
    async refused(sentMs, pauseMs) {
      credits.clear();
      const nowMs = now();
      const refusal = { sentMs, pauseEndMs: nowMs + pauseMs, largestShare, nowMs };
      await holder.update((pace) => ({ pace: slowDown(pace, refusal), result: undefined }));
    },
    servedByEdge: (kind) => credits.give(intervalMs(kind) * margin),
  };
}

/** Refunds, in milliseconds at the full rate. */
class Credits {
  readonly #given: number[] = [];
  #onGiven: () => void = () => {};

  give(price: number): void {
    if (this.#given.length >= creditLimit) return;
    this.#given.push(price);
    this.#onGiven();
  }

  use(price: number): boolean {
    const at = this.#given.findIndex((given) => given >= price);
    if (at >= 0) this.#given.splice(at, 1);
    return at >= 0;
  }

  clear(): void {
    this.#given.length = 0;
  }

  /** Waits for the time or a large enough refund; true if it was a refund. */
  async before(wait: Promise<void>, price: number): Promise<boolean> {
    const over = wait.then(() => true);
    for (;;) {
      const given = new Promise<false>((done) => {
        this.#onGiven = () => done(false);
      });
      if (await Promise.race([over, given])) return false;
      if (this.use(price)) return true;
    }
  }
}

/** No limit until the first 429: then half the rate at that time, growing until the next one. */
function adaptiveBudget(options: RateBudgetOptions): RateBudget {
  const { now } = options;
  const sent: number[] = [];
  let paced: RateBudget | undefined;
  return {
    async take(kind) {
      await paced?.take(kind);
      sent.push(now());
      if (sent.length > 1_000) sent.splice(0, 500);
    },
    async refused(sentMs, pauseMs) {
      if (paced === undefined) {
        const since = now() - 1_000;
        const perSecond = Math.max(2, sent.filter((time) => time >= since).length);
        paced = pacedBudget(options, ownPace(), () => 1_000 / perSecond, Number.POSITIVE_INFINITY);
      }
      await paced.refused(sentMs, pauseMs);
    },
    servedByEdge: (kind) => paced?.servedByEdge(kind),
  };
}
