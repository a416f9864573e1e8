import { within } from "../../lib/concurrency/within.js";
import type { QueueEngine } from "./queue-engine.js";
import { type SpaceJob, spaceJobShape } from "./space-job.js";

export type JobEnd =
  | { kind: "done"; said: string }
  | { kind: "failed"; said: string }
  /** Not done here; another worker may do it at once. */
  | { kind: "given-back" }
  /** Not for this worker; any may do it after so many milliseconds. */
  | { kind: "put-off"; ms: number };

export interface QueueConsumer {
  pause(): void;
  /** Closes the connections. Other workers take over jobs that are still active. */
  close(): Promise<void>;
}

export interface ConsumerOptions {
  name: string;
  concurrency: number;
  takeOverMs: number;
  /** @param ageMs how long ago it was added */
  handle(job: SpaceJob, ageMs: number): Promise<JobEnd>;
  onStalled(space: string): void;
}

/** In seconds: ended jobs stay known this long, so a worker with a slow clock adds none again. */
const rememberedSeconds = 3600;
const rememberedOfEach = 20;
const closeMs = 2000;

/** @param spaces the queue remembers several times as many jobs */
export function consumeJobs(
  { newWorker, bullmq, closing }: QueueEngine,
  options: ConsumerOptions,
  spaces: number,
): QueueConsumer {
  const kept = { age: rememberedSeconds, count: Math.max(1000, spaces * rememberedOfEach) };
  const { name, concurrency, takeOverMs, handle, onStalled } = options;
  const worker = newWorker(
    async (job, token) => {
      const { data } = job as { data: unknown };
      if (!spaceJobShape.is(data)) throw new bullmq.UnrecoverableError("not a job of this program");
      const end = await handle(data, Date.now() - job.timestamp);
      if (end.kind === "done") return end.said;
      if (end.kind === "failed") throw new bullmq.UnrecoverableError(end.said);
      if (end.kind === "put-off") {
        // PostgreSQL refuses fractions, and then the job would fail.
        await job.moveToDelayed(Date.now() + Math.ceil(end.ms), token);
        throw new bullmq.DelayedError();
      }
      await job.moveToWait(token);
      throw new bullmq.WaitingError();
    },
    {
      name,
      concurrency,
      // An unrenewed lock expires after half the time; the second of two checks then finds it.
      lockDuration: Math.ceil(takeOverMs / 2),
      stalledInterval: Math.ceil(takeOverMs / 4),
      // A killed worker reports nothing. We give a job up only if it kills every worker.
      maxStalledCount: 3,
      runRetryDelay: 1000,
      removeOnComplete: kept,
      removeOnFail: kept,
    },
  );
  // The heartbeat notices a lost server and reports it once.
  worker.on("error", () => undefined);
  worker.on("stalled", (id) => onStalled(id.slice(0, id.indexOf("/"))));
  return {
    pause: () => void worker.pause(true),
    async close() {
      closing?.();
      await within(closeMs, Promise.allSettled([worker.close(true)]));
    },
  };
}
