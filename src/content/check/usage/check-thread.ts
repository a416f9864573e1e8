import { parentPort, workerData } from "node:worker_threads";
import { isOffprintError } from "../../../lib/errors.js";
import { openOutput, scratchStore } from "../../../snapshot/open-output.js";
import { readTagNames } from "../read-checked-space.js";
import { onReadSpace, runCheck } from "../run-check.js";
import { mostFindings, type ThreadAnswer, type ThreadOrder } from "./check-in-thread.js";
import { usageOverview } from "./usage.js";

/** What a thread of {@link checkInThread} or {@link unusedInThread} runs. */
async function main(order: ThreadOrder): Promise<ThreadAnswer> {
  try {
    return { result: await resultOf(order) };
  } catch (error) {
    if (!isOffprintError(error)) throw error;
    return { problem: error.toProblem() };
  }
}

async function resultOf({ config, task }: ThreadOrder): Promise<unknown> {
  const store = scratchStore(openOutput(config.output).store);
  if (task === "unused") {
    return onReadSpace(store, { config }, async (space) => {
      return usageOverview(space, await readTagNames(store, space)).unused;
    });
  }
  const found = await runCheck(store, { config, since: task === "check-new" ? "previous" : undefined });
  return found && { ...found, findings: found.findings.slice(0, mostFindings), found: found.findings.length };
}

parentPort?.postMessage(await main(workerData as ThreadOrder));
