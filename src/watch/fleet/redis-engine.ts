import type { ConnectionOptions } from "bullmq";
import { shownQueue } from "../../config/queue-address.js";
import { OffprintError } from "../../lib/errors.js";
import { loadBullmq, loadRedis } from "./load-engine.js";
import {
  connectMs,
  type OpenedEngine,
  type OpenQueueOptions,
  optionsOf,
  type QueueEngine,
  queueName,
} from "./queue-engine.js";
import { assertNothingIsEvicted } from "./queue-safety.js";
import { redisValues } from "./redis-values.js";

/** How long a server that is gone is left alone between two attempts, in milliseconds, at most. */
const longestRetryMs = 2000;

/** Connects to Redis, and refuses one that drops jobs. */
export async function openRedis({ setting, readOnly = false }: OpenQueueOptions): Promise<OpenedEngine> {
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
  const engineParts: QueueEngine = {
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
  return { engine: engineParts, ready: queue.waitUntilReady() };
}
