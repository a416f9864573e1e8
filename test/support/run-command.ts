import { runProgram } from "../../src/cli/program.js";
import type { CliRun } from "./run-cli.js";

/**
 * Runs a command in this process, which takes a tenth of the time of a process of its own: for what a command says and
 * writes. What is about the process itself (signals, streams, how it is started) belongs to `runCli`.
 */
export async function runCommand(
  args: readonly string[],
  { cwd, env = {} }: { cwd: string | (() => never); env?: Record<string, string> },
): Promise<CliRun> {
  const { PATH = "", HOME = "" } = process.env;
  const printed = { stdout: "", stderr: "" };
  const into = (name: "stdout" | "stderr") => ({
    write(text: string) {
      printed[name] += text;
    },
  });
  const ignored = () => undefined;
  const code = await runProgram(args, "0.0.0", {
    env: { PATH, HOME, CI: "true", ...env },
    stdin: {},
    stdout: into("stdout"),
    stderr: into("stderr"),
    cwd: typeof cwd === "string" ? () => cwd : cwd,
    on: ignored,
    off: ignored,
    exit: ignored,
  });
  return { code, ...printed };
}
