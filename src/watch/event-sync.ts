import type { Problem } from "../lib/errors.js";
import type { Expectation, ProbeFound, Verdict } from "./expectation.js";
import type { RunCause } from "./run-space.js";
import type { EventList } from "./storm.js";
import type { RunEnded, RunReason, WatchEvent } from "./watch-event.js";

/** Exit codes of runs that may succeed soon: 5, the upstream cannot be reached; 11, another process syncs. */
const passingExitCodes = new Set([5, 11]);

/** Why a space is synced for what events have announced. Pure. */
export function causeOf({ events: { names, count } }: Expectation, { recheck }: Verdict): RunCause {
  const reasons = names.map((event): RunReason => ({ kind: "webhook", event }));
  if (count > names.length) reasons.push({ kind: "webhook", event: `and ${count - names.length} more` });
  return { reasons, recheck: recheck === undefined ? undefined : `webhook ${recheck}` };
}

/**
 * Whether a sync has dealt with the cv of the probe. One that failed for a reason that stays would fail again: it counts as
 * dealt with until the next turn. Pure.
 */
export function isDealtWith(ended: RunEnded, found: ProbeFound | undefined): boolean {
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
