/** How fast requests go out: a time line, and the share of the full rate that the upstream bears. Times in ms since the epoch. */
export interface Pace {
  /** When the next request may go out. */
  nextMs: number;
  /** When the last one went out. */
  lastMs: number;
  /** Share of the full rate; 1: all of it. */
  share: number;
  /** When the share was last brought up to date; 0: never. */
  sharedMs: number;
  /** When it was last halved. */
  halvedMs: number;
}

/** Full speed, at once. */
export const fullPace: Readonly<Pace> = { nextMs: 0, lastMs: 0, share: 1, sharedMs: 0, halvedMs: 0 };

/** However often the upstream refuses, requests still go out now and then. */
const smallestShare = 1 / 32;
/** Regained of the full rate in each second without a refusal. */
const regainedPerSecond = 1 / 25;
/** Who comes so late for a place was held up by a timer, which is made up for; later, nothing was sent meanwhile. */
const slackMs = 20;
/**
 * Nothing that this program writes lies further ahead: not the longest pause with a place for each of many processes
 * behind it. What does was written before a clock was set back.
 */
export const furthestMs = 3 * 60_000;

/**
 * The next place on the time line.
 *
 * @param intervalMs what the request takes of it at the full rate
 * @param largestShare 1, or more where nobody told a rate
 * @returns when the request may go out, and the time line behind it
 */
export function reserve(
  pace: Pace,
  intervalMs: number,
  largestShare: number,
  nowMs: number,
): { startMs: number; pace: Pace } {
  const known = withoutFuture(pace, nowMs);
  const share = regained(known, largestShare, nowMs);
  const takesMs = intervalMs / share;
  // A dear request behind a cheap one waits as long as behind one of its own kind: a server's second may begin at either.
  const freeMs = Math.max(known.nextMs, known.lastMs + takesMs);
  const startMs = Math.max(nowMs, freeMs);
  const isLate = nowMs - freeMs <= slackMs;
  const nextMs = (isLate ? freeMs : nowMs) + takesMs;
  const sharedMs = Math.max(nowMs, known.sharedMs);
  return { startMs, pace: { ...known, nextMs, lastMs: startMs, share, sharedMs } };
}

/** The pace without what a clock that was set back has left ahead: the share stays, nothing waits for it. */
function withoutFuture(pace: Pace, nowMs: number): Pace {
  const times = [pace.nextMs, pace.lastMs, pace.sharedMs, pace.halvedMs];
  if (times.every((time) => time <= nowMs + furthestMs)) return pace;
  return { nextMs: nowMs, lastMs: nowMs, share: pace.share, sharedMs: nowMs, halvedMs: 0 };
}

/**
 * The pace after a refusal (429): half, and nothing goes out before the pause ends. Requests that were under way when it
 * was halved are refused for the same reason, and halve nothing more.
 *
 * @param sentMs when the refused request went out
 */
export function slowDown(last: Pace, sentMs: number, pauseEndMs: number, largestShare: number, nowMs: number): Pace {
  const pace = withoutFuture(last, nowMs);
  const share = regained(pace, largestShare, nowMs);
  const again = sentMs <= pace.halvedMs;
  return {
    ...pace,
    nextMs: Math.max(pace.nextMs, pauseEndMs),
    share: again ? share : Math.max(smallestShare, share / 2),
    // A pause is no quiet time: it shows nothing.
    sharedMs: Math.max(pace.sharedMs, pauseEndMs),
    halvedMs: again ? pace.halvedMs : nowMs,
  };
}

function regained({ share, sharedMs }: Pace, largestShare: number, nowMs: number): number {
  const quietSeconds = sharedMs === 0 ? 0 : Math.max(0, nowMs - sharedMs) / 1_000;
  return Math.min(largestShare, share + quietSeconds * regainedPerSecond);
}
