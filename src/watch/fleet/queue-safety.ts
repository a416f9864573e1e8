import type { Redis } from "ioredis";
import { OffprintError } from "../../lib/errors.js";
import { redact } from "../../lib/redact/redact.js";

/** What Redis says of how it keeps jobs. */
export interface RedisSafety {
  version: string;
  /** `noeviction`: nothing is dropped; undefined: it does not say. */
  evictionPolicy: string | undefined;
  /** Whether what it holds outlives a restart up to the last second or so; undefined: it does not say. */
  hasLog: boolean | undefined;
}

/** Asks Redis how it keeps jobs. Where CONFIG is forbidden, as at many hosts, INFO tells the same. */
export async function readSafety(client: Pick<Redis, "info" | "config">): Promise<RedisSafety> {
  const info = await client.info();
  const fact = (name: string) => new RegExp(`^${name}:(.*)$`, "m").exec(info)?.[1]?.trim();
  const log = fact("aof_enabled");
  return {
    version: fact("redis_version") ?? fact("valkey_version") ?? "unknown",
    evictionPolicy: (await configuredPolicy(client)) ?? fact("maxmemory_policy"),
    hasLog: log === undefined ? undefined : log === "1",
  };
}

async function configuredPolicy(client: Pick<Redis, "config">): Promise<string | undefined> {
  try {
    const [, policy] = (await client.config("GET", "maxmemory-policy")) as string[];
    return policy;
  } catch {
    return undefined;
  }
}

/** @throws OffprintError WORKER_QUEUE_UNSAFE where Redis drops jobs when its memory is full */
export async function assertNothingIsEvicted(client: Pick<Redis, "info" | "config">, shown: string): Promise<void> {
  const { evictionPolicy } = await readSafety(client);
  if (evictionPolicy === undefined || evictionPolicy === "noeviction") return;
  throw new OffprintError(
    "WORKER_QUEUE_UNSAFE",
    `Redis at ${shown} drops keys when its memory is full (maxmemory-policy ${evictionPolicy}): jobs would be lost.`,
    { hint: "Set maxmemory-policy noeviction there, or use a Redis of its own. Nothing was written to it." },
  );
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
