import { spawn } from "node:child_process";

export interface ProcessRun {
  code: number | null;
  /** What it printed on both streams. */
  text: string;
}

export interface ProcessPlace {
  cwd: string;
  /** All of its environment. */
  env: NodeJS.ProcessEnv;
  /** When it is ended; default: after two minutes. */
  timeoutMs?: number;
}

/** Runs a program to its end. */
export function runProcess(
  program: string,
  args: readonly string[],
  { cwd, env, timeoutMs = 120_000 }: ProcessPlace,
): Promise<ProcessRun> {
  return new Promise((done, fail) => {
    const child = spawn(program, args, { cwd, env, timeout: timeoutMs, stdio: ["ignore", "pipe", "pipe"] });
    const printed: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => printed.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => printed.push(chunk));
    child.on("error", fail);
    child.on("close", (code) => done({ code, text: Buffer.concat(printed).toString() }));
  });
}

/** As {@link runProcess}. @returns what it printed @throws Error with that where it fails */
export async function runWell(program: string, args: readonly string[], place: ProcessPlace): Promise<string> {
  const { code, text } = await runProcess(program, args, place);
  if (code === 0) return text;
  throw new Error(`${program} ${args.join(" ")} ended with ${code}\n${shortened(text)}`);
}

/** Has a program of Debian's package of that name; installs it where it is missing. */
export async function needProgram(name: string, place: ProcessPlace): Promise<void> {
  const isThere = await runWell(name, [name === "hugo" ? "version" : "--version"], place).then(
    () => true,
    () => false,
  );
  if (isThere) return;
  await runWell("apt-get", ["update", "-qq"], place);
  await runWell("apt-get", ["install", "-y", "-qq", "--no-install-recommends", name], place);
}

/** The beginning and the end: npm says first what is wrong, generators say it last. */
function shortened(text: string): string {
  return text.length <= 4000 ? text : `${text.slice(0, 1500)}\n…\n${text.slice(-2500)}`;
}
