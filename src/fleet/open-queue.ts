import type { ConnectionOptions, Job, JobsOptions, Queue, Worker } from "bullmq";
import type { WorkerSetting } from "../config/fleet.js";
import { backendOf, shownQueue } from "../config/queue-address.js";
import { OffprintError } from "../errors.js";
import { redact } from "../redact.js";
import { endWithin } from "./end-within.js";
import { loadBullmq, loadPostgres, loadRedis } from "./load-engine.js";
import { postgresValues, valuesTable } from "./postgres-values.js";
import { assertNothingIsEvicted } from "./queue-safety.js";
import { redisValues } from "./redis-values.js";
import type { SharedValues } from "./shared-values.js";
import { jobId, type QueuedJob, type SpaceJob, waitsForRun } from "./space-job.js";

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

/** The jobs of a fleet, and what its workers tell each other. */
export interface FleetQueue {
  /** Its address without user and password. */
  shown: string;
  values: SharedValues;
  /** Adds jobs; those that the queue knows already are left out. Waits while the server is gone. */
  add(jobs: readonly SpaceJob[]): Promise<void>;
  /** The jobs that wait or are worked on. */
  jobs(): Promise<QueuedJob[]>;
  consume(options: ConsumerOptions): QueueConsumer;
  close(): Promise<void>;
}

/** How {@link openQueue} opens. */
export interface OpenQueueOptions {
  setting: WorkerSetting & { queue: string };
  /** How many spaces there are: that many jobs are remembered, several times over. */
  spaces: number;
  /** Whether it is only asked: then nothing is made there, and jobs may be lost by the server's settings. */
  readOnly?: boolean | undefined;
}

/** How long a server may take to answer at the start, in milliseconds. */
const startMs = 10_000;
const connectMs = 5000;
const queueName = "spaces";
/** How long a server that is gone is left alone between two attempts, in milliseconds, at most. */
const longestRetryMs = 2000;
/** Ended jobs that are remembered, so that no worker with a slow clock adds one again: at most this old, in seconds. */
const rememberedSeconds = 3600;
const rememberedOfEach = 20;
/** How long ending a connection may take, in milliseconds. */
const closeMs = 2000;

/**
 * Connects to the queue of a configuration.
 *
 * @throws OffprintError WORKER_ENGINE_MISSING; WORKER_QUEUE_UNREACHABLE when it does not answer within ten seconds, or
 *   refuses; WORKER_QUEUE_UNSAFE where the server would drop jobs
 */
