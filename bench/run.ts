import { cpus, totalmem } from "node:os";
import type { Bench, BenchRow } from "./row.js";
import { tableOf } from "./row.js";

/** Every subject, in the order of the table. Loaded one at a time. */
const benches: Record<string, () => Promise<Bench>> = {
  "start-up": async () => (await import("./start-up.js")).startUpBench,
  "first-sync": async () => (await import("./first-sync.js")).firstSyncBench,
  tiers: async () => (await import("./tiers.js")).tiersBench,
  unchanged: async () => (await import("./unchanged.js")).unchangedBench,
  "unchanged-tree": async () => (await import("./unchanged-tree.js")).unchangedTreeBench,
  changes: async () => (await import("./changes.js")).changesBench,
  resident: async () => (await import("./resident.js")).residentBench,
  busy: async () => (await import("./busy.js")).busyBench,
  fleet: async () => (await import("./fleet.js")).fleetBench,
  verify: async () => (await import("./verify.js")).verifyBench,
  memory: async () => (await import("./memory.js")).memoryBench,
  export: async () => (await import("./export.js")).exportBench,
  types: async () => (await import("./types.js")).typesBench,
  check: async () => (await import("./check.js")).checkBench,
  "check-built": async () => (await import("./check-built.js")).checkBuiltBench,
  growth: async () => (await import("./growth.js")).growthBench,
  "site-reader": async () => (await import("./site-reader.js")).siteReaderBench,
  explorer: async () => (await import("./explorer.js")).explorerBench,
  pull: async () => (await import("./pull.js")).pullBench,
  replica: async () => (await import("./replica.js")).replicaBench,
  large: async () => (await import("./large.js")).largeBench,
};

/** Takes many minutes: measured where it is named. */
const namedOnly = new Set(["large"]);

/**
 * `npm run bench [-- --short] [--json] [subject …]`: measures what is promised about speed, memory and requests, and
 * prints a table of the aims and one of what is only told. A missed aim is printed as missed and is no failure; a case that cannot be measured is one.
 */
async function main(args: readonly string[]): Promise<void> {
  const short = args.includes("--short");
  const wanted = args.filter((arg) => !arg.startsWith("--"));
  const unknown = wanted.filter((name) => !Object.hasOwn(benches, name));
  if (unknown.length > 0)
    throw new Error(`No bench ${unknown.join(", ")}; there are ${Object.keys(benches).join(", ")}`);
  const rows: BenchRow[] = [];
  for (const [name, load] of Object.entries(benches)) {
    if (wanted.length > 0 ? !wanted.includes(name) : namedOnly.has(name)) continue;
    process.stderr.write(`${name} …\n`);
    rows.push(...(await (await load())({ short })));
  }
  if (args.includes("--json")) {
    process.stdout.write(`${JSON.stringify({ ...machine(), short, rows }, null, 2)}\n`);
    return;
  }
  const { node, cores, model, memoryGB } = machine();
  process.stdout.write(`Node ${node}, ${cores} × ${model}, ${memoryGB} GB, ${short ? "short" : "long"} form\n\n`);
  const [promised, told] = [rows.filter(({ aim }) => aim !== null), rows.filter(({ aim }) => aim === null)];
  if (promised.length > 0) process.stdout.write(`Aims:\n\n${tableOf(promised)}\n\n`);
  if (told.length > 0) process.stdout.write(`Told, without an aim:\n\n${tableOf(told)}\n\n`);
  const aims = promised.flatMap(({ aim }) => aim ?? []);
  process.stdout.write(`${aims.filter(({ met }) => met).length} of ${aims.length} aims met.\n`);
  if (short) process.stdout.write("The aims are those of the long form; small spaces show start-up more than work.\n");
}

function machine() {
  const [first] = cpus();
  return {
    node: process.versions.node,
    cores: cpus().length,
    model: first?.model ?? "unknown",
    memoryGB: Math.round(totalmem() / 1024 ** 3),
  };
}

await main(process.argv.slice(2));
