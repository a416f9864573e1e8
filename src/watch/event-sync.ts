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

/** Exit codes that may pass soon. 5: upstream unreachable; 11: another process is syncing. */
const passingExitCodes = new Set([5, 11]);

export interface Probed {
  expectation: Expectation;
  found: ProbeFound | undefined;
  confirmed: Confirmed;
  nowMs: number;
}

export interface Followed extends Pick<Verdict, "open" | "result"> {
  ended?: RunEnded;
  /** The cv to treat as handled from now on. */
  dealtCv?: number | undefined;
}

/** @param sync undefined: stopped before it began @param givesBack another worker goes on: a sync here is no end */
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

function causeOf({ events: { names, count } }: Expectation, { recheck }: Verdict): RunCause {
  const reasons = names.map((event): RunReason => ({ kind: "webhook", event }));
  if (count > names.length) reasons.push({ kind: "webhook", event: `and ${count - names.length} more` });
  return { reasons, recheck: recheck === undefined ? undefined : `webhook ${recheck}` };
}

/** A permanent failure counts as handled until the next turn; otherwise it would repeat at once. */
function isDealtWith(ended: RunEnded, found: ProbeFound | undefined): boolean {
  // Another edge may have served the sync an older cv than the probe.
  const isHeld = ended.problems.some(({ code }) => code === "HELD");
  const isBehind = !isHeld && ended.report?.cv != null && found?.cv != null && ended.report.cv < found.cv;
  return !isBehind && !passingExitCodes.has(ended.exitCode);
}

export function toldOf(
  { events, probes }: Expectation,
  result: NonNullable<Verdict["result"]>,
  { space, atMs, waitedMs }: { space: string; atMs: number; waitedMs: number },
): WatchEvent {
  const told: WatchEvent = { kind: "expectation", space, atMs, result, probes: probes + 1, waitedMs };
  return result === "not-seen" ? { ...told, problem: notSeen(events, waitedMs) } : told;
}

function notSeen({ names, count }: EventList, waitedMs: number): Problem {
  const what = count === 1 ? `The event ${names[0]}` : `${count} events, the first of them ${names[0]},`;
  return {
    code: "EVENT_NOT_SEEN",
    message: `${what} arrived ${Math.round(waitedMs / 1000)} s ago, but the upstream's cv is still older.`,
    hint: "Later syncs will find the change once the upstream shows it. If this persists, check its status page.",
  };
}