export async function openQueue(options: OpenQueueOptions): Promise<FleetQueue> {
  const { setting } = options;
  const shown = shownQueue(setting.queue);
  const opened = backendOf(setting.queue) === "redis" ? openRedis(options) : openPostgres(options);
  const ready = opened.then(async (queue) => {
    await queue.ready;
    return queue;
  });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${startMs / 1000} s`)), startMs);
  });
  try {
    const { parts } = await Promise.race([ready, late]);
    return fleetQueue(parts, options);
  } catch (error) {
    void opened.then(({ parts }) => endAll(parts)).catch(() => undefined);
    if (error instanceof OffprintError) throw error;
    throw unreachableQueue(shown, error);
  } finally {
    clearTimeout(timer);
  }
}

/** The error to report where a server cannot be used. */
export function unreachableQueue(shown: string, cause: unknown): OffprintError {
  return new OffprintError("WORKER_QUEUE_UNREACHABLE", `The queue at ${shown} cannot be used: ${reasonOf(cause)}`, {
    hint: "Start the server, or check worker.queue: host, port, user and password. `offprint doctor` asks it.",
    cause,
  });
}

/** Why a server cannot be used, as far as it says so. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  const message = error instanceof Error ? error.message : String(error);
  return redact(message === "" ? String((error as { code?: unknown }).code ?? "no reason") : message);
}

/** What a queue consists of, whatever keeps it. */
interface Parts {
  queue: Queue;
  addJob(job: SpaceJob): Promise<void>;
  /** Nothing is looked for any more that is gone. */
  closing?(): void;
  values: SharedValues;
  bullmq: typeof import("bullmq");
  newWorker(handle: (job: Job<SpaceJob>, token?: string) => Promise<string>, options: object): Worker;
}

interface Opened {
  parts: Parts;
  ready: Promise<unknown>;
}

function keptJobs(spaces: number) {
  return { age: rememberedSeconds, count: Math.max(1000, spaces * rememberedOfEach) };
}

async function openRedis({ setting, readOnly = false }: OpenQueueOptions): Promise<Opened> {
  const bullmq = await loadBullmq("redis");
  const Redis = await loadRedis();
  const { queue: url, name } = setting;
  let isClosed = false;
  // A client that is closed while Redis is gone would look for it for ever, and keep the process.
  const retryStrategy = (times: number) => (isClosed ? null : Math.min(times * 200, longestRetryMs));
  const often = { connectTimeout: connectMs, retryStrategy };
  const connection: ConnectionOptions = { url, maxRetriesPerRequest: null, ...often };
  // While Redis is gone, nothing that asks for values waits for it.
  const client = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: 2000,
    ...often,
  });
  let why: Error | undefined;
  client.on("error", (error) => {
    why = error;
  });
  client.on("ready", () => {
    why = undefined;
  });
  try {
    await client.connect();
    if (!readOnly) await assertNothingIsEvicted(client, shownQueue(url));
  } catch (error) {
    client.disconnect();
    // What a command ends with says only that the connection is closed.
    throw error instanceof OffprintError ? error : (why ?? error);
  }
  const shared = { connection, prefix: name };
  const queue = new bullmq.Queue(queueName, { ...shared, streams: { events: { maxLen: 1000 } } });
  queue.on("error", () => undefined);
  const parts: Parts = {
    queue,
    bullmq,
    async addJob(job) {
      await queue.add(job.kind, job, optionsOf(job));
    },
    values: redisValues(client, { prefix: name, whyGone: () => why }),
    closing() {
      isClosed = true;
    },
    newWorker: (handle, options) => new bullmq.Worker(queueName, handle, { ...shared, ...options }),
  };
  return { parts, ready: queue.waitUntilReady() };
}

async function openPostgres({ setting, readOnly = false }: OpenQueueOptions): Promise<Opened> {
  const bullmq = await loadBullmq("postgres");
  const Pool = await loadPostgres();
  const { queue: connectionString, name } = setting;
  const timeouts = { connectionTimeoutMillis: connectMs, keepAlive: true };
  const engine = bullmq.withBackend(bullmq.createPostgresBackend);
  const connection = { connectionString, schema: name, migrate: !readOnly, max: 4, ...timeouts };
  const pool = new Pool({ connectionString, max: 2, query_timeout: 2000, ...timeouts });
  pool.on("error", () => undefined);
  const queue = new engine.Queue(queueName, { connection });
  queue.on("error", () => undefined);
  const ready = async () => {
    await queue.waitUntilReady();
    if (!readOnly) await pool.query(valuesTable(name));
  };
  const parts: Parts = {
    queue: queue as unknown as Queue,
    bullmq,
    addJob: (job) => addToPostgres(queue as unknown as Queue, job),
    values: postgresValues(pool, name),
    newWorker: (handle, options) =>
      new engine.Worker<SpaceJob, string>(queueName, handle, { connection, ...options }) as unknown as Worker,
  };
  return { parts, ready: ready() };
}

/** One job of a space at a time; further ones are left out, or wait for the end of the one that is worked on. */
function optionsOf(job: SpaceJob): JobsOptions {
  const deduplication = { id: job.space, ...(waitsForRun(job) && { keepLastIfActive: true }) };
  return { jobId: jobId(job), deduplication, attempts: 1, stackTraceLimit: 0 };
}

/**
 * On PostgreSQL, BullMQ 6.7 lets a job that it knows already take the place of its space's job, although it is not added
 * again: where that one has ended, nothing would ever free the place. So known jobs are left out here, and a place that an
 * ended job has is freed.
 */
async function addToPostgres(queue: Queue, job: SpaceJob): Promise<void> {
  const id = jobId(job);
  if ((await queue.getJob(id)) !== undefined) return;
  for (let tries = 1; tries <= 2; tries++) {
    const { id: holderId = id } = await queue.add(job.kind, job, optionsOf(job));
    const holder: Job<SpaceJob> | undefined = await queue.getJob(holderId);
    if (holder?.finishedOn === undefined) return;
    await holder.removeDeduplicationKey();
    if (holderId === id) return;
  }
}

function fleetQueue(parts: Parts, { setting, spaces }: OpenQueueOptions): FleetQueue {
  const { queue, values, addJob } = parts;
  return {
    shown: shownQueue(setting.queue),
    values,
    async add(jobs) {
      for (const job of jobs) await addJob(job);
    },
    async jobs() {
      const [active, waiting] = await Promise.all([
        queue.getJobs(["active"]),
        queue.getJobs(["waiting", "prioritized", "delayed"]),
      ]);
      return [...active.map((job) => queued(job, "active")), ...waiting.map((job) => queued(job, "waiting"))];
    },
    consume: (options) => consumer(parts, options, keptJobs(spaces)),
    close: () => endAll(parts),
  };
}

function queued(job: Job<SpaceJob>, state: QueuedJob["state"]): QueuedJob {
  const sinceMs = state === "active" ? (job.processedOn ?? job.timestamp) : job.timestamp;
  return { ...job.data, state, worker: state === "active" ? job.processedBy : undefined, sinceMs };
}

function consumer({ newWorker, bullmq, closing }: Parts, options: ConsumerOptions, kept: object): QueueConsumer {
  const { name, concurrency, takeOverMs, handle, onStalled } = options;
  const worker = newWorker(
    async (job, token) => {
      const end = await handle(job.data);
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
      await endWithin(closeMs, worker.close(true));
    },
  };
}

async function endAll({ queue, values, closing }: Parts): Promise<void> {
  closing?.();
  await endWithin(closeMs, Promise.all([queue.close(), values.close()]));
}
