import { within } from "../../lib/concurrency/within.js";
import type { QueueEngine } from "./queue-engine.js";
import { type SpaceJob, spaceJobShape } from "./space-job.js";

/** What a worker makes of a job. */
export type JobEnd =
  | { kind: "done"; said: string }
  | { kind: "failed"; said: string }
  /** It was not done here, and another worker may do it at once. */
  | { kind: "given-back" };

/** The worker of a queue, while it takes jobs. */
export interface QueueConsumer {
  /** Takes no more jobs; those under way go on. */
  pause(): void;
  /** Ends the connections. Jobs that are still under way are taken over by others. */
  close(): Promise<void>;
}

export interface ConsumerOptions {
  /** Told to others: which worker has a job. */
  name: string;
  concurrency: number;
  takeOverMs: number;
  handle(job: SpaceJob): Promise<JobEnd>;
  /** A job of a worker that is gone waits again. */
  onStalled(space: string): void;
}

/** Ended jobs that are remembered, so that no worker with a slow clock adds one again: at most this old, in seconds. */
const rememberedSeconds = 3600;
const rememberedOfEach = 20;
/** How long ending the connections may take, in milliseconds. */
const closeMs = 2000;

/** Takes jobs of a queue. @param spaces how many there are: that many jobs are remembered, several times over */
export function consumeJobs(
  { newWorker, bullmq, closing }: QueueEngine,
  options: ConsumerOptions,
  spaces: number,
): QueueConsumer {
  const kept = keptJobs(spaces);
  const { name, concurrency, takeOverMs, handle, onStalled } = options;
  const worker = newWorker(
    async (job, token) => {
      const { data } = job as { data: unknown };
      if (!spaceJobShape.is(data)) throw new bullmq.UnrecoverableError("not a job of this program");
      const end = await handle(data);
      if (end.kind === "done") return end.said;
      if (end.kind === "failed") throw new bullmq.UnrecoverableError(end.said);
      await job.moveToWait(token);
      throw new bullmq.WaitingError();
    },
    {
      name,
      concurrency,
      // A lock that is not renewed ends after half the time; then it is seen by the second of two checks.
      lockDuration: Math.ceil(takeOverMs / 2),
      stalledInterval: Math.ceil(takeOverMs / 4),
      // A worker that was killed says nothing of its job: only one that kills each worker is given up.
      maxStalledCount: 3,
      runRetryDelay: 1000,
      removeOnComplete: kept,
      removeOnFail: kept,
    },
  );
  // A server that is gone is noticed by the signs of life, and told once.
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

function keptJobs(spaces: number) {
  return { age: rememberedSeconds, count: Math.max(1000, spaces * rememberedOfEach) };
}
