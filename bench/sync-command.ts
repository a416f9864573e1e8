import { rm } from "node:fs/promises";
import { join } from "node:path";
import { commandLine, type Run, run } from "./measure.js";

/** What `offprint sync --json` tells, as far as the bench looks at it. */
export interface SyncOutcome extends Run {
  report: {
    outcome: string;
    requests: { total: number; rateLimited: number; bytes: number };
    stories: { total: number; changed: number };
    content: { written: number };
    durationMs: number;
    plan?: { requests: number; items: { what: string; requests: number }[] };
  };
}

/** Runs `offprint sync` in a folder as a user would. */
export async function syncIn(dir: string, args: readonly string[] = [], peak = false): Promise<SyncOutcome> {
  const done = await run([commandLine, "sync", "--json", ...args], { cwd: dir, peak });
  return { ...done, report: JSON.parse(done.stdout) as SyncOutcome["report"] };
}

/** The same without anything that was there before. */
export async function firstSyncIn(dir: string, peak = false): Promise<SyncOutcome> {
  await rm(join(dir, "output"), { recursive: true, force: true });
  return syncIn(dir, [], peak);
}
