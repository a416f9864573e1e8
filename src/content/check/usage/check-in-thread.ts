import { Worker } from "node:worker_threads";
import type { Config } from "../../../config/config.js";
import { OffprintError, type Problem } from "../../../lib/errors.js";
import type { CheckResult } from "../run-check.js";
import type { UsageOverview } from "./usage.js";

export interface ThreadOrder {
  config: Config;
  /** What to do: a check, one of what is new, or to list what is used nowhere. */
  task: "check" | "check-new" | "unused";
}

/** Keeps no more findings than this, the worst first. */
export const mostFindings = 20_000;

export interface KeptFindings extends CheckResult {
  /** How many were found in total. */
  found: number;
}

/** The thread's answer. An undefined result: there is no snapshot. */
export type ThreadAnswer<T = unknown> = { result: T | undefined } | { problem: Problem };

/** In another thread: this process keeps working. Undefined: no snapshot. @throws OffprintError as `runCheck` does */
export function checkInThread(config: Config, since?: "previous"): Promise<KeptFindings | undefined> {
  return inThread({ config, task: since === undefined ? "check" : "check-new" });
}

/** What is used nowhere, found in another thread. Undefined: no snapshot. */
export function unusedInThread(config: Config): Promise<UsageOverview["unused"] | undefined> {
  return inThread({ config, task: "unused" });
}

async function inThread<T>(order: ThreadOrder): Promise<T | undefined> {
  const thread = new Worker(new URL("./check-thread.js", import.meta.url), { workerData: order });
  thread.unref();
  const answer = await new Promise<ThreadAnswer<T>>((resolve, reject) => {
    thread.once("message", resolve);
    thread.once("error", reject);
    thread.once("exit", (code) => reject(new Error(`the thread of the check ended with ${code}`)));
  });
  if ("result" in answer) return answer.result;
  const { code, message, hint } = answer.problem;
  throw new OffprintError(code, message, { hint });
}
