import { parentPort, workerData } from "node:worker_threads";
import { isOffprintError } from "../../lib/errors.js";
import { openOutput, scratchStore } from "../../snapshot/open-output.js";
import { mostFindings, type ThreadAnswer, type ThreadOrder } from "./check-in-thread.js";
import { runCheck } from "./run-check.js";

/** What a thread of {@link checkInThread} runs. */
async function main({ config, since }: ThreadOrder): Promise<ThreadAnswer> {
  try {
    const { store } = openOutput(config.output);
    const result = await runCheck(scratchStore(store), { config, since });
    if (result === undefined) return { result };
    const { findings } = result;
    return { result: { ...result, findings: findings.slice(0, mostFindings), found: findings.length } };
  } catch (error) {
    if (!isOffprintError(error)) throw error;
    return { problem: error.toProblem() };
  }
}

parentPort?.postMessage(await main(workerData as ThreadOrder));
