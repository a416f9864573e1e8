import { type EventList, joinEvents, type Storm } from "./storm.js";

/**
 * What events have announced and the upstream does not show yet: its edges answer with an older cv for a while. Times are
 * those of a clock's `elapsed`, in milliseconds, unless they say server time.
 */
export interface Expectation {
  events: EventList;
  /** When the latest event came. */
  receivedMs: number;
  /** The cv that was confirmed before the events came; null: none. */
  cvBefore: number | null;
  /** When probing for the latest events began. */
  beganMs: number;
  /** Since when cv is waited for; earlier than `beganMs` where further events came meanwhile. */
  sinceMs: number;
  /** Place in {@link probeSteps} of the next probe. */
  step: number;
  /** How many probes were made. */
  probes: number;
  /** Whether what cv may not cover was read for these events. */
  isRechecked: boolean;
}

/** When the upstream is probed, in milliseconds after a storm of events is over. */
export const probeSteps = [0, 2, 4, 8, 16, 20, 30, 45, 60, 75, 90, 120].map((seconds) => seconds * 1000);
/** After this time without a cv that has passed the events, they count as not seen. */
const giveUpMs = probeSteps.at(-1)!;
/** By how much an event may come later than the change that it tells of: the platform sends it about two seconds later. */
const deliveryMs = 5000;
/** By how much a late one may, where nothing else tells of a change that is not seen. */
const lateDeliveryMs = 60_000;

/** What is expected after a storm; what is still open is expected with it. */
export function expectStorm(storm: Storm, nowMs: number, open?: Expectation): Expectation {
  return {
    events: open === undefined ? storm.events : joinEvents(open.events, storm.events),
    receivedMs: storm.lastMs,
    cvBefore: storm.cvBefore,
    beganMs: nowMs,
    sinceMs: open?.sinceMs ?? nowMs,
    step: 0,
    probes: open?.probes ?? 0,
    isRechecked: false,
  };
}

/** When the next probe is due. */
export function nextProbeMs({ beganMs, step }: Expectation): number {
  return beganMs + (probeSteps[step] ?? giveUpMs);
}

/** The same with one more probe behind it; undefined: no more are made. */
export function laterProbe(expectation: Expectation): Expectation | undefined {
  const { step, probes } = expectation;
  return step + 1 < probeSteps.length ? { ...expectation, step: step + 1, probes: probes + 1 } : undefined;
}

/** What a probe has found. */
export interface ProbeFound {
  /** null: the upstream has none. */
  cv: number | null;
  /** The server's time, in milliseconds since the epoch. */
  serverMs: number;
}

/** The last sync that found the snapshot to be as the space, or made it so. */
export interface Confirmed {
  /** null: there was none, or the upstream has none. */
  cv: number | null;
  /** When it began. */
  startedMs: number;
}

/** What follows from a probe. */
export interface Verdict {
  /** What is still expected; undefined: nothing. */
  open: Expectation | undefined;
  /** Whether the space is synced now. */
  runs: boolean;
  /** Why what cv may not cover is read with it. */
  recheck: string | undefined;
  /** What there is to tell of the events. */
  result: "seen" | "not-seen" | undefined;
}

/**
 * What follows from a probe. Pure.
 *
 * @param found undefined: it failed
 * @param nowMs when it was answered
 */
export function judgeProbe(
  before: Expectation,
  found: ProbeFound | undefined,
  confirmed: Confirmed,
  nowMs: number,
): Verdict {
  const { events } = before;
  const open = laterProbe(before);
  const hasNoCv = found !== undefined && found.cv === null;
  const recheck = events.beyondCv ?? (hasNoCv ? events.names[0] : undefined);
  const moved = found?.cv != null && found.cv > (confirmed.cv ?? -1);
  if (found !== undefined && hasPassed(before, found, nowMs)) {
    const isRead = !moved && confirmed.startedMs >= before.receivedMs;
    return { open: undefined, runs: !isRead || recheck !== undefined, recheck, result: "seen" };
  }
  const waits = events.movesCv && !hasNoCv;
  if (open === undefined) {
    const result = isKnown(before, found, nowMs) ? "seen" : "not-seen";
    return { open: undefined, runs: moved || recheck !== undefined, recheck, result: waits ? result : undefined };
  }
  const rechecks = recheck !== undefined && !before.isRechecked && found !== undefined;
  const isLate = waits && nowMs - before.sinceMs >= giveUpMs;
  return {
    open: { ...open, isRechecked: before.isRechecked || rechecks, sinceMs: isLate ? nowMs : before.sinceMs },
    runs: moved || rechecks,
    recheck: rechecks ? recheck : undefined,
    result: isLate ? "not-seen" : undefined,
  };
}

/**
 * Whether the cv shows what the events tell of. It counts whole seconds of the server's clock, and is that of the change, so
 * it may be a little older than the event. Then it has to be another one than before: that one may be of the change before.
 */
function hasPassed(expectation: Expectation, { cv, serverMs }: ProbeFound, nowMs: number): boolean {
  if (cv === null) return false;
  const eventMs = serverMs - (nowMs - expectation.receivedMs);
  if (cv >= Math.floor(eventMs / 1000)) return true;
  return cv !== expectation.cvBefore && cv >= Math.floor((eventMs - deliveryMs) / 1000);
}

/**
 * Whether the cv may well be that of the events, though it has not passed them: the one that was confirmed before is as young as
 * they are, or it has moved since, and the events came late.
 */
function isKnown(expectation: Expectation, found: ProbeFound | undefined, nowMs: number): boolean {
  if (found === undefined || found.cv === null) return false;
  const eventMs = found.serverMs - (nowMs - expectation.receivedMs);
  const oldestMs = eventMs - (found.cv === expectation.cvBefore ? deliveryMs : lateDeliveryMs);
  return found.cv >= Math.floor(oldestMs / 1000);
}
