import { type ChildProcess, spawn } from "node:child_process";
import { resolve } from "node:path";

export const builtMain = resolve(import.meta.dirname, "..", "..", "dist", "cli", "main.js");

export interface CliRun {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface CliOptions {
  cwd: string;
  env?: Record<string, string>;
  /** The command's own file; default: that of `dist`, which `npm test` builds first. */
  main?: string;
  onStart?: (process: ChildProcess) => void;
}

/** Runs the command line as a real process. */
export function runCli(args: readonly string[], { cwd, env, main = builtMain, onStart }: CliOptions): Promise<CliRun> {
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn(process.execPath, [main, ...args], {
    cwd,
    env: { PATH, HOME, CI: "true", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onStart?.(child);
  return collectOutput(child);
}

/** What a process prints, and how it ends. */
export function collectOutput(child: ChildProcess): Promise<CliRun> {
  let stdout = "";
  let stderr = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("close", (code) => done({ code, stdout, stderr }));
  });
}
