import type { Job, Queue, Worker } from "bullmq";
import { loadBullmq, loadPostgres } from "./load-engine.js";
import { postgresValues, valuesTable } from "./postgres-values.js";
import {
  connectMs,
  type OpenedEngine,
  type OpenQueueOptions,
  optionsOf,
  type QueueEngine,
  queueName,
} from "./queue-engine.js";
import { jobId, type SpaceJob } from "./space-job.js";

/** Connects to PostgreSQL, where the schema of the queue is made unless it is only asked. */
export async function openPostgres({ setting, readOnly = false }: OpenQueueOptions): Promise<OpenedEngine> {
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
  const engineParts: QueueEngine = {
    queue: queue as unknown as Queue,
    bullmq,
    addJob: (job) => addToPostgres(queue as unknown as Queue, job),
    values: postgresValues(pool, name),
    newWorker: (handle, options) =>
      new engine.Worker<SpaceJob, string>(queueName, handle, { connection, ...options }) as unknown as Worker,
  };
  return { engine: engineParts, ready: ready() };
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
