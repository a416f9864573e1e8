import { spawn } from "node:child_process";
import { resolve } from "node:path";

const main = resolve(import.meta.dirname, "..", "..", "dist", "src", "cli", "main.js");

export interface CliRun {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs the built command line as a real process. `npm test` builds it first. */
export function runCli(
  args: string[],
  options: { cwd: string; env?: Record<string, string>; onStart?: (process: ReturnType<typeof spawn>) => void },
): Promise<CliRun> {
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn(process.execPath, [main, ...args], {
    cwd: options.cwd,
    env: { PATH, HOME, CI: "true", ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  options.onStart?.(child);
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("close", (code) => done({ code, stdout, stderr }));
  });
}
