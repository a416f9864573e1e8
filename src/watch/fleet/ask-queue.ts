import { backendOf, shownQueue } from "../../config/schema/queue-address.js";
import { OffprintError } from "../../lib/errors.js";
import { loadBullmq, loadPostgres, loadRedis } from "./queue-engine.js";
import { assertNothingIsEvicted, readSafety, selectDatabase, unreachableQueue } from "./queue-safety.js";

export interface AskedQueue {
  shown: string;
  version: string;
  hasLog: boolean | undefined;
}

const askedMs = 5000;
const oldestPostgres = 13;

/** @throws OffprintError WORKER_ENGINE_MISSING, WORKER_QUEUE_UNREACHABLE, WORKER_QUEUE_UNSAFE */
export async function askQueue(address: string): Promise<AskedQueue> {
  const backend = backendOf(address) ?? "redis";
  await loadBullmq(backend);
  try {
    return await (backend === "redis" ? askRedis(address) : askPostgres(address));
  } catch (error) {
    throw error instanceof OffprintError ? error : unreachableQueue(shownQueue(address), error);
  }
}

async function askRedis(url: string): Promise<AskedQueue> {
  const Redis = await loadRedis();
  const once = { lazyConnect: true, maxRetriesPerRequest: 0, retryStrategy: () => null };
  const client = new Redis(url, { ...once, connectTimeout: askedMs, commandTimeout: askedMs });
  let why: Error | undefined;
  client.on("error", (error) => {
    why = error;
  });
  try {
    await client.connect();
    await selectDatabase(client);
    const shown = shownQueue(url);
    await assertNothingIsEvicted(client, shown);
    const { version, hasLog, isReadOnly } = await readSafety(client);
    if (isReadOnly) throw new Error("it is a read-only replica");
    return { shown, version: `Redis ${version}`, hasLog };
  } catch (error) {
    throw error instanceof OffprintError ? error : (why ?? error);
  } finally {
    client.disconnect();
  }
}

async function askPostgres(connectionString: string): Promise<AskedQueue> {
  const Pool = await loadPostgres();
  const pool = new Pool({ connectionString, max: 1, connectionTimeoutMillis: askedMs, query_timeout: askedMs });
  try {
    const { rows } = await pool.query<{ version: string; writable: boolean; mine: boolean }>(
      `SELECT current_setting('server_version') AS version, current_setting('transaction_read_only') = 'off' AS writable,
        has_database_privilege(current_database(), 'CREATE') AS mine`,
    );
    const { version = "unknown", writable, mine } = rows[0] ?? {};
    if (Number.parseInt(version, 10) < oldestPostgres) {
      throw new Error(`PostgreSQL ${version} is older than ${oldestPostgres}`);
    }
    if (!writable) throw new Error("the database is read-only");
    if (!mine) throw new Error("the user may not create a schema in the database");
    return { shown: shownQueue(connectionString), version: `PostgreSQL ${version}`, hasLog: undefined };
  } finally {
    await pool.end();
  }
}
