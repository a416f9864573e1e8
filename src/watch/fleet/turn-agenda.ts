import { afterSettingBack, earliest, type LookPlan } from "../look-plan.js";
import { missedTurnMs, type Turns } from "../next-turn.js";
import type { RunRecord } from "./fleet-records.js";
import type { SpaceJob } from "./space-job.js";

/**
 * When the spaces of a fleet are due, as one worker sees it. `lookAtMs` is in milliseconds since the epoch, too, and is known
 * of those alone that this worker has synced.
 */
export type TurnAgenda = ReadonlyMap<string, LookPlan>;

/** The turns by space. */
export type FleetTurns = ReadonlyMap<string, Turns>;

/** The agenda at the start. */
export function startAgenda(turns: FleetTurns, nowMs: number): TurnAgenda {
  return new Map([...turns].map(([space, { after }]) => [space, { turnAtMs: after(nowMs), lookAtMs: null }]));
}

/** The jobs that are due, and the agenda behind them. A turn that has passed is due once, however many have passed. Pure. */
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

/** How long it is until something is due; Infinity: nothing is. Pure. */
export function untilDueMs(agenda: TurnAgenda, nowMs: number): number {
  const times = [...agenda.values()].map(({ turnAtMs, lookAtMs }) => earliest(turnAtMs, lookAtMs));
  return times.reduce<number>((least, ms) => Math.min(least, ms ?? least), Number.POSITIVE_INFINITY) - nowMs;
}

/** The agenda after the clock was set back: see {@link afterSettingBack}. Pure. */
export function agendaAfterSettingBack(agenda: TurnAgenda, turns: FleetTurns, nowMs: number): TurnAgenda {
  return new Map([...agenda].map(([space, plan]) => [space, afterSettingBack(plan, turns.get(space)!, nowMs)]));
}

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
  const missedMs = missedTurnMs(turns, confirmedMs, nowMs);
  if (missedMs === null && !hasOutstanding) return undefined;
  return { space, kind: "missed", atMs: Math.max(missedMs ?? 0, lastRun?.atMs ?? 0) };
}

function latest(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b);
}
