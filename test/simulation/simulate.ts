import { parseArgs } from "node:util";
import { sync } from "../../src/sync/sync.js";
import { type ModelServer, startModelServer } from "../support/model-space/serve-model-upstream.js";
import { type BucketServer, openBucketServer } from "./bucket-server.js";
import { bucketStorage } from "./bucket-storage.js";
import { type HistoryResult, runHistory, type Sync } from "./history.js";
import type { OpenStorage } from "./history-storage.js";
import { mutants, mutated } from "./mutants.js";
import { PropertyViolation } from "./properties.js";
import { type Regime, regimeNamed } from "./regimes.js";
import { residentProgram } from "./resident-program.js";
import { storageBugs } from "./storage-bugs.js";

/**
 * Runs histories from the command line:
 * - `--seeds 10000` (`--from 5000`, `--keep-going`)
 * - `--seed 17 --log`: one of them, with all requests and writes
 * - `--regime lag`: the subject of the histories
 * - `--mutants`: every planted bug must be found; `--only tags`: those with this in their name
 * - `--resident`: one process runs two of three syncs
 * - `--store s3`: machines share the snapshot in a bucket, and their processes end, are stopped and
 *   overtaken. The server is our own or that of the environment (`test/support/test-bucket.ts`).
 *   With `--mutants`: the bugs of that.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seeds: { type: "string", default: "300" },
      from: { type: "string", default: "0" },
      seed: { type: "string" },
      log: { type: "boolean", default: false },
      "keep-going": { type: "boolean", default: false },
      mutants: { type: "boolean", default: false },
      only: { type: "string", default: "" },
      regime: { type: "string", default: "plain" },
      resident: { type: "boolean", default: false },
      store: { type: "string", default: "memory" },
    },
  });
  const server = await startModelServer();
  const storage = values.store === "s3" ? await openBucketServer() : undefined;
  if (storage === undefined && values.store !== "memory")
    throw new Error(`No store ${values.store}; there are memory, s3`);
  try {
    if (values.mutants) return await hunt(huntedIn(server, storage), Number(values.seeds), values.only);
    const from = Number(values.seed ?? values.from);
    const count = values.seed === undefined ? Number(values.seeds) : 1;
    const { log, "keep-going": keepGoing, resident } = values;
    await simulate(server, { from, count, keepGoing, log, regime: regimeNamed(values.regime), resident, storage });
  } finally {
    await storage?.close();
    await server.close();
  }
}

interface Simulation {
  from: number;
  count: number;
  keepGoing: boolean;
  log: boolean;
  regime: Regime;
  resident: boolean;
  /** The snapshots' storage; undefined: memory. */
  storage: BucketServer | undefined;
}

/** Runs histories one after the other, and prints every violation and a summary. */
async function simulate(
  server: ModelServer,
  { from, count, keepGoing, log, regime, resident, storage }: Simulation,
): Promise<void> {
  const startedMs = performance.now();
  const results: HistoryResult[] = [];
  let isTold = false;
  // On a signal to end, print the results so far.
  process.once("SIGTERM", () => {
    isTold = true;
    process.exitCode = 143;
  });
  for (let seed = from; seed < from + count && !isTold; seed++) {
    const found = await live(
      server,
      seed,
      resident ? residentProgram() : sync,
      regime,
      storage && bucketStorage(storage),
    );
    if (!(found instanceof PropertyViolation)) {
      results.push(found);
      continue;
    }
    console.log(log ? `${found.log.join("\n")}\n${found.message}` : found.message);
    process.exitCode = 1;
    if (!keepGoing) break;
  }
  console.log(`${JSON.stringify(summary(results))} in ${Math.round(performance.now() - startedMs)} ms`);
  if (storage !== undefined) console.log(JSON.stringify(Object.fromEntries([...storage.met].sort())));
}

async function live(
  server: ModelServer,
  seed: number,
  program: Sync,
  regime: Regime = "plain",
  openStorage?: OpenStorage,
): Promise<HistoryResult | PropertyViolation> {
  try {
    return await runHistory(String(seed), server, program, regime, openStorage);
  } catch (error) {
    if (error instanceof PropertyViolation) return error;
    throw error;
  }
}

function summary(results: readonly HistoryResult[]): Record<string, number | string> {
  const total: Record<string, number> = { histories: results.length };
  const counted = [
    "syncs",
    "committed",
    "exact",
    "held",
    "torn",
    "kept",
    "failed",
    "crashed",
    "requests",
    "poisoned",
    "blind",
  ] as const;
  for (const key of counted) total[key] = results.reduce((sum, result) => sum + Number(result[key]), 0);
  return { ...total, ...tornByLag(results) };
}

/** The share of torn readings among the unconfirmed exact ones, by the longest lag. */
function tornByLag(results: readonly HistoryResult[]): Record<string, string> {
  const lags = [...new Set(results.map(({ longestLagMs }) => longestLagMs))].sort((a, b) => a - b).filter(Boolean);
  return Object.fromEntries(
    lags.map((ms) => {
      const at = results.filter(({ longestLagMs }) => longestLagMs === ms);
      const sum = (key: "torn" | "exact") => at.reduce((total, result) => total + result[key], 0);
      return [`torn at ${ms / 1000} s`, `${sum("torn")} of ${sum("exact")}`];
    }),
  );
}

/** A planted bug, and how to run a history with it and without it. */
interface Hunted {
  name: string;
  seed: number;
  tries?: number;
  live(seed: number, isPlanted: boolean): Promise<HistoryResult | PropertyViolation>;
}

function huntedIn(server: ModelServer, storage: BucketServer | undefined): Hunted[] {
  if (storage === undefined) {
    return mutants.map((mutant) => ({
      ...mutant,
      live: (seed, isPlanted) => live(server, seed, isPlanted ? mutated(mutant, sync) : sync, mutant.regime),
    }));
  }
  return storageBugs.map((bug) => ({
    ...bug,
    live: (seed, isPlanted) => live(server, seed, sync, "plain", bucketStorage(storage, isPlanted ? bug : {})),
  }));
}

/** Every planted bug must break a property in a history in which the real program keeps it. */
async function hunt(all: readonly Hunted[], seeds: number, only: string): Promise<void> {
  const hunted = all.filter(({ name }) => name.includes(only));
  let escaped = 0;
  for (const bug of hunted) {
    const startedMs = performance.now();
    const found = await findBug(bug, seeds);
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
    if (found === undefined) escaped++;
    console.log(
      `${found === undefined ? `ESCAPED ${seeds} histories` : `found by ${found}`} in ${seconds} s: ${bug.name}`,
    );
  }
  console.log(`${hunted.length - escaped} of ${hunted.length} planted bugs were found`);
  if (escaped > 0) process.exitCode = 1;
}

async function findBug(bug: Hunted, seeds: number): Promise<string | undefined> {
  for (const seed of [...Array(bug.tries ?? 1).fill(bug.seed), ...Array(seeds).keys()]) {
    const found = await bug.live(seed, true);
    if (!(found instanceof PropertyViolation)) continue;
    if (!((await bug.live(seed, false)) instanceof PropertyViolation)) return `seed ${seed} ("${found.property}")`;
  }
  return undefined;
}

await main();
