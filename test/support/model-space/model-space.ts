import type { Random } from "./random.js";
import type { Dialect, SpaceState } from "./space-state.js";

/** A state and a cv that were current together. */
export interface Moment {
  readonly fromMs: number;
  readonly cv: number;
  readonly state: SpaceState;
  /** The kind of write, or `cv`. */
  readonly what: string;
}

/**
 * A content space with its own clock and its whole history. A write is visible at once; its cv follows up to
 * `longestLagMs` later and counts whole seconds, so that a second write within one second may find it moved already.
 */
export interface ModelSpace {
  readonly dialect: Dialect;
  /** Milliseconds since the epoch, by the space's own clock. */
  readonly nowMs: number;
  readonly state: SpaceState;
  readonly cv: number;
  /** The second of the last write that moves the cv, which may follow later. */
  readonly version: number;
  readonly moments: readonly Moment[];
  /** Writes whose cv had been taken by an earlier write of the same second: what was read in between stays addressed by it. */
  readonly absorbed: readonly { cv: number; visibleMs: number }[];
  /** Lets time pass; everything that is due happens in its order. */
  advance(ms: number): void;
  /** Does something once the clock gets there. */
  at(ms: number, action: () => void): void;
  write(what: string, movesCv: boolean, edit: (state: SpaceState, nowMs: number) => SpaceState | undefined): boolean;
  /** Every state that was visible while this cv was current, and so much longer (in ms), oldest first. */
  statesAt(cv: number, longerMs: number): SpaceState[];
  /** The state and the cv of some time ago. */
  momentAgo(ms: number): Moment;
  /** Every state that was visible at some time from one moment (ms since the epoch) to another; default: to now. */
  statesSince(fromMs: number, toMs?: number): SpaceState[];
}

export function createModelSpace(initial: SpaceState, dialect: Dialect, startMs: number, random: Random): ModelSpace {
  let nowMs = startMs;
  let state = initial;
  let cv = Math.floor(startMs / 1000) - random.int(3, 100_000);
  let version = cv;
  const moments: Moment[] = [{ fromMs: startMs, cv, state, what: "start" }];
  const absorbed: { cv: number; visibleMs: number }[] = [];
  let due: { ms: number; order: number; action: () => void }[] = [];
  let order = 0;

  const at = (ms: number, action: () => void): void => {
    due.push({ ms: Math.max(ms, nowMs), order: order++, action });
    due.sort((a, b) => a.ms - b.ms || a.order - b.order);
  };
  const moveCv = (visibleMs: number): void => {
    const next = Math.floor(nowMs / 1000);
    if (next <= cv) {
      absorbed.push({ cv, visibleMs });
      return;
    }
    cv = next;
    moments.push({ fromMs: nowMs, cv, state, what: "cv" });
  };

  return {
    dialect,
    get nowMs() {
      return nowMs;
    },
    get state() {
      return state;
    },
    get cv() {
      return cv;
    },
    get version() {
      return Math.max(cv, version);
    },
    moments,
    absorbed,
    advance(ms) {
      const target = nowMs + ms;
      for (let next = due[0]; next !== undefined && next.ms <= target; next = due[0]) {
        due = due.slice(1);
        nowMs = Math.max(nowMs, next.ms);
        next.action();
      }
      nowMs = Math.max(nowMs, target);
    },
    at,
    write(what, movesCv, edit) {
      // No two writes have the same date.
      nowMs += 1;
      const next = edit(state, nowMs);
      if (next === undefined) return false;
      state = next;
      const visibleMs = nowMs;
      if (movesCv) version = Math.max(version, Math.floor(nowMs / 1000));
      const lag = movesCv && dialect.longestLagMs > 0 ? random.int(1, dialect.longestLagMs) : 0;
      if (movesCv && lag === 0) {
        const next = Math.floor(nowMs / 1000);
        if (next <= cv) absorbed.push({ cv, visibleMs });
        cv = Math.max(cv, next);
      }
      moments.push({ fromMs: nowMs, cv, state, what });
      if (lag > 0) at(nowMs + lag, () => moveCv(visibleMs));
      return true;
    },
    statesAt(wanted, longerMs) {
      const first = moments.findIndex((moment) => moment.cv === wanted);
      if (first < 0) return [];
      const next = moments.find((moment) => moment.cv > wanted)?.fromMs ?? Number.POSITIVE_INFINITY;
      const seen = moments.slice(first).filter(({ cv, fromMs }) => cv === wanted || fromMs <= next + longerMs - 1);
      return [...new Set(seen.map((moment) => moment.state))];
    },
    momentAgo(ms) {
      if (ms === 0) return { fromMs: nowMs, cv, state, what: "now" };
      return moments.findLast(({ fromMs }) => fromMs <= nowMs - ms) ?? moments[0]!;
    },
    statesSince(fromMs, toMs = nowMs) {
      const first = Math.max(
        0,
        moments.findLastIndex((moment) => moment.fromMs <= fromMs),
      );
      const seen = moments.slice(first).filter((moment, at) => at === 0 || moment.fromMs <= toMs);
      return [...new Set(seen.map((moment) => moment.state))];
    },
  };
}
