import type { Job } from "bullmq";
import { backendOf, shownQueue } from "../../config/schema/queue-address.js";
import { within } from "../../lib/concurrency/within.js";
import { OffprintError } from "../../lib/errors.js";
import { openPostgres } from "./postgres-engine.js";
import { type ConsumerOptions, consumeJobs, type QueueConsumer } from "./queue-consumer.js";
import type { OpenQueueOptions, QueueEngine } from "./queue-engine.js";
import { unreachableQueue } from "./queue-safety.js";
import { openRedis } from "./redis-engine.js";
import type { SharedValues } from "./shared-values.js";
import { type QueuedJob, type SpaceJob, spaceJobShape } from "./space-job.js";

export interface FleetQueue {
  shown: string;
  values: SharedValues;
  /**
   * Adds jobs the queue does not know yet. Waits while the server is unreachable.
   * @returns those that an event's job keeps out: it only probes, so they have to be added again
   */
  add(jobs: readonly SpaceJob[]): Promise<SpaceJob[]>;
  jobs(): Promise<QueuedJob[]>;
  consume(options: ConsumerOptions): QueueConsumer;
  close(): Promise<void>;
}

const startMs = 10_000;
const closeMs = 2000;

/** @throws OffprintError WORKER_ENGINE_MISSING, WORKER_QUEUE_UNREACHABLE after ten seconds, WORKER_QUEUE_UNSAFE */
export async function openQueue(options: OpenQueueOptions): Promise<FleetQueue> {
  const { setting } = options;
  const shown = shownQueue(setting.queue);
  const opened = backendOf(setting.queue) === "redis" ? openRedis(options) : openPostgres(options);
  const ready = opened.then(async (engine) => {
    await engine.ready;
    return engine;
  });
  try {
    const engine = await within(startMs, ready);
    if (engine === undefined) throw new Error(`no answer within ${startMs / 1000} s`);
    return fleetQueue(engine, options);
  } catch (error) {
    void opened.then(endAll).catch(() => undefined);
    if (error instanceof OffprintError) throw error;
    throw unreachableQueue(shown, error);
  }
}

function fleetQueue(engine: QueueEngine, { setting, spaces }: OpenQueueOptions): FleetQueue {
  const { queue, values, addJob } = engine;
  return {
    shown: shownQueue(setting.queue),
    values,
    async add(jobs) {
      const keptOut: SpaceJob[] = [];
      for (const job of jobs) {
        const holderId = await addJob(job);
        if (job.kind !== "event" && holderId.startsWith(`${job.space}/event/`)) keptOut.push(job);
      }
      return keptOut;
    },
    async jobs() {
      const [active, waiting] = await Promise.all([
        queue.getJobs(["active"]),
        queue.getJobs(["waiting", "prioritized", "delayed"]),
      ]);
      return [...active.flatMap((job) => queued(job, "active")), ...waiting.flatMap((job) => queued(job, "waiting"))];
    },
    consume: (options) => consumeJobs(engine, options, spaces),
    close: () => endAll(engine),
  };
}

function queued(job: Job<unknown> | undefined, state: QueuedJob["state"]): QueuedJob[] {
  const data = job?.data;
  if (job === undefined || !spaceJobShape.is(data)) return [];
  const sinceMs = state === "active" ? (job.processedOn ?? job.timestamp) : job.timestamp;
  return [{ ...data, state, worker: state === "active" ? job.processedBy : undefined, sinceMs }];
}

async function endAll({ queue, values, closing }: QueueEngine): Promise<void> {
  closing?.();
  await within(closeMs, Promise.allSettled([queue.close(), values.close()]));
}
