import { hasMissedTurn, type Turns } from "../watch/next-turn.js";
import type { RunRecord } from "./fleet-records.js";
import type { SpaceJob } from "./space-job.js";

/** When the spaces of a fleet are due, as one worker sees it. Times in milliseconds since the epoch. */
export interface TurnAgenda {
  /** The next turn of each space; null: there is none. */
  turnAtMs: ReadonlyMap<string, number | null>;
  /** When what was read lately is looked at once more, by space; only of those that this worker has synced. */
  lookAtMs: ReadonlyMap<string, number>;
}

/** The turns by space. */
export type FleetTurns = ReadonlyMap<string, Turns>;

/** The agenda at the start. */
export function startAgenda(turns: FleetTurns, nowMs: number): TurnAgenda {
  return { turnAtMs: new Map([...turns].map(([space, { after }]) => [space, after(nowMs)])), lookAtMs: new Map() };
}

/** The jobs that are due, and the agenda behind them. A turn that has passed is due once, however many have passed. Pure. */
export function dueJobs(
  agenda: TurnAgenda,
  turns: FleetTurns,
  nowMs: number,
): { jobs: SpaceJob[]; agenda: TurnAgenda } {
  const jobs: SpaceJob[] = [];
  const turnAtMs = new Map(agenda.turnAtMs);
  const lookAtMs = new Map(agenda.lookAtMs);
  for (const [space, atMs] of agenda.turnAtMs) {
    if (atMs === null || atMs > nowMs) continue;
    jobs.push({ space, kind: "turn", atMs });
    turnAtMs.set(space, turns.get(space)?.after(nowMs) ?? null);
  }
  for (const [space, atMs] of agenda.lookAtMs) {
    if (atMs > nowMs) continue;
    jobs.push({ space, kind: "look", atMs });
    lookAtMs.delete(space);
  }
  return { jobs, agenda: { turnAtMs, lookAtMs } };
}

/** How long it is until something is due; Infinity: nothing is. Pure. */
export function untilDueMs({ turnAtMs, lookAtMs }: TurnAgenda, nowMs: number): number {
  const times = [...turnAtMs.values(), ...lookAtMs.values()].map((ms) => ms ?? Number.POSITIVE_INFINITY);
  return times.reduce((least, ms) => Math.min(least, ms), Number.POSITIVE_INFINITY) - nowMs;
}

/** The agenda after the clock was set back: otherwise the next turn would come only when the clock has caught up. Pure. */
export function agendaAfterSettingBack(agenda: TurnAgenda, turns: FleetTurns, nowMs: number): TurnAgenda {
  const earlier = [...agenda.turnAtMs].map(([space, atMs]): [string, number | null] => {
    const next = turns.get(space)?.after(nowMs) ?? null;
    return [space, atMs === null || next === null ? next : Math.min(atMs, next)];
  });
  return { ...agenda, turnAtMs: new Map(earlier) };
}

/** By how much a time of a Date header, which has whole seconds, may be too early. */
const headerMs = 999;

/** What is known of a space where a worker starts. */
export interface KnownTurn {
  space: string;
  /** When its output was confirmed; null: never. */
  confirmedAtMs: number | null;
  /** Whether something was left to be handed over. */
  hasOutstanding: boolean;
  /** Its last run of any worker; undefined: none is known. */
  lastRun: RunRecord | undefined;
}

/**
 * The job for a turn that was missed while no worker was there; undefined: none was. Workers that start together find the
 * same moment, so that one of them adds it. Pure.
 */
export function missedJob(known: KnownTurn, turns: Turns, nowMs: number): SpaceJob | undefined {
  const { space, lastRun, hasOutstanding } = known;
  const confirmedMs = latest(known.confirmedAtMs, lastRun?.freshness.confirmedAtMs ?? null);
  if (!hasMissedTurn(turns, confirmedMs, nowMs)) {
    return hasOutstanding ? { space, kind: "missed", atMs: lastRun?.atMs ?? 0 } : undefined;
  }
  const missed = confirmedMs === null || confirmedMs > nowMs ? null : turns.after(confirmedMs + headerMs);
  return { space, kind: "missed", atMs: Math.max(missed ?? 0, lastRun?.atMs ?? 0) };
}

function latest(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b);
}
