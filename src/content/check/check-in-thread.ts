import { Worker } from "node:worker_threads";
import type { Config } from "../../config/config.js";
import { OffprintError, type Problem } from "../../lib/errors.js";
import type { CheckOptions, CheckResult } from "./run-check.js";

export interface ThreadOrder {
  config: Config;
  since: CheckOptions["since"];
}

/** Keeps no more findings than this, the worst first. */
export const mostFindings = 20_000;

export interface KeptFindings extends CheckResult {
  /** How many were found in total. */
  found: number;
}

/** The thread's answer. An undefined result: there is no snapshot. */
export type ThreadAnswer = { result: KeptFindings | undefined } | { problem: Problem };

/** In another thread: this process keeps working. Undefined: no snapshot. @throws OffprintError as `runCheck` does */
export async function checkInThread(config: Config, since?: "previous"): Promise<KeptFindings | undefined> {
  const order: ThreadOrder = { config, since };
  const thread = new Worker(new URL("./check-thread.js", import.meta.url), { workerData: order });
  thread.unref();
  const answer = await new Promise<ThreadAnswer>((resolve, reject) => {
    thread.once("message", resolve);
    thread.once("error", reject);
    thread.once("exit", (code) => reject(new Error(`the thread of the check ended with ${code}`)));
  });
  if ("result" in answer) return answer.result;
  const { code, message, hint } = answer.problem;
  throw new OffprintError(code, message, { hint });
}
