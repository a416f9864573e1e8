import type { Job, JobsOptions, Queue, Worker } from "bullmq";
import type { WorkerSetting } from "../../config/load/fleet.js";
import { OffprintError } from "../../lib/errors.js";
import type { SharedValues } from "./shared-values.js";
import { jobId, type SpaceJob } from "./space-job.js";

export const queueName = "spaces";
export const connectMs = 5000;

export interface OpenQueueOptions {
  setting: WorkerSetting & { queue: string };
  /** Number of spaces; the queue remembers several times as many jobs. */
  spaces: number;
  /** Only ask: creates nothing, and accepts settings under which the server may lose jobs. */
  readOnly?: boolean | undefined;
}

export interface QueueEngine {
  queue: Queue;
  /** Resolves when the server can be used. */
  ready: Promise<unknown>;
  /** Returns the id of the job that has the space from now on: this one, or one that was there before. */
  addJob(job: SpaceJob): Promise<string>;
  closing?(): void;
  values: SharedValues;
  bullmq: typeof import("bullmq");
  newWorker(handle: (job: Job<SpaceJob>, token?: string) => Promise<string>, options: object): Worker;
}

/** One job of a space at a time: others are not added; an event waits, as it came later. */
export function optionsOf(job: SpaceJob): JobsOptions {
  const deduplication = { id: job.space, ...(job.kind === "event" && { keepLastIfActive: true }) };
  return { jobId: jobId(job), deduplication, attempts: 1, stackTraceLimit: 0 };
}

/** The packages each queue needs. Only those of the configured queue must be installed. */
const packagesOf = { redis: ["bullmq", "ioredis"], postgres: ["bullmq", "pg"] } as const;

/** Not a dependency: only workers need it. @throws OffprintError WORKER_ENGINE_MISSING */
export async function loadBullmq(backend: keyof typeof packagesOf): Promise<typeof import("bullmq")> {
  return orMissing(backend, () => import("bullmq"));
}

export async function loadRedis(): Promise<typeof import("ioredis").Redis> {
  return orMissing("redis", async () => (await import("ioredis")).Redis);
}

export async function loadPostgres(): Promise<typeof import("pg").Pool> {
  return orMissing("postgres", async () => (await import("pg")).default.Pool);
}

async function orMissing<T>(backend: keyof typeof packagesOf, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const names = packagesOf[backend];
    const isMissing = cause instanceof Error && "code" in cause && cause.code === "ERR_MODULE_NOT_FOUND";
    const why = isMissing ? "are not both installed" : "cannot be loaded";
    const hint = `Install them where offprint is installed: npm install ${names.join(" ")}`;
    throw new OffprintError("WORKER_ENGINE_MISSING", `The packages ${names.join(" and ")} ${why}.`, { hint, cause });
  }
}
