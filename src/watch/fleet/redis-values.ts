import type { Redis } from "ioredis";
import type { SharedValues } from "./shared-values.js";

/** Replaces a field of a hash where it is what it was. A first byte tells "there is none" from the empty text. */
const replaceField = `
local now = redis.call("HGET", KEYS[1], ARGV[1])
local before = now and ("=" .. now) or "-"
if before ~= ARGV[2] then return 0 end
if ARGV[3] == "-" then redis.call("HDEL", KEYS[1], ARGV[1])
else redis.call("HSET", KEYS[1], ARGV[1], string.sub(ARGV[3], 2)) end
return 1`;

export interface RedisValuesOptions {
  /** What the keys begin with. */
  prefix: string;
  /** Why the server is gone; undefined: it is there. What a command fails with says only that it could not be sent. */
  whyGone(): Error | undefined;
}

/**
 * Values in Redis: a hash for each group.
 *
 * @param client one that fails at once while the server is gone
 */
export function redisValues(client: Redis, { prefix, whyGone }: RedisValuesOptions): SharedValues {
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
