import { parseAs } from "../../lib/parse-as.js";
import {
  anything,
  list,
  map,
  number,
  object,
  oneOf,
  orNull,
  text,
  valueOr,
  where,
  wholeNumber,
} from "../../lib/shape.js";
import { durationBounds, type Metrics, type SpaceCounters, type SpaceMetrics } from "./metrics.js";
import { isFresh } from "./space-freshness.js";

export interface ToldSpace {
  generation: number | null;
  confirmedAtMs: number;
  counters: SpaceCounters | undefined;
}

/** Returns the state of the spaces, without content or addresses. Pure. */
export function statusDocument({ spaces }: Metrics, { version, nowMs }: { version: string; nowMs: number }) {
  const told = [...spaces.values()].map((one) => spaceStatus(one, nowMs));
  return { schema: 1, version, writtenAt: dated(nowMs), ready: told.every(({ ready }) => ready), spaces: told };
}

export function toldSpaces(document: string | undefined): ReadonlyMap<string, ToldSpace> {
  const { spaces } = parseAs(document, toldShape) ?? { spaces: [] };
  return new Map(
    spaces.map(({ space, generation, confirmedAt, counters }) => [
      space,
      {
        generation,
        confirmedAtMs: Date.parse(confirmedAt ?? ""),
        counters: valueOr(counters, countersShape, undefined),
      },
    ]),
  );
}

type Told = Pick<ReturnType<typeof spaceStatus>, "space" | "generation" | "confirmedAt"> & { counters: unknown };
const toldShape = object<{ spaces: Told[] }>({
  spaces: list(object({ space: text, generation: orNull(number), confirmedAt: orNull(text), counters: anything })),
});
const countersShape = object<SpaceCounters>({
  runs: map(wholeNumber, oneOf("committed", "unchanged", "kept", "failed")),
  requests: wholeNumber,
  retried: wholeNumber,
  rateLimited: wholeNumber,
  durations: object({
    counts: where(list(wholeNumber), "one for each bucket", ({ length }) => length === durationBounds.length + 1),
    sum: number,
  }),
});

/** One space in a status file. Times in ISO 8601; null: never or unknown. The counters are of all runs it has seen. */
function spaceStatus(metrics: SpaceMetrics, nowMs: number) {
  const { freshness, lastRunAtMs, nextRunAtMs, problems, runs, requests, retried, rateLimited, durations } = metrics;
  const { space, generation, held, committedAtMs, confirmedAtMs, maxAgeMs } = freshness;
  return {
    space,
    ready: isFresh(freshness, nowMs),
    /** When it stops being fresh without a new write; readers compare it with their clock. */
    readyUntil:
      held || confirmedAtMs === null || confirmedAtMs - nowMs > maxAgeMs ? null : dated(confirmedAtMs + maxAgeMs),
    generation,
    held,
    committedAt: datedOrNull(committedAtMs),
    confirmedAt: datedOrNull(confirmedAtMs),
    maxAgeSeconds: maxAgeMs / 1000,
    lastRunAt: datedOrNull(lastRunAtMs),
    nextRunAt: datedOrNull(nextRunAtMs),
    problems,
    counters: { runs, requests, retried, rateLimited, durations },
  };
}

function dated(ms: number): string {
  return new Date(ms).toISOString();
}

function datedOrNull(ms: number | null): string | null {
  return ms === null ? null : dated(ms);
}
