import type { Job, JobsOptions, Queue, Worker } from "bullmq";
import type { WorkerSetting } from "../../config/load/fleet.js";
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
  addJob(job: SpaceJob): Promise<void>;
  closing?(): void;
  values: SharedValues;
  bullmq: typeof import("bullmq");
  newWorker(handle: (job: Job<SpaceJob>, token?: string) => Promise<string>, options: object): Worker;
}

export interface OpenedEngine {
  engine: QueueEngine;
  ready: Promise<unknown>;
}

/** One job of a space at a time: others are dropped; an event waits, as it came later. */
export function optionsOf(job: SpaceJob): JobsOptions {
  const deduplication = { id: job.space, ...(job.kind === "event" && { keepLastIfActive: true }) };
  return { jobId: jobId(job), deduplication, attempts: 1, stackTraceLimit: 0 };
}
