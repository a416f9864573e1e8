import { parseAs } from "../../lib/parse-as.js";
import { flag, list, number, object, optional, orNull, type Shape, text, wholeNumber } from "../../lib/shape.js";
import { type Refusal, refusalShape } from "../parking.js";
import type { SpaceFreshness } from "../telemetry/space-freshness.js";

/** A worker's heartbeat. Times in milliseconds since the epoch, by the server's clock. */
export interface WorkerRecord {
  id: string;
  host: string;
  pid: number;
  startedAtMs: number;
  seenAtMs: number;
  running: string[];
}

/** The last run of a space. Times in milliseconds since the epoch. */
export interface RunRecord {
  space: string;
  /** Host and process id of the worker. */
  worker: string;
  atMs: number;
  durationMs: number;
  outcome: string;
  exitCode: number;
  codes: string[];
  /** End of the first of the failed runs in a row; undefined: it did not fail. */
  failingSinceMs?: number | undefined;
  /** Only a person can heal it; undefined: it is not refused. */
  refusal?: Refusal | undefined;
  /** The age of the copy after the run, without the configured values. */
  freshness: Omit<SpaceFreshness, "space" | "maxAgeMs">;
}

const workerShape: Shape<WorkerRecord> = object<WorkerRecord>({
  id: text,
  host: text,
  pid: wholeNumber,
  startedAtMs: number,
  seenAtMs: number,
  running: list(text),
});

const runShape: Shape<RunRecord> = object<RunRecord>({
  space: text,
  worker: text,
  atMs: number,
  durationMs: number,
  outcome: text,
  exitCode: number,
  codes: list(text),
  failingSinceMs: optional(number),
  refusal: optional(refusalShape),
  freshness: object<RunRecord["freshness"]>({
    generation: orNull(number),
    committedAtMs: orNull(number),
    confirmedAtMs: orNull(number),
    held: flag,
  }),
});

/** A worker that has been silent for longer is considered gone, in milliseconds. */
const silentMs = 30_000;

export function isAlive({ seenAtMs }: WorkerRecord, nowMs: number): boolean {
  return nowMs - seenAtMs <= silentMs;
}

export function parseWorkers(texts: Iterable<string>): WorkerRecord[] {
  return parseAll(texts, workerShape);
}

export function parseRuns(texts: Iterable<string>): RunRecord[] {
  return parseAll(texts, runShape);
}

function parseAll<T extends object>(texts: Iterable<string>, shape: Shape<T>): T[] {
  return [...texts].flatMap((one) => parseAs(one, shape) ?? []);
}
