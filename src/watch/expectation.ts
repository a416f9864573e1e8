import { type EventList, joinEvents, type Storm } from "./storm.js";

/** Announced changes that the upstream's edges do not show yet. Times are a clock's `elapsed` in ms. */
export interface Expectation {
  events: EventList;
  receivedMs: number;
  cvBefore: number | null;
  beganMs: number;
  /** When waiting for the cv began; earlier than `beganMs` if more events arrived later. */
  sinceMs: number;
  step: number;
  probes: number;
  isRechecked: boolean;
}

/** Delays of the probes after a storm ends, in milliseconds. */
export const probeSteps = [0, 2, 4, 8, 16, 20, 30, 45, 60, 75, 90, 120].map((seconds) => seconds * 1000);
/** If no cv passes the events within this time, they count as not seen. */
const giveUpMs = probeSteps.at(-1)!;
/** Usual delivery delay of an event. The platform sends it about two seconds after the change. */
const deliveryMs = 5000;
/** Longest delivery delay we accept, if nothing else points to an unseen change. */
const lateDeliveryMs = 60_000;

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

export function nextProbeMs({ beganMs, step }: Expectation): number {
  return beganMs + (probeSteps[step] ?? giveUpMs);
}

export function laterProbe(expectation: Expectation): Expectation | undefined {
  const { step, probes } = expectation;
  return step + 1 < probeSteps.length ? { ...expectation, step: step + 1, probes: probes + 1 } : undefined;
}

export interface ProbeFound {
  cv: number | null;
  /** The server's time, in milliseconds since the epoch. */
  serverMs: number;
}

/** The last sync that confirmed the snapshot or updated it. */
export interface Confirmed {
  cv: number | null;
  startedMs: number;
}

export interface Verdict {
  open: Expectation | undefined;
  runs: boolean;
  recheck: string | undefined;
  result: "seen" | "not-seen" | undefined;
}

/** Pure; `found` is undefined if the probe failed. */
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

/** A cv is server time in whole seconds, maybe before the event; then it must differ from an earlier change's cv. */
function hasPassed(expectation: Expectation, { cv, serverMs }: ProbeFound, nowMs: number): boolean {
  if (cv === null) return false;
  const eventMs = serverMs - (nowMs - expectation.receivedMs);
  if (cv >= Math.floor(eventMs / 1000)) return true;
  return cv !== expectation.cvBefore && cv >= Math.floor((eventMs - deliveryMs) / 1000);
}

/** The confirmed cv is as recent as the events, or it has moved since and the events were late. */
function isKnown(expectation: Expectation, found: ProbeFound | undefined, nowMs: number): boolean {
  if (found === undefined || found.cv === null) return false;
  const eventMs = found.serverMs - (nowMs - expectation.receivedMs);
  const oldestMs = eventMs - (found.cv === expectation.cvBefore ? deliveryMs : lateDeliveryMs);
  return found.cv >= Math.floor(oldestMs / 1000);
}
