import { Worker } from "node:worker_threads";
import type { Config } from "../../config/config.js";
import { OffprintError, type Problem } from "../../lib/errors.js";
import type { CheckOptions, CheckResult } from "./run-check.js";

/** What the thread is given. */
export interface ThreadOrder {
  config: Config;
  since: CheckOptions["since"];
}

/** More findings are not kept: of a hundred thousand stories without a text, the worst are enough to begin with. */
export const mostFindings = 20_000;

/** What was found, as far as it is kept: the worst first. */
export interface KeptFindings extends CheckResult {
  /** How many there are of all. */
  found: number;
}

/** What it answers; a result that is undefined: there is no snapshot. */
export type ThreadAnswer = { result: KeptFindings | undefined } | { problem: Problem };

/**
 * Checks the current generation of a configuration's output in a thread of its own: what else this process does goes on meanwhile,
 * and its memory is given back. Nothing is written.
 *
 * @returns the first {@link mostFindings}; undefined where there is no snapshot
 *
 * @throws OffprintError as `runCheck` does
 */
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
