import { spawn } from "node:child_process";
import { growthCases } from "./growth/cases.js";
import type { GrowthCase } from "./growth/growth-case.js";
import { script } from "./measure.js";
import type { Bench, BenchRow } from "./row.js";

/** Steeper growth than this is no longer called linear: 4 times the size may cost about 6 times as much. */
const steepest = 1.3;
/** Smaller figures are start-up, compiling and collecting garbage, and say nothing of growth. */
const tellingMs = 150;
const tellingBytes = 96 * 1024 * 1024;
/** Seconds of processor time after which a run is ended, whatever else the machine does. */
const maxSeconds = 30;
const heapMB = 1_500;

/**
 * How time and memory grow with hostile content: every path at n, 4 n and 16 n, each in a process of its own. The row
 * tells the exponent: 1 for linear growth, 2 for quadratic.
 *
 * `OFFPRINT_GROWTH=marks` runs those cases only whose name holds the word.
 */
export const growthBench: Bench = async ({ short }) => {
  const only = process.env.OFFPRINT_GROWTH ?? "";
  const rows: BenchRow[] = [];
  for (const one of growthCases)
    if (one.name.includes(only)) rows.push(await growthRow(one, short ? [1, 4] : [1, 4, 16]));
  return rows;
};

/** One case at one size; infinite where it took too long or too much memory. */
interface Cost {
  ms: number;
  bytes: number;
}

async function growthRow(one: GrowthCase, factors: readonly number[]): Promise<BenchRow> {
  const costs: Cost[] = [];
  for (const factor of factors) {
    const cost = await costOf(one.name, one.size * factor);
    costs.push(cost);
    process.stderr.write(`  ${one.name}, n = ${one.size * factor}: ${shown(cost)}\n`);
    if (cost.ms === Number.POSITIVE_INFINITY) break;
  }
  const time = exponent(
    costs.map(({ ms }) => ms),
    tellingMs,
  );
  const memory = exponent(
    costs.map(({ bytes }) => bytes),
    tellingBytes,
  );
  const value = Math.max(time, memory);
  return {
    name: one.name,
    unit: "exponent",
    value,
    floor: null,
    ratio: null,
    aim: { text: `≤ ${steepest}`, met: value <= steepest },
    note: costs.map((cost, index) => `${one.size * factors[index]!}: ${shown(cost)}`).join(" · "),
  };
}

/** The steepest step between neighbouring sizes of which the larger one tells something; 1 where none does. */
function exponent(values: readonly number[], telling: number): number {
  let steepestStep = 1;
  for (const [index, value] of values.entries()) {
    if (index === 0 || value < telling) continue;
    // What is below the telling size counts as that: noise must not look like growth.
    const before = Math.max(values[index - 1]!, telling / 6);
    steepestStep = Math.max(steepestStep, Math.log(value / before) / Math.log(4));
  }
  return steepestStep;
}

function shown({ ms, bytes }: Cost): string {
  return ms === Number.POSITIVE_INFINITY ? "no end" : `${ms.toFixed(0)} ms, ${(bytes / 1024 ** 2).toFixed(0)} MB`;
}

async function costOf(name: string, size: number): Promise<Cost> {
  const args = [
    process.execPath,
    `--max-old-space-size=${heapMB}`,
    script("growth/measure-case.js"),
    name,
    String(size),
  ];
  // The shell sets the limit, and becomes the process.
  const limited = ["-c", 'ulimit -t "$1" && shift && exec "$@"', "sh", String(maxSeconds), ...args];
  const child = spawn("sh", limited, { stdio: ["ignore", "pipe", "pipe"] });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const { code, signal } = await new Promise<{ code: number | null; signal: string | null }>((done, fail) => {
    child.on("error", fail);
    child.on("close", (code, signal) => done({ code, signal }));
  });
  if (code === 0) return JSON.parse(stdout) as Cost;
  // Anything but its time and its memory is a fault of the case, or of whoever ended it.
  const isOutOfTime = signal === "SIGXCPU" || signal === "SIGKILL";
  if (!isOutOfTime && !stderr.includes("heap out of memory"))
    throw new Error(`${name} ended with ${code ?? signal}:\n${stderr}`);
  return { ms: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY };
}
