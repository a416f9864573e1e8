import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** A process that ran to its end. */
export interface Run {
  /** From spawn to close, in milliseconds. */
  ms: number;
  code: number | null;
  stdout: string;
  stderr: string;
  /** Largest resident size in bytes; only with `peak`. */
  peakBytes: number | null;
  /** Processor time of all its threads in milliseconds; only with `peak`. */
  cpuMs: number | null;
}

export interface RunOptions {
  cwd?: string;
  env?: Record<string, string>;
  /** Measures the memory too: a module is loaded in front for it. */
  peak?: boolean;
}

const peakMark = "offprint-bench-peak:";

/**
 * Runs a script as a process of its own.
 * @throws Error with what it printed when it does not end with 0
 */
export async function run(args: readonly string[], options: RunOptions = {}): Promise<Run> {
  const { PATH = "", HOME = "", TMPDIR } = process.env;
  const peakArgs = options.peak ? ["--import", fileURLToPath(new URL("./report-peak.js", import.meta.url))] : [];
  const startedMs = performance.now();
  const child = spawn(process.execPath, [...peakArgs, ...args], {
    cwd: options.cwd ?? process.cwd(),
    env: { PATH, HOME, CI: "true", ...(TMPDIR === undefined ? {} : { TMPDIR }), ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const code = await new Promise<number | null>((done, fail) => {
    child.on("error", fail);
    child.on("close", done);
  });
  const ms = performance.now() - startedMs;
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}:\n${stderr || stdout}`);
  const told = new RegExp(`${peakMark}(\\d+):([\\d.]+)`).exec(stderr);
  return {
    ms,
    code,
    stdout,
    stderr,
    peakBytes: told === null ? null : Number(told[1]),
    cpuMs: told === null ? null : Number(told[2]),
  };
}

/**
 * Measures several things in turn, so that a slow moment of the machine meets all of them: a, b, a, b, …
 * @returns the medians, in the order given
 */
export async function interleaved(
  repetitions: number,
  measures: readonly (() => Promise<number>)[],
  options: { warmUp?: boolean } = {},
): Promise<number[]> {
  const samples: number[][] = measures.map(() => []);
  if (options.warmUp) for (const measure of measures) await measure();
  for (let repetition = 0; repetition < repetitions; repetition++) {
    for (const [at, measure] of measures.entries()) samples[at]!.push(await measure());
  }
  return samples.map(median);
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** A script of the bench as it was built. */
export function script(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

/** A bare loop of `floors/` with its arguments, as `run` takes them: `floor("files", "hash", dir)`. */
export function floor(program: "files" | "requests", ...args: string[]): string[] {
  return [script(`floors/${program}.js`), ...args];
}

/** Milliseconds that such a loop tells of itself, its start aside. */
export async function floorMs(program: "files" | "requests", ...args: string[]): Promise<number> {
  return (JSON.parse((await run(floor(program, ...args))).stdout) as { ms: number }).ms;
}

/** The command line as it was built. */
export const commandLine = script("../cli/main.js");

/** Runs work in a folder of its own, which is removed afterwards. */
export async function inFolder<T>(work: (dir: string) => Promise<T>): Promise<T> {
  const dir = await mkdtemp(join(tmpdir(), "offprint-bench-"));
  try {
    return await work(dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
