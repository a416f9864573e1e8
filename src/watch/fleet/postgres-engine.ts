import type { Job, Queue, Worker } from "bullmq";
import type { Pool } from "pg";
import {
  connectMs,
  loadBullmq,
  loadPostgres,
  type OpenQueueOptions,
  optionsOf,
  type QueueEngine,
  queueName,
} from "./queue-engine.js";
import type { SharedValues } from "./shared-values.js";
import { jobId, type SpaceJob } from "./space-job.js";

export async function openPostgres({ setting, readOnly = false }: OpenQueueOptions): Promise<QueueEngine> {
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
  return {
    queue: queue as unknown as Queue,
    ready: ready(),
    bullmq,
    addJob: (job) => addToPostgres(queue as unknown as Queue, job),
    values: postgresValues(pool, name),
    newWorker: (handle, options) =>
      new engine.Worker<SpaceJob, string>(queueName, handle, { connection, ...options }) as unknown as Worker,
  };
}

/** BullMQ 6.7 gives a known job the slot of its space without adding it; if that job has ended, nothing frees it. */
async function addToPostgres(queue: Queue, job: SpaceJob): Promise<string> {
  const id = jobId(job);
  if ((await queue.getJob(id)) !== undefined) return id;
  for (let tries = 1; tries <= 2; tries++) {
    const { id: holderId = id } = await queue.add(job.kind, job, optionsOf(job));
    const holder: Job<SpaceJob> | undefined = await queue.getJob(holderId);
    if (holder?.finishedOn === undefined) return holderId;
    await holder.removeDeduplicationKey();
    if (holderId === id) return id;
  }
  return id;
}

/** Under a lock, because PostgreSQL fails if two workers create a table at once. */
function valuesTable(schema: string): string {
  return `SELECT pg_advisory_xact_lock(hashtext('offprint ${schema}'));
  CREATE TABLE IF NOT EXISTS ${tableIn(schema)} (
    kind text NOT NULL, key text NOT NULL, value text NOT NULL,
    PRIMARY KEY (kind, key))`;
}

/** Values in PostgreSQL, one row each. The schema has only letters, digits and _. */
function postgresValues(pool: Pool, schema: string): SharedValues {
  const table = tableIn(schema);
  return {
    async read(group, key) {
      const { rows } = await pool.query<{ value: string | null; now: string }>(
        `SELECT (SELECT value FROM ${table} WHERE kind = $1 AND key = $2) AS value,
          floor(extract(epoch FROM clock_timestamp()) * 1000)::text AS now`,
        [group, key],
      );
      return { value: rows[0]?.value ?? undefined, nowMs: Number(rows[0]?.now) };
    },
    async replace(group, key, before, after) {
      const query =
        before === undefined
          ? `INSERT INTO ${table} (kind, key, value) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`
          : after === undefined
            ? `DELETE FROM ${table} WHERE kind = $1 AND key = $2 AND value = $3`
            : `UPDATE ${table} SET value = $4 WHERE kind = $1 AND key = $2 AND value = $3`;
      const values = [before, after].filter((value) => value !== undefined);
      return (await pool.query(query, [group, key, ...values])).rowCount === 1;
    },
    async put(group, key, value) {
      await pool.query(
        `INSERT INTO ${table} (kind, key, value) VALUES ($1, $2, $3)
          ON CONFLICT (kind, key) DO UPDATE SET value = $3`,
        [group, key, value],
      );
    },
    async list(group) {
      const { rows } = await pool.query<{ key: string; value: string }>(
        `SELECT key, value FROM ${table} WHERE kind = $1`,
        [group],
      );
      return new Map(rows.map(({ key, value }) => [key, value]));
    },
    close: () => pool.end(),
  };
}

function tableIn(schema: string): string {
  return `"${schema}".offprint_values`;
}
