import { afterSettingBack, earliest, type LookPlan, missedTurnMs, type Turns } from "../next-turn.js";
import type { RunRecord } from "./fleet-records.js";
import type { SpaceJob } from "./space-job.js";

/** As one worker sees it; `lookAtMs`, also since the epoch, is known only for spaces it synced. */
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

export function untilDueMs(agenda: TurnAgenda, nowMs: number): number {
  const times = [...agenda.values()].map(({ turnAtMs, lookAtMs }) => earliest(turnAtMs, lookAtMs));
  return times.reduce<number>((least, ms) => Math.min(least, ms ?? least), Number.POSITIVE_INFINITY) - nowMs;
}

export function agendaAfterSettingBack(agenda: TurnAgenda, turns: FleetTurns, nowMs: number): TurnAgenda {
  return new Map([...agenda].map(([space, plan]) => [space, afterSettingBack(plan, turns.get(space)!, nowMs)]));
}

export interface KnownTurn {
  space: string;
  /** When its output was last confirmed; null: never. */
  confirmedAtMs: number | null;
  hasOutstanding: boolean;
  lastRun: RunRecord | undefined;
}

/** The same moment on workers that start together, so only one adds it; undefined: none. Pure. */
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
