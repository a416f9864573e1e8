import type { Job, JobsOptions, Queue, Worker } from "bullmq";
import type { WorkerSetting } from "../../config/load/fleet.js";
import type { SharedValues } from "./shared-values.js";
import { jobId, type SpaceJob, waitsForRun } from "./space-job.js";

/** The name of the one queue that a fleet has. */
export const queueName = "spaces";
/** How long connecting may take, in milliseconds. */
export const connectMs = 5000;

/** How `openQueue` opens. */
export interface OpenQueueOptions {
  setting: WorkerSetting & { queue: string };
  /** How many spaces there are: that many jobs are remembered, several times over. */
  spaces: number;
  /** Whether it is only asked: then nothing is made there, and jobs may be lost by the server's settings. */
  readOnly?: boolean | undefined;
}

/** What a queue consists of, whatever keeps it. */
export interface QueueEngine {
  queue: Queue;
  addJob(job: SpaceJob): Promise<void>;
  /** Nothing is looked for any more that is gone. */
  closing?(): void;
  values: SharedValues;
  bullmq: typeof import("bullmq");
  newWorker(handle: (job: Job<SpaceJob>, token?: string) => Promise<string>, options: object): Worker;
}

/** An engine that may not be ready yet. */
export interface OpenedEngine {
  engine: QueueEngine;
  ready: Promise<unknown>;
}

/** One job of a space at a time; further ones are left out, or wait for the end of the one that is worked on. */
export function optionsOf(job: SpaceJob): JobsOptions {
  const deduplication = { id: job.space, ...(waitsForRun(job) && { keepLastIfActive: true }) };
  return { jobId: jobId(job), deduplication, attempts: 1, stackTraceLimit: 0 };
}
