import { OffprintError } from "../../../lib/errors.js";
import type { Answer, Served } from "../../upstream/answer.js";

/** Time as the crawl sees it, so that tests need not wait. */
export interface Pacing {
  /** Ends early with the signal's reason. @param reason why nothing is sent, for the progress; undefined: unreported */
  sleep(ms: number, reason?: string): Promise<void>;
  /** Monotonic milliseconds. */
  now(): number;
  /** 0 ≤ n < 1, for the jitter of retries; default: `Math.random`. */
  random?(): number;
}

/** The age at which a cv may be read: it counts whole seconds and may move after the write. */
export const cvMaturityMs = 2_000;
const maturityLimitMs = 30_000;
const redirectLimit = 8;
const hurriedConcurrency = 2;

/**
 * The cv that a round reads at. A redirect is never followed: that would fill the edge with a
 * half-second state for our next read. Its cv becomes the pin once it is old enough, and the round
 * is not clean. A pin that hurries does follow, and no later round is clean at that cv.
 */
export type Pin = ReturnType<typeof createPin>;

/** @param hurries follows a redirect at once: in a space that keeps moving, waiting would leave no time to read */
export function createPin(startCv: number | null, pacing: Pacing, hurries = false) {
  let cv = startCv;
  let lastReadMs: number | null = null;
  let used = false;
  let isComplete = true;
  let hurriedTo: number | null = null;
  let moving: Promise<void> | undefined;
  const reasons: string[] = [];
  /** Marks the round as not clean: what it stages stays, and another round follows. */
  const taint = (reason: string): void => {
    if (!reasons.includes(reason)) reasons.push(reason);
  };
  const served = <T>(answer: Served<T>): Served<T> => {
    lastReadMs = pacing.now();
    return answer;
  };

  async function moveTo(newCv: number, dateMs: number | null): Promise<void> {
    const immature = !hurries && (await mature(newCv, dateMs, pacing));
    if (immature) taint(`cv ${newCv} is in the server's future`);
    if (cv === null || newCv > cv) cv = newCv;
    if (hurries) hurriedTo = cv;
  }

  return {
    get cv() {
      return cv;
    },
    reasons: reasons as readonly string[],
    /** True if anything was read at the pin: only then is a closing probe needed. */
    get used() {
      return used;
    },
    /** When the last answer came, by {@link Pacing.now}; null before the first. */
    get lastReadMs() {
      return lastReadMs;
    },
    taint,
    /** The most requests in flight (queued ones are wasted when the cv moves). undefined: any. */
    concurrency: hurries ? hurriedConcurrency : undefined,
    /** The newest cv that was read before it was old enough; null: none. */
    get hurriedTo() {
      return hurriedTo;
    },
    /** False once a listing of the round may lack records. */
    get isComplete() {
      return isComplete;
    },
    /** Like `taint`, if a listing may lack records: shifted pages, two readings that differ. */
    taintListing(reason: string): void {
      isComplete = false;
      taint(reason);
    },
    /** Reads at the pin until an answer is served. */
    async read<T>(call: (cv: number | undefined) => Promise<Answer<T>>): Promise<Served<T>> {
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
          // An edge that lags behind, or does not accept its own cv: give it time to catch up.
          await pacing.sleep(cvMaturityMs, `an edge has not reached cv ${asked} yet`);
        }
      }
      const what = `The upstream redirected ${redirectLimit} times without serving.`;
      throw new OffprintError("UPSTREAM_INCONSISTENT", what, {
        hint: "Something between this machine and the space rewrites the parameter `cv`. Check proxies and caches.",
      });
    },
    /** Reads at another cv. Undefined if the upstream redirects that to the pin. */
    async readAt<T>(at: number, call: (cv: number) => Promise<Answer<T>>): Promise<Served<T> | undefined> {
      used = true;
      const answer = await call(at);
      return answer.kind === "served" ? served(answer) : undefined;
    },
    /** Reads what has no cv in its address (drafts, spaces/me); a redirect there is an error. */
    async readUnpinned<T>(call: () => Promise<Answer<T>>): Promise<Served<T>> {
      const answer = await call();
      if (answer.kind === "served") return served(answer);
      throw new OffprintError("UPSTREAM_BAD_ANSWER", "The upstream redirected a read that no cv addresses.", {
        hint: "Check that source.url is the origin of the content delivery interface.",
      });
    },
  };
}

/** Waits until a cv is {@link cvMaturityMs} old, at most 30 s. @returns true if it still was not */
export async function mature(cv: number | null, dateMs: number | null, pacing: Pacing): Promise<boolean> {
  if (cv === null || dateMs === null) return false;
  const missing = cvMaturityMs - (dateMs - cv * 1000);
  if (missing <= 0) return false;
  await pacing.sleep(Math.min(missing, maturityLimitMs), `cv ${cv} is not ${cvMaturityMs / 1_000} s old yet`);
  return missing > maturityLimitMs;
}
