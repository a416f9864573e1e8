import { flag, list, number, object, orNull, type Shape, text, wholeNumber } from "../../lib/shape.js";
import type { SpaceFreshness } from "../telemetry/space-freshness.js";

/** What a worker tells of itself, again and again. Times in milliseconds since the epoch, by the server's clock. */
export interface WorkerRecord {
  /** Unique: another process has another one. */
  id: string;
  host: string;
  pid: number;
  startedAtMs: number;
  seenAtMs: number;
  /** The spaces that it works on. */
  running: string[];
}

/** What the last run of a space came to. Times in milliseconds since the epoch. */
export interface RunRecord {
  space: string;
  /** Host and process id of the worker. */
  worker: string;
  atMs: number;
  durationMs: number;
  outcome: string;
  exitCode: number;
  /** Codes of what it failed with. */
  codes: string[];
  /** How old the copy was after it, without what the configuration says. */
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
  freshness: object<RunRecord["freshness"]>({
    generation: orNull(number),
    committedAtMs: orNull(number),
    confirmedAtMs: orNull(number),
    held: flag,
  }),
});

/** A worker that has not been heard of for so long is gone, in milliseconds. */
const silentMs = 30_000;

/** Whether a worker is there, as far as its signs of life tell. */
export function isAlive({ seenAtMs }: WorkerRecord, nowMs: number): boolean {
  return nowMs - seenAtMs <= silentMs;
}

/** The workers of a list of texts; what cannot be read is left out. */
export function parseWorkers(texts: Iterable<string>): WorkerRecord[] {
  return parseAll(texts, workerShape);
}

/** The runs of a list of texts; what cannot be read is left out. */
export function parseRuns(texts: Iterable<string>): RunRecord[] {
  return parseAll(texts, runShape);
}

function parseAll<T>(texts: Iterable<string>, shape: Shape<T>): T[] {
  return [...texts].flatMap((one) => {
    try {
      const value: unknown = JSON.parse(one);
      return shape.is(value) ? [value] : [];
    } catch {
      return [];
    }
  });
}
