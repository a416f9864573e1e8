import { spawn } from "node:child_process";

export interface ProcessRun {
  code: number | null;
  /** What it printed on both streams. */
  text: string;
}

/** Runs a program to its end. @param env all of its environment */
export function runProcess(
  program: string,
  args: readonly string[],
  { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<ProcessRun> {
  return new Promise((done, fail) => {
    const child = spawn(program, args, { cwd, env, timeout: 120_000, stdio: ["ignore", "pipe", "pipe"] });
    const printed: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => printed.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => printed.push(chunk));
    child.on("error", fail);
    child.on("close", (code) => done({ code, text: Buffer.concat(printed).toString() }));
  });
}

/** As {@link runProcess}. @returns what it printed @throws Error with that where it fails */
export async function runWell(
  program: string,
  args: readonly string[],
  place: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<string> {
  const { code, text } = await runProcess(program, args, place);
  if (code === 0) return text;
  throw new Error(`${program} ${args.join(" ")} ended with ${code}\n${text.slice(-3000)}`);
}
