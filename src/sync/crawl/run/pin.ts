import { OffprintError } from "../../../lib/errors.js";
import type { Answer, Served } from "../../upstream/answer.js";

/** Time as the crawl sees it, so that tests need not wait. */
export interface Pacing {
  /**
   * Waits; ends early with the signal's reason when the run is cancelled.
   * @param reason Why nothing is sent meanwhile, for the progress; undefined where nobody needs to know.
   */
  sleep(ms: number, reason?: string): Promise<void>;
  /** Monotonic milliseconds. */
  now(): number;
  /** 0 ≤ n < 1, for the jitter of retries; default: `Math.random`. */
  random?(): number;
}

/** A cv counts whole seconds and may move after the write. It has to be this old, by the server's clock, to be read at. */
export const cvMaturityMs = 2_000;
const maturityLimitMs = 30_000;
const redirectLimit = 8;
const hurriedConcurrency = 2;

/**
 * The cv that a round reads at. A redirect is never followed: its cv becomes the pin once it is old enough, and the
 * round goes on, no longer clean. (Following it would plant a half-second state in the edge for our own next read. A pin
 * that hurries does so, and no later round is clean at what it moved to.)
 */
export interface Pin {
  /** null: the upstream has no cv. */
  readonly cv: number | null;
  /** Why this round is not clean; empty while it is. */
  readonly reasons: readonly string[];
  /** Requests that may be under way at once: one that waits in a queue while the cv moves is sent in vain. undefined: any. */
  readonly concurrency: number | undefined;
  /** The newest cv that was read at although it was not old enough; null: none was. */
  readonly hurriedTo: number | null;
  /** Whether anything was read at the pin: only then does the closing probe matter. */
  readonly used: boolean;
  /** When the last answer came, by {@link Pacing.now}; null before the first. */
  readonly lastReadMs: number | null;
  /** Reads at the pin until an answer is served. */
  read<T>(call: (cv: number | undefined) => Promise<Answer<T>>): Promise<Served<T>>;
  /** Reads what no cv addresses (drafts, spaces/me); a redirect there is a broken answer. */
  readUnpinned<T>(call: () => Promise<Answer<T>>): Promise<Served<T>>;
  /** Reads at another cv than the pin. Undefined where the upstream redirects that to the pin. */
  readAt<T>(at: number, call: (cv: number | undefined) => Promise<Answer<T>>): Promise<Served<T> | undefined>;
  /** Marks the round as not clean: what it stages stays, and another round follows. */
  taint(reason: string): void;
  /** False once a listing of the round may lack records. */
  readonly isComplete: boolean;
  /** Like {@link taint}, where a listing may lack records: its pages shifted, or two readings of it name others. */
  taintListing(reason: string): void;
}

/**
 * @param hurries Whether a redirect is followed at once, where the space keeps moving and no round is going to be clean:
 *   waiting for each cv to grow old enough would leave hardly any time to read at it.
 */
export function createPin(startCv: number | null, pacing: Pacing, hurries = false): Pin {
  let cv = startCv;
  let lastReadMs: number | null = null;
  let used = false;
  let isComplete = true;
  let hurriedTo: number | null = null;
  let moving: Promise<void> | undefined;
  const reasons: string[] = [];
  const taint = (reason: string): void => {
    if (!reasons.includes(reason)) reasons.push(reason);
  };
  const served = <T>(answer: Served<T>): Served<T> => {
    lastReadMs = pacing.now();
    return answer;
  };

  async function moveTo(newCv: number, dateMs: number | null): Promise<void> {
    const immature = !hurries && (await mature(newCv, dateMs, pacing));
    if (immature) taint(`cv ${newCv} lies in the server's future`);
    if (cv === null || newCv > cv) cv = newCv;
    if (hurries) hurriedTo = cv;
  }

  return {
    get cv() {
      return cv;
    },
    reasons,
    get used() {
      return used;
    },
    get lastReadMs() {
      return lastReadMs;
    },
    taint,
    concurrency: hurries ? hurriedConcurrency : undefined,
    get hurriedTo() {
      return hurriedTo;
    },
    get isComplete() {
      return isComplete;
    },
    taintListing(reason) {
      isComplete = false;
      taint(reason);
    },
    async read(call) {
      used = true;
      for (let attempt = 0; attempt < redirectLimit; attempt++) {
        const asked = cv;
        const answer = await call(asked ?? undefined);
        if (answer.kind === "served") {
          if (answer.cv !== null && asked !== null && answer.cv !== asked) {
            taint(`an answer was served at cv ${answer.cv} instead of ${asked}`);
          }
          return served(answer);
        }
        taint(`the space moved from cv ${asked ?? "unknown"} to ${answer.cv}`);
        if (asked === null || answer.cv > asked) {
          moving ??= moveTo(answer.cv, answer.dateMs).finally(() => {
            moving = undefined;
          });
          await moving;
        } else if (cv === asked) {
          // An edge that lags behind, or one that does not accept its own cv: give it time to catch up.
          await pacing.sleep(cvMaturityMs, `an edge has not come to cv ${asked} yet`);
        }
      }
      throw new OffprintError(
        "UPSTREAM_INCONSISTENT",
        `The upstream redirected ${redirectLimit} times without serving.`,
        {
          hint: "Something between this machine and the space rewrites the parameter `cv`. Check proxies and caches.",
        },
      );
    },
    async readAt(at, call) {
      used = true;
      const answer = await call(at);
      return answer.kind === "served" ? served(answer) : undefined;
    },
    async readUnpinned(call) {
      const answer = await call();
      if (answer.kind === "served") return served(answer);
      throw new OffprintError("UPSTREAM_BAD_ANSWER", "The upstream redirected a read that no cv addresses.", {
        hint: "Check that source.url is the origin of the content delivery interface.",
      });
    },
  };
}

/**
 * Waits until a cv is {@link cvMaturityMs} old by the server's own clock, at most 30 s.
 * @returns true when it still was not: the cv lies in the server's future.
 */
export async function mature(cv: number | null, dateMs: number | null, pacing: Pacing): Promise<boolean> {
  if (cv === null || dateMs === null) return false;
  const missing = cvMaturityMs - (dateMs - cv * 1000);
  if (missing <= 0) return false;
  await pacing.sleep(Math.min(missing, maturityLimitMs), `cv ${cv} is not ${cvMaturityMs / 1_000} s old yet`);
  return missing > maturityLimitMs;
}
