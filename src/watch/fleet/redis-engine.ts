import type { ConnectionOptions } from "bullmq";
import type { Redis } from "ioredis";
import { shownQueue } from "../../config/schema/queue-address.js";
import { OffprintError } from "../../lib/errors.js";
import {
  connectMs,
  loadBullmq,
  loadRedis,
  type OpenQueueOptions,
  optionsOf,
  type QueueEngine,
  queueName,
} from "./queue-engine.js";
import { assertNothingIsEvicted, selectDatabase } from "./queue-safety.js";
import type { SharedValues } from "./shared-values.js";

const longestRetryMs = 2000;

export async function openRedis({ setting, readOnly = false }: OpenQueueOptions): Promise<QueueEngine> {
  const bullmq = await loadBullmq("redis");
  const Redis = await loadRedis();
  const { queue: url, name } = setting;
  let isClosed = false;
  // A client closed while Redis is unreachable would retry forever and keep the process alive.
  const retryStrategy = (times: number) => (isClosed ? null : Math.min(times * 200, longestRetryMs));
  const often = { connectTimeout: connectMs, retryStrategy };
  const connection: ConnectionOptions = { url, maxRetriesPerRequest: null, ...often };
  // Value commands fail at once while Redis is unreachable.
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
    await selectDatabase(client);
    if (!readOnly) await assertNothingIsEvicted(client, shownQueue(url));
  } catch (error) {
    client.disconnect();
    // The command's own error only says that the connection is closed.
    throw error instanceof OffprintError ? error : (why ?? error);
  }
  const shared = { connection, prefix: name };
  const queue = new bullmq.Queue(queueName, { ...shared, streams: { events: { maxLen: 1000 } } });
  queue.on("error", () => undefined);
  return {
    queue,
    ready: queue.waitUntilReady(),
    bullmq,
    async addJob(job) {
      const { id = "" } = await queue.add(job.kind, job, optionsOf(job));
      return id;
    },
    values: redisValues(client, name, () => why),
    closing() {
      isClosed = true;
    },
    newWorker: (handle, options) => new bullmq.Worker(queueName, handle, { ...shared, ...options }),
  };
}

/** Replaces a hash field if unchanged. The first byte tells a missing text from an empty one. */
const replaceField = `
local now = redis.call("HGET", KEYS[1], ARGV[1])
local before = now and ("=" .. now) or "-"
if before ~= ARGV[2] then return 0 end
if ARGV[3] == "-" then redis.call("HDEL", KEYS[1], ARGV[1])
else redis.call("HSET", KEYS[1], ARGV[1], string.sub(ARGV[3], 2)) end
return 1`;

/** @param whyGone why the server is unreachable, if it is: a failed command does not say */
function redisValues(client: Redis, prefix: string, whyGone: () => Error | undefined): SharedValues {
  const hash = (group: string) => `${prefix}:fleet:${group}`;
  const marked = (value: string | undefined) => (value === undefined ? "-" : `=${value}`);
  const answered = async <T>(sent: Promise<T>): Promise<T> => {
    try {
      return await sent;
    } catch (error) {
      throw whyGone() ?? error;
    }
  };
  return {
    async read(group, key) {
      const [found, time] = (await answered(client.pipeline().hget(hash(group), key).time().exec())) ?? [];
      const error = found?.[0] ?? time?.[0];
      if (error || found === undefined || time === undefined)
        throw whyGone() ?? error ?? new Error("Redis did not answer");
      const [seconds, micros] = time[1] as [number | string, number | string];
      return {
        value: (found[1] as string | null) ?? undefined,
        nowMs: Number(seconds) * 1000 + Math.floor(Number(micros) / 1000),
      };
    },
    async replace(group, key, before, after) {
      return (await answered(client.eval(replaceField, 1, hash(group), key, marked(before), marked(after)))) === 1;
    },
    async put(group, key, value) {
      await answered(client.hset(hash(group), key, value));
    },
    async list(group) {
      return new Map(Object.entries(await answered(client.hgetall(hash(group)))));
    },
    async close() {
      client.disconnect();
    },
  };
}
