import { isObject } from "../shape.js";
import { type Counts, durationBounds, type Metrics, type SpaceMetrics, startMetrics } from "./metrics.js";
import type { SpaceFreshness } from "./space-freshness.js";

/** A line of the text format, read back. */
interface Line {
  name: string;
  labels: Readonly<Record<string, string>>;
  value: number;
}

/** What a file that was written before told of a space. */
interface Told {
  generation: number;
  confirmedAtMs: number;
}

/**
 * Metrics that go on from the file that an earlier process has written, so that counters of commands that run once grow
 * from run to run, as those of a server do. What cannot be read there begins anew. Pure.
 *
 * @param spaces how old the copies are by what lies in their output folders
 * @param text what the metrics file held; undefined: there is none
 */
export function continuedMetrics(spaces: readonly SpaceFreshness[], text: string | undefined): Metrics {
  const start = startMetrics(spaces);
  if (text === undefined) return start;
  const lines = text.split("\n").flatMap((line) => readLine(line) ?? []);
  const continued = [...start.spaces].map(([name, space]): [string, SpaceMetrics] => [
    name,
    continuedSpace(
      space,
      lines.filter(({ labels }) => labels.space === name),
    ),
  ]);
  return { ...start, spaces: new Map(continued) };
}

/**
 * How old a copy is, by its output folder and by what a file told of it before: a sync that finds nothing to read confirms
 * the space and notes nothing of it in the output folder. What was told of another state of that folder does not count.
 *
 * @param nowMs milliseconds since the epoch; what was told of a later time comes from a clock that was wrong
 */
export function laterConfirmed(known: SpaceFreshness, told: Told | undefined, nowMs: number): SpaceFreshness {
  if (told === undefined || known.generation === null || known.confirmedAtMs === null) return known;
  const isOfThis = told.generation > 0 && told.generation <= known.generation && told.confirmedAtMs <= nowMs;
  return isOfThis ? { ...known, confirmedAtMs: Math.max(known.confirmedAtMs, told.confirmedAtMs) } : known;
}

/** What a metrics file told of a space; undefined: nothing. Pure. */
export function toldByMetrics(text: string | undefined, space: string): Told | undefined {
  const lines = (text ?? "").split("\n").flatMap((line) => readLine(line) ?? []);
  const value = (name: string) => lines.find((line) => line.name === name && line.labels.space === space)?.value;
  const [generation, confirmed] = [value("offprint_generation"), value("offprint_last_confirmed_timestamp_seconds")];
  if (generation === undefined || confirmed === undefined) return undefined;
  return { generation, confirmedAtMs: Math.round(confirmed * 1000) };
}

/** What a status file told of a space; undefined: nothing. Pure. */
export function toldByStatus(text: string | undefined, space: string): Told | undefined {
  try {
    const document: unknown = JSON.parse(text ?? "");
    const spaces = isObject(document) && Array.isArray(document.spaces) ? document.spaces : [];
    const found: unknown = spaces.find((one) => isObject(one) && one.space === space);
    if (!isObject(found) || typeof found.generation !== "number") return undefined;
    const confirmedAtMs = Date.parse(String(found.confirmedAt));
    return Number.isNaN(confirmedAtMs) ? undefined : { generation: found.generation, confirmedAtMs };
  } catch {
    return undefined;
  }
}

/** `offprint_requests_total{space="blog"} 7`; undefined for comments and for what is no whole line. */
function readLine(text: string): Line | undefined {
  const match = /^([a-z_]+)(?:\{(.*)\})? (\d+(?:\.\d+)?(?:e[+-]\d+)?)$/.exec(text);
  const [, name, written = "", value] = match ?? [];
  if (name === undefined) return undefined;
  const labels = [...written.matchAll(/([a-z_]+)="((?:[^"\\]|\\.)*)"/g)].map(([, label = "", raw = ""]) => [
    label,
    raw.replace(/\\(.)/g, (_, mark: string) => (mark === "n" ? "\n" : mark)),
  ]);
  return { name, labels: Object.fromEntries(labels), value: Number(value) };
}

function continuedSpace(space: SpaceMetrics, lines: readonly Line[]): SpaceMetrics {
  return {
    ...space,
    runs: countsOf(lines, "offprint_runs_total", "outcome", ["committed", "unchanged", "kept", "failed"]),
    requests: lines.find(({ name }) => name === "offprint_requests_total")?.value ?? 0,
    durations: continuedDurations(space, lines),
  };
}

function countsOf<Name extends string>(
  lines: readonly Line[],
  name: string,
  label: string,
  known: readonly Name[],
): Counts<Name> {
  const found = known.flatMap((text): [Name, number][] => {
    const line = lines.find((one) => one.name === name && one.labels[label] === text);
    return line === undefined ? [] : [[text, line.value]];
  });
  return Object.fromEntries(found) as Counts<Name>;
}

/** Only where every bucket is there: one that lacks some comes from a version with other bounds. */
function continuedDurations({ durations }: SpaceMetrics, lines: readonly Line[]): SpaceMetrics["durations"] {
  const name = "offprint_run_duration_seconds";
  const bounds = [...durationBounds.map(String), "+Inf"];
  const totals = bounds.map(
    (le) => lines.find((line) => line.name === `${name}_bucket` && line.labels.le === le)?.value,
  );
  const sum = lines.find((line) => line.name === `${name}_sum`)?.value;
  if (sum === undefined || totals.some((total) => total === undefined)) return durations;
  const counts = totals.map((total = 0, index) => Math.max(0, total - (totals[index - 1] ?? 0)));
  return { counts, sum };
}
