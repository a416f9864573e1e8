import type { Redis } from "ioredis";
import { messageOf, OffprintError } from "../../lib/errors.js";
import { redact } from "../../lib/redact/redact.js";

/** Asks Redis how it keeps jobs. Many hosts forbid CONFIG; INFO then provides the same. */
export async function readSafety(client: Pick<Redis, "info" | "config">) {
  const info = await client.info();
  const fact = (name: string) => new RegExp(`^${name}:(.*)$`, "m").exec(info)?.[1]?.trim();
  const log = fact("aof_enabled");
  const [, policy] = (await client.config("GET", "maxmemory-policy").catch(() => [])) as string[];
  return {
    version: fact("redis_version") ?? fact("valkey_version") ?? "unknown",
    /** `noeviction`: it drops nothing; undefined: unknown. */
    evictionPolicy: policy ?? fact("maxmemory_policy"),
    /** Whether its data survives a restart, except about the last second; undefined: unknown. */
    hasLog: log === undefined ? undefined : log === "1",
    /** A replica, from which no worker can take a job. */
    isReadOnly: fact("slave_read_only") === "1" || undefined,
  };
}

/** @throws OffprintError WORKER_QUEUE_UNSAFE if Redis drops jobs when its memory is full */
export async function assertNothingIsEvicted(client: Pick<Redis, "info" | "config">, shown: string): Promise<void> {
  const { evictionPolicy } = await readSafety(client);
  if (evictionPolicy === undefined || evictionPolicy === "noeviction") return;
  throw new OffprintError(
    "WORKER_QUEUE_UNSAFE",
    `Redis at ${shown} would lose jobs: it drops keys when its memory is full (maxmemory-policy ${evictionPolicy}).`,
    { hint: "Set maxmemory-policy noeviction there, or use a separate Redis. Nothing was written to it." },
  );
}

/** @throws the answer of Redis if it lacks the database of the address: ioredis would use database 0 without a word */
export async function selectDatabase(client: Pick<Redis, "options" | "select">): Promise<void> {
  if (client.options.db) await client.select(client.options.db);
}

export function unreachableQueue(shown: string, cause: unknown): OffprintError {
  return new OffprintError("WORKER_QUEUE_UNREACHABLE", `The queue at ${shown} cannot be used: ${reasonOf(cause)}`, {
    hint: "Start the server, or check worker.queue: host, port, user and password. `offprint doctor` tests it.",
    cause,
  });
}

export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  const message = messageOf(error);
  return redact(message === "" ? String((error as { code?: unknown }).code ?? "no reason") : message);
}
