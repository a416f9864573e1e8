import { type ChildProcess, spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { onTestFailed, onTestFinished } from "vitest";
import { type CliRun, collectOutput } from "../../support/run-cli.js";

/** A line of `offprint worker --json`. */
export type WorkerLine = Record<string, unknown> & { kind: string; space?: string };

/** A worker in a separate process. */
export interface RunningWorker {
  pid: number;
  lines: WorkerLine[];
  /** Resolves with the first line that fits, also one that came before. */
  heard(fits: (line: WorkerLine) => boolean): Promise<WorkerLine>;
  kill(signal: NodeJS.Signals): void;
  ended: Promise<CliRun>;
}

const main = resolve(import.meta.dirname, "..", "..", "..", "dist", "cli", "main.js");
/** The command of another version, which `npm run test:fleet -- --beside` has built. */
export const otherMain = process.env.OFFPRINT_OTHER_WORKER ?? main;

/**
 * @param cache the folder of its cache: processes with another one share nothing by files. The worker with the cache `two` is
 *   of the other version, so that each test with several workers has both.
 */
export function startWorker(
  cwd: string,
  cache: string,
  args: readonly string[] = [],
  program: string = cache === "two" ? otherMain : main,
): RunningWorker {
  const { PATH = "", OFFPRINT_FLEET_FOLDER = "" } = process.env;
  const child: ChildProcess = spawn(process.execPath, [program, "worker", "--json", ...args], {
    cwd,
    env: { PATH, CI: "true", XDG_CACHE_HOME: join(cwd, cache) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  appendFileSync(join(OFFPRINT_FLEET_FOLDER, "pids"), `${child.pid}\n`);
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines: WorkerLine[] = [];
  const listeners = new Set<() => void>();
  let rest = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    const whole = `${rest}${text}`.split("\n");
    rest = whole.pop() ?? "";
    // A worker that fails at the start prints its document on several lines, after which it ends.
    for (const line of whole) if (/^\{.*\}$/.test(line)) lines.push(JSON.parse(line) as WorkerLine);
    for (const listener of listeners) listener();
  });
  onTestFailed(() => {
    process.stdout.write(
      `Last messages of the worker ${cache}:\n${lines
        .slice(-30)
        .map((line) => JSON.stringify(line))
        .join("\n")}\n`,
    );
  });
  const ended = collectOutput(child);
  const heard: RunningWorker["heard"] = (fits) =>
    new Promise((done, reject) => {
      const look = () => {
        const found = lines.find(fits);
        if (found === undefined) return;
        listeners.delete(look);
        done(found);
      };
      listeners.add(look);
      look();
      void ended.then(({ stdout, stderr }) =>
        reject(new Error(`ended before it was heard: ${stderr.slice(-2000)} ${stdout.slice(-2000)}`)),
      );
    });
  return { pid: child.pid ?? 0, lines, heard, kill: (signal) => void child.kill(signal), ended };
}

/** The runs that workers have reported, with their end times. */
export function endedRuns(workers: readonly RunningWorker[]): WorkerLine[] {
  return workers.flatMap(({ lines }) => lines.filter(({ kind }) => kind === "run-ended"));
}
