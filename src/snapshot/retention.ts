import type { Config } from "../config/config.js";
import { listGenerations, tryManifest } from "./current-manifest.js";
import type { WaitingGenerations } from "./cursors.js";
import { generationFile } from "./layout.js";
import type { Manifest } from "./manifest.js";
import type { Store } from "./store/store.js";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Which generations stay. Each period counts only hours, days or weeks (UTC) that have a generation. */
export interface KeepRule {
  /** The newest ones, by number. */
  last: number;
  /** The newest one in each of so many hours; days and weeks alike. */
  hours: number;
  days: number;
  weeks: number;
  /** How long (ms) a superseded generation stays for its readers. */
  graceMs: number;
}

export function keepRule({ keepGenerations, keep, graceMs = hourMs }: KeepSetting): KeepRule {
  return { last: keepGenerations, hours: 0, days: 0, weeks: 0, ...keep, graceMs };
}

type KeepSetting = Pick<Config["output"], "keepGenerations" | "keep" | "graceMs">;

export interface DatedGeneration {
  generation: number;
  committedMs: number;
  /** When the next one was committed; null: it is the newest. */
  supersededMs: number | null;
  /** A consumer still needs it. */
  isWaiting: boolean;
}

/** Why a generation stays. */
export interface KeepReason {
  rule: "newest" | "last" | "hours" | "days" | "weeks" | "grace" | "consumer";
  /** Stays at least until then, in milliseconds since the epoch; null: no date decides. */
  untilMs: number | null;
}

const periods = {
  hours: { lengthMs: hourMs, startMs: 0 },
  days: { lengthMs: dayMs, startMs: 0 },
  // The epoch was a Thursday; a week starts on Monday.
  weeks: { lengthMs: 7 * dayMs, startMs: -3 * dayMs },
} as const;

/** Without a reason, the next prune removes one; how often it runs changes nothing. @param generations newest first */
export function planRetention(
  generations: readonly DatedGeneration[],
  rule: KeepRule,
  nowMs: number,
): Map<number, KeepReason[]> {
  const plan = new Map<number, KeepReason[]>();
  for (const [index, { generation, supersededMs, isWaiting }] of generations.entries()) {
    const reasons: KeepReason[] = [];
    if (index === 0) reasons.push({ rule: "newest", untilMs: null });
    if (index < rule.last) reasons.push({ rule: "last", untilMs: null });
    if (isWaiting) reasons.push({ rule: "consumer", untilMs: null });
    if (supersededMs !== null && nowMs - supersededMs < rule.graceMs) {
      reasons.push({ rule: "grace", untilMs: supersededMs + rule.graceMs });
    }
    plan.set(generation, reasons);
  }
  for (const name of ["hours", "days", "weeks"] as const) {
    for (const [generation, untilMs] of newestOfPeriods(generations, name, rule[name], nowMs)) {
      plan.get(generation)?.push({ rule: name, untilMs });
    }
  }
  return plan;
}

/** The newest generation of each of the last `count` periods that have one, and until when it stays at least. */
function newestOfPeriods(
  generations: readonly DatedGeneration[],
  name: keyof typeof periods,
  count: number,
  nowMs: number,
): Map<number, number | null> {
  const { lengthMs, startMs } = periods[name];
  const periodOf = (ms: number) => Math.floor((ms - startMs) / lengthMs);
  const chosen = new Map<number, number>();
  for (const { generation, committedMs } of generations) {
    if (chosen.size === count) break;
    const period = periodOf(committedMs);
    if (!chosen.has(period)) chosen.set(period, generation);
  }
  const now = periodOf(nowMs);
  const [newest = 0] = chosen.keys();
  // It goes when enough later periods have one: at the earliest, each from now on.
  const next = Math.max(newest + 1, now);
  return new Map(
    [...chosen].map(([period, generation], rank) => {
      // The next one of a period that is not over replaces it.
      const untilMs = period >= now ? null : (next + count - 1 - rank) * lengthMs + startMs;
      return [generation, untilMs];
    }),
  );
}

export interface DatedManifest extends DatedGeneration {
  manifest: Manifest;
}

/** The kept generations from the current one down. Leaves out those with a damaged manifest. */
export async function datedManifests(
  store: Store,
  current: Manifest,
  waiting: Pick<WaitingGenerations, "has">,
): Promise<DatedManifest[]> {
  const earlier = (await listGenerations(store)).filter((generation) => generation < current.generation).toReversed();
  const found: DatedManifest[] = [];
  let supersededMs: number | null = null;
  for (const generation of [current.generation, ...earlier]) {
    const isCurrent = generation === current.generation;
    const manifest = isCurrent ? current : (await tryManifest(store, generationFile(generation), generation)).manifest;
    if (manifest === undefined) continue;
    const committedMs = Date.parse(manifest.committedAt);
    const isWaiting = supersededMs !== null && waiting.has(generation, supersededMs);
    found.push({ generation, committedMs, supersededMs, isWaiting, manifest });
    supersededMs = committedMs;
  }
  return found;
}
