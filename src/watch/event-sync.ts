import type { Problem } from "../lib/errors.js";
import {
  type Confirmed,
  type Expectation,
  judgeProbe,
  laterProbe,
  type ProbeFound,
  type Verdict,
} from "./expectation.js";
import type { RunCause } from "./run-space.js";
import type { EventList } from "./storm.js";
import type { RunEnded, RunReason, WatchEvent } from "./watch-event.js";

/** Exit codes of runs that may succeed soon: 5, the upstream cannot be reached; 11, another process syncs. */
const passingExitCodes = new Set([5, 11]);

/** What a probe has found for events, and what is known already. */
export interface Probed {
  expectation: Expectation;
  /** undefined: the probe failed. */
  found: ProbeFound | undefined;
  confirmed: Confirmed;
  /** When the probe was answered. */
  nowMs: number;
}

/** What came of a probe, and of the sync that followed from it. */
export interface Followed {
  /** What is still expected. */
  open: Expectation | undefined;
  /** What there is to tell of the events. */
  result: Verdict["result"];
  /** undefined: nothing was synced. */
  ended?: RunEnded;
  /** The cv that counts as dealt with from now on. */
  dealtCv?: number | undefined;
}

/**
 * Does what follows from a probe.
 *
 * @param sync returns undefined where it was stopped before it began
 * @param givesBack Whether somebody else goes on, so that a sync counts for nothing.
 */
export async function followProbe(
  { expectation, found, confirmed, nowMs }: Probed,
  sync: (cause: RunCause) => Promise<RunEnded | undefined>,
  givesBack = () => false,
): Promise<Followed> {
  const verdict = judgeProbe(expectation, found, confirmed, nowMs);
  if (!verdict.runs) return { open: verdict.open, result: verdict.result };
  const ended = await sync(causeOf(expectation, verdict));
  if (ended === undefined) return { open: verdict.open, result: undefined };
  const isDone = isDealtWith(ended, found) && !givesBack();
  const open = verdict.open ?? (isDone ? undefined : laterProbe(expectation));
  const isTold = open === undefined || verdict.result === "not-seen";
  const dealtCv = isDone ? (found?.cv ?? undefined) : undefined;
  return { open, ended, dealtCv, result: isTold ? verdict.result : undefined };
}

/** Why a space is synced for what events have announced. */
function causeOf({ events: { names, count } }: Expectation, { recheck }: Verdict): RunCause {
  const reasons = names.map((event): RunReason => ({ kind: "webhook", event }));
  if (count > names.length) reasons.push({ kind: "webhook", event: `and ${count - names.length} more` });
  return { reasons, recheck: recheck === undefined ? undefined : `webhook ${recheck}` };
}

/** Whether the probe's cv is dealt with. A failure that stays would come again: it counts until the next turn. */
function isDealtWith(ended: RunEnded, found: ProbeFound | undefined): boolean {
  // Another edge may have answered the sync with an older cv than the probe.
  const isHeld = ended.problems.some(({ code }) => code === "HELD");
  const isBehind = !isHeld && ended.report?.cv != null && found?.cv != null && ended.report.cv < found.cv;
  return !isBehind && !passingExitCodes.has(ended.exitCode);
}

/** What is told of events after a probe. Pure. @param waitedMs since the latest of them */
export function toldOf(
  { events, probes }: Expectation,
  result: NonNullable<Verdict["result"]>,
  { space, atMs, waitedMs }: { space: string; atMs: number; waitedMs: number },
): WatchEvent {
  const told: WatchEvent = { kind: "expectation", space, atMs, result, probes: probes + 1, waitedMs };
  return result === "not-seen" ? { ...told, problem: notSeen(events, waitedMs) } : told;
}

/** What is told of events that the upstream never showed. */
function notSeen({ names, count }: EventList, waitedMs: number): Problem {
  const what = count === 1 ? `The event ${names[0]}` : `${count} events, the first of them ${names[0]},`;
  return {
    code: "EVENT_NOT_SEEN",
    message: `${what} came ${Math.round(waitedMs / 1000)} s ago, and the upstream's cv has not passed that moment.`,
    hint: "Later syncs will find the change when the upstream shows it. If this stays so, look at its status page.",
  };
}
