import { number, type Shape, shape, where } from "../../lib/shape.js";

/** How fast requests are sent. Times in milliseconds since the epoch. */
export interface Pace {
  nextMs: number;
  lastMs: number;
  share: number;
  /** When the share was last updated; 0: never. */
  sharedMs: number;
  halvedMs: number;
}

/** The fields of a stored pace. Times far ahead were written before a clock was set back: they would stop everybody. */
export function paceFields(now: () => number): { [K in keyof Pace]: Shape<number> } {
  const time = shape<number>(
    "a time that is not far ahead",
    (value) => typeof value === "number" && value >= 0 && value < now() + furthestMs,
  );
  const share = where(number, "above 0, up to 1", (share) => share > 0 && share <= 1);
  return { nextMs: time, lastMs: time, share, sharedMs: time, halvedMs: time };
}

export const fullPace: Readonly<Pace> = { nextMs: 0, lastMs: 0, share: 1, sharedMs: 0, halvedMs: 0 };

/** However often the upstream answers 429, some requests are still sent. */
const smallestShare = 1 / 32;
const regainedPerSecond = 1 / 25;
/** A request up to this late (ms) was delayed by a timer: the next keeps its planned time. */
const slackMs = 20;
/** How far ahead a time may be (ms), behind the longest pause; later ones: a clock was set back. */
export const furthestMs = 3 * 60_000;

/** @param intervalMs until the next, at the full rate @param largestShare more than 1 if that rate is estimated */
export function reserve(
  pace: Pace,
  intervalMs: number,
  largestShare: number,
  nowMs: number,
): { startMs: number; pace: Pace } {
  const known = withoutFuture(pace, nowMs);
  const share = regained(known, largestShare, nowMs);
  const takesMs = intervalMs / share;
  // The server's second may begin at either: an expensive request waits as long after a cheap one.
  const freeMs = Math.max(known.nextMs, known.lastMs + takesMs);
  const startMs = Math.max(nowMs, freeMs);
  const isLate = nowMs - freeMs <= slackMs;
  const nextMs = (isLate ? freeMs : nowMs) + takesMs;
  const sharedMs = Math.max(nowMs, known.sharedMs);
  return { startMs, pace: { ...known, nextMs, lastMs: startMs, share, sharedMs } };
}

/** The pace without times far ahead, left by a clock that was set back. The share stays. */
function withoutFuture(pace: Pace, nowMs: number): Pace {
  const times = [pace.nextMs, pace.lastMs, pace.sharedMs, pace.halvedMs];
  if (times.every((time) => time <= nowMs + furthestMs)) return pace;
  return { nextMs: nowMs, lastMs: nowMs, share: pace.share, sharedMs: nowMs, halvedMs: 0 };
}

/** The pace after a 429. A request that was in flight at the last halving does not halve again. */
export function slowDown(last: Pace, { sentMs, pauseEndMs, largestShare, nowMs }: Refusal): Pace {
  const pace = withoutFuture(last, nowMs);
  const share = regained(pace, largestShare, nowMs);
  const again = sentMs <= pace.halvedMs;
  return {
    ...pace,
    nextMs: Math.max(pace.nextMs, pauseEndMs),
    share: again ? share : Math.max(smallestShare, share / 2),
    // In a pause nothing is sent, so the share does not grow.
    sharedMs: Math.max(pace.sharedMs, pauseEndMs),
    halvedMs: again ? pace.halvedMs : nowMs,
  };
}

interface Refusal {
  sentMs: number;
  pauseEndMs: number;
  largestShare: number;
  nowMs: number;
}

function regained({ share, sharedMs }: Pace, largestShare: number, nowMs: number): number {
  const quietSeconds = sharedMs === 0 ? 0 : Math.max(0, nowMs - sharedMs) / 1_000;
  return Math.min(largestShare, share + quietSeconds * regainedPerSecond);
}
