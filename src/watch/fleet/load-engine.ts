import { OffprintError } from "../../lib/errors.js";

/** The packages each queue needs. Only those of the configured queue must be installed. */
const packagesOf = { redis: ["bullmq", "ioredis"], postgres: ["bullmq", "pg"] } as const;

/** Not a dependency: only workers need it. @throws OffprintError WORKER_ENGINE_MISSING */
export async function loadBullmq(backend: keyof typeof packagesOf): Promise<typeof import("bullmq")> {
  return orMissing(backend, () => import("bullmq"));
}

export async function loadRedis(): Promise<typeof import("ioredis").Redis> {
  return orMissing("redis", async () => (await import("ioredis")).Redis);
}

export async function loadPostgres(): Promise<typeof import("pg").Pool> {
  return orMissing("postgres", async () => (await import("pg")).default.Pool);
}

async function orMissing<T>(backend: keyof typeof packagesOf, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const names = packagesOf[backend];
    const isMissing = cause instanceof Error && "code" in cause && cause.code === "ERR_MODULE_NOT_FOUND";
    const why = isMissing ? "are not both installed" : "cannot be loaded";
    const hint = `Install them where offprint is installed: npm install ${names.join(" ")}`;
    throw new OffprintError("WORKER_ENGINE_MISSING", `The packages ${names.join(" and ")} ${why}.`, { hint, cause });
  }
}
