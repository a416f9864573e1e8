import { parseArgs } from "node:util";
import { startModelServer } from "../support/model-space/serve-model-upstream.js";
import { type HistoryResult, runHistory, type Sync } from "./history.js";
import { PropertyViolation } from "./properties.js";

/**
 * Runs histories from the command line:
 * `npm run simulate -- --seeds 10000`, `-- --seed 17 --log` (one, with everything that was asked), `-- --mutants`.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seeds: { type: "string", default: "300" },
      from: { type: "string", default: "0" },
      seed: { type: "string" },
      log: { type: "boolean", default: false },
      keepGoing: { type: "boolean", default: false },
    },
  });
  const { sync } = await import("../../src/sync.js");
  const from = Number(values.seed ?? values.from);
  const count = values.seed === undefined ? Number(values.seeds) : 1;
  const results = await simulate(sync, from, count, (violation) => {
    console.log(violation.message);
    if (values.log) console.log(violation.log.join("\n"));
    if (!values.keepGoing) process.exitCode = 1;
    return values.keepGoing;
  });
  console.log(JSON.stringify(summary(results)));
}

/** Runs histories one after the other; `onViolation` says whether to go on. */
export async function simulate(
  sync: Sync,
  from: number,
  count: number,
  onViolation: (violation: PropertyViolation) => boolean,
): Promise<HistoryResult[]> {
  const server = await startModelServer();
  const results: HistoryResult[] = [];
  try {
    for (let seed = from; seed < from + count; seed++) {
      try {
        results.push(await runHistory(String(seed), server, sync));
      } catch (error) {
        if (!(error instanceof PropertyViolation)) throw error;
        if (!onViolation(error)) break;
      }
    }
  } finally {
    await server.close();
  }
  return results;
}

function summary(results: readonly HistoryResult[]): Record<string, number> {
  const sum = (key: keyof HistoryResult) => results.reduce((total, result) => total + Number(result[key]), 0);
  return {
    histories: results.length,
    syncs: sum("syncs"),
    committed: sum("committed"),
    exact: sum("exact"),
    kept: sum("kept"),
    failed: sum("failed"),
    crashed: sum("crashed"),
    requests: sum("requests"),
    poisoned: sum("poisoned"),
    blind: sum("blind"),
  };
}

await main();
