import { isOffprintError } from "../../lib/errors.js";
import type { WatchClock } from "../watch-clock.js";
import { parseWorkers, type WorkerRecord } from "./fleet-records.js";
import { reasonOf } from "./queue-safety.js";
import type { ServerClock, SharedValues } from "./shared-values.js";

export type WorkerIdentity = Pick<WorkerRecord, "id" | "host" | "pid">;

export interface SignsOfLifeOptions {
  values: SharedValues;
  identity: WorkerIdentity;
  clock: WatchClock;
  server: ServerClock;
  running(): string[];
  notice(notice: FleetNotice): void;
}

export type SignsOfLife = ReturnType<typeof signsOfLife>;

const everyMs = 5000;
/** Interval while the queue is unreachable, to notice its return soon. */
const whileLostMs = 1000;
const forgottenMs = 3_600_000;

/** A worker's heartbeat. It also detects whether the queue is reachable. */
export function signsOfLife(options: SignsOfLifeOptions) {
  const { values, identity, clock, server, running, notice } = options;
  let startedAtMs: number | undefined;
  /** When the queue became unreachable, as `elapsed`; undefined: it is reachable. */
  let lostSinceMs: number | undefined;

  async function write(): Promise<void> {
    const sentMs = clock.now();
    const { nowMs } = await values.read("workers", identity.id);
    server.measured(sentMs, nowMs);
    startedAtMs ??= nowMs;
    const record: WorkerRecord = { ...identity, startedAtMs, seenAtMs: nowMs, running: running() };
    await values.put("workers", identity.id, JSON.stringify(record));
    await removeForgotten(nowMs);
  }

  async function removeForgotten(nowMs: number): Promise<void> {
    for (const [key, text] of await values.list("workers")) {
      const [record] = parseWorkers([text]);
      const isForgotten = record === undefined || nowMs - record.seenAtMs > forgottenMs;
      if (isForgotten) await values.replace("workers", key, text, undefined);
    }
  }

  async function tell(): Promise<void> {
    try {
      await write();
      if (lostSinceMs === undefined) return;
      notice({ kind: "queue-back", atMs: clock.now(), lostMs: Math.round(clock.elapsed() - lostSinceMs) });
      lostSinceMs = undefined;
    } catch (error) {
      if (lostSinceMs !== undefined) return;
      lostSinceMs = clock.elapsed();
      const reason = isOffprintError(error) ? error.message : reasonOf(error);
      notice({ kind: "queue-lost", atMs: clock.now(), reason });
    }
  }

  return {
    tell,
    async run(signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        await tell();
        await clock.sleep(lostSinceMs === undefined ? everyMs : whileLostMs, signal);
      }
    },
    async leave(): Promise<void> {
      try {
        const { value } = await values.read("workers", identity.id);
        if (value !== undefined) await values.replace("workers", identity.id, value, undefined);
      } catch {
        // The others will notice its silence.
      }
    },
  };
}

export type FleetNotice =
  | { kind: "queue-lost"; atMs: number; reason: string }
  | { kind: "queue-back"; atMs: number; lostMs: number }
  | { kind: "taken-over"; atMs: number; space: string }
  | { kind: "unknown-space"; atMs: number; space: string };
