import { afterSettingBack, earliest, type LookPlan } from "../look-plan.js";
import { missedTurnMs, type Turns } from "../next-turn.js";
import type { RunRecord } from "./fleet-records.js";
import type { SpaceJob } from "./space-job.js";

/**
 * When the spaces of a fleet are due, as one worker sees it. Here `lookAtMs` is in milliseconds
 * since the epoch too; a worker knows it only for spaces it has synced.
 */
export type TurnAgenda = ReadonlyMap<string, LookPlan>;

export type FleetTurns = ReadonlyMap<string, Turns>;

export function startAgenda(turns: FleetTurns, nowMs: number): TurnAgenda {
  return new Map([...turns].map(([space, { after }]) => [space, { turnAtMs: after(nowMs), lookAtMs: null }]));
}

/** Returns the due jobs and the agenda after them. Missed turns of a space make one job. Pure. */
export function dueJobs(
  agenda: TurnAgenda,
  turns: FleetTurns,
  nowMs: number,
): { jobs: SpaceJob[]; agenda: TurnAgenda } {
  const jobs: SpaceJob[] = [];
  const after = new Map(agenda);
  for (const [space, { turnAtMs, lookAtMs }] of agenda) {
    const plan = { turnAtMs, lookAtMs };
    if (turnAtMs !== null && turnAtMs <= nowMs) {
      jobs.push({ space, kind: "turn", atMs: turnAtMs });
      plan.turnAtMs = turns.get(space)?.after(nowMs) ?? null;
    }
    if (lookAtMs !== null && lookAtMs <= nowMs) {
      jobs.push({ space, kind: "look", atMs: lookAtMs });
      plan.lookAtMs = null;
    }
    after.set(space, plan);
  }
  return { jobs, agenda: after };
}

/** Returns the time until something is due, in milliseconds; Infinity: nothing is. Pure. */
export function untilDueMs(agenda: TurnAgenda, nowMs: number): number {
  const times = [...agenda.values()].map(({ turnAtMs, lookAtMs }) => earliest(turnAtMs, lookAtMs));
  return times.reduce<number>((least, ms) => Math.min(least, ms ?? least), Number.POSITIVE_INFINITY) - nowMs;
}

/** Returns the agenda after the clock was set back: see {@link afterSettingBack}. Pure. */
export function agendaAfterSettingBack(agenda: TurnAgenda, turns: FleetTurns, nowMs: number): TurnAgenda {
  return new Map([...agenda].map(([space, plan]) => [space, afterSettingBack(plan, turns.get(space)!, nowMs)]));
}

/** What a starting worker knows of a space. */
export interface KnownTurn {
  space: string;
  /** When its output was last confirmed; null: never. */
  confirmedAtMs: number | null;
  /** Whether hooks have changes left to handle. */
  hasOutstanding: boolean;
  /** The last run of any worker; undefined: unknown. */
  lastRun: RunRecord | undefined;
}

/**
 * Returns the job for a turn missed while no worker was running; undefined: none. Workers that
 * start together compute the same moment, so only one adds it. Pure.
 */
export function missedJob(known: KnownTurn, turns: Turns, nowMs: number): SpaceJob | undefined {
  const { space, lastRun, hasOutstanding } = known;
  const confirmedMs = latest(known.confirmedAtMs, lastRun?.freshness.confirmedAtMs ?? null);
  const missedMs = missedTurnMs(turns, confirmedMs, nowMs);
  if (missedMs === null && !hasOutstanding) return undefined;
  return { space, kind: "missed", atMs: Math.max(missedMs ?? 0, lastRun?.atMs ?? 0) };
}

function latest(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b);
}
