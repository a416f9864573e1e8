import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import type { HookSetting } from "../../config/config.js";
import { within } from "../../lib/concurrency/within.js";
import { handOverFiles } from "../../snapshot/layout.js";
import { openFileStore } from "../../snapshot/store/file-store.js";
import { isGone, isNeighbour, newOwner, parseOwner, processStart } from "../../snapshot/store/lock-owner.js";
import type { Store } from "../../snapshot/store/store.js";

export interface HookOptions {
  cwd: string;
  env: Readonly<Record<string, string>>;
  signal?: AbortSignal | undefined;
  onLine(line: { stream: "stdout" | "stderr"; text: string }): void;
  /** Called with the process id before the hook starts its work. */
  onStart?(pid: number): Promise<void>;
  /** Time between SIGTERM and SIGKILL, in milliseconds; default 10 s. */
  graceMs?: number | undefined;
  /** The same after the signal; default: `graceMs`. */
  stopGraceMs?: number | undefined;
}

export interface HookEnd {
  result: "done" | "failed" | "timed-out";
  exitCode?: number;
  /** How it ended, as the end of a sentence: `ended with exit code 2`. */
  how: string;
}

/** How long to wait for remaining output after the hook has ended, in milliseconds. */
const drainMs = 500;

/** A list runs directly, a string in the shell. The group gets SIGTERM, SIGKILL after the grace. */
export async function runHook({ run, timeoutMs }: HookSetting, options: HookOptions): Promise<HookEnd> {
  const { cwd, env, signal, onLine, onStart, graceMs = 10_000, stopGraceMs = graceMs } = options;
  signal?.throwIfAborted();
  const { child, letGo } = start(run, cwd, env);
  const drained = Promise.all([
    splitLines(child.stdout, (text) => onLine({ stream: "stdout", text })),
    splitLines(child.stderr, (text) => onLine({ stream: "stderr", text })),
  ]);
  const ended = endOf(child);
  let stopped: "time" | "signal" | undefined;
  const killing: NodeJS.Timeout[] = [];
  const stop = (why: "time" | "signal") => {
    stopped ??= why;
    kill(child, "SIGTERM");
    killing.push(setTimeout(() => kill(child, "SIGKILL"), why === "time" ? graceMs : stopGraceMs));
  };
  const timing = setTimeout(() => stop("time"), timeoutMs);
  const onAbort = () => stop("signal");
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    if (child.pid !== undefined) await onStart?.(child.pid);
    letGo();
    const end = await ended;
    // Its children may have outlived it.
    if (stopped !== undefined) kill(child, "SIGKILL");
    await within(drainMs, drained);
    if (stopped === "time") return { ...end, result: "timed-out", how: `did not end within ${timeoutMs / 1000} s` };
    if (stopped === "signal") return { ...end, result: "failed" };
    return end;
  } finally {
    clearTimeout(timing);
    for (const timer of killing) clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
    child.stdout?.destroy();
    child.stderr?.destroy();
  }
}

/** Waits for permission, then becomes the command. Exits if its starter dies first. */
const gate = 'read -r go <&3 || exit; exec 3<&-; exec "$@"';
const shell = "/bin/sh";

/** If the system has a shell, the hook waits for `letGo` before it does anything. */
function start(run: HookSetting["run"], cwd: string, env: Readonly<Record<string, string>>) {
  const options = { cwd, env: { ...env }, detached: process.platform !== "win32" };
  const stdio: ("ignore" | "pipe")[] = ["ignore", "pipe", "pipe"];
  if (process.platform === "win32" || !existsSync(shell)) {
    const [program = "", ...args] = typeof run === "string" ? [run] : run;
    const child = spawn(program, args, { ...options, stdio, shell: typeof run === "string" });
    return { child, letGo: () => undefined };
  }
  const command = typeof run === "string" ? [shell, "-c", run] : run;
  const child = spawn(shell, ["-c", gate, "sh", ...command], { ...options, stdio: [...stdio, "pipe"] });
  const gatePipe = child.stdio[3] as Writable | null;
  // It may have ended before it is released.
  gatePipe?.on("error", () => undefined);
  return { child, letGo: () => gatePipe?.end("\n") };
}

function endOf(child: ChildProcess): Promise<HookEnd> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve({ result: "failed", how: `could not be started: ${error.message}` }));
    child.once("exit", (code, signal) => {
      if (code === null) resolve({ result: "failed", how: `was ended by ${signal}` });
      else resolve({ result: code === 0 ? "done" : "failed", exitCode: code, how: exitText(code) });
    });
  });
}

function exitText(code: number): string {
  const reasons: Partial<Record<number, string>> = { 126: " (cannot be run)", 127: " (was not found)" };
  return `ended with exit code ${code}${reasons[code] ?? ""}`;
}

/** Signals the whole group: its members may outlive the leader. Does nothing if it is already gone. */
function kill({ pid }: { pid?: number | undefined }, signal: "SIGTERM" | "SIGKILL"): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === "win32" ? pid : -pid, signal);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && (error.code === "ESRCH" || error.code === "EPERM"))) throw error;
  }
}

/** Longer lines are passed on in pieces, in characters. */
const longestLine = 16_384;

function splitLines(stream: Readable | null, onLine: (line: string) => void): Promise<void> {
  const decoder = new StringDecoder("utf8");
  let open = "";
  const take = (text: string): void => {
    const lines = `${open}${text}`.split("\n");
    open = lines.pop() ?? "";
    for (const line of lines) onLine(line.endsWith("\r") ? line.slice(0, -1) : line);
    while (open.length >= longestLine) {
      onLine(open.slice(0, longestLine));
      open = open.slice(longestLine);
    }
  };
  return new Promise((resolve) => {
    if (stream === null) return resolve();
    stream.on("data", (bytes: Buffer) => take(decoder.write(bytes)));
    stream.once("error", () => resolve());
    stream.once("close", () => {
      take(decoder.end());
      if (open !== "") onLine(open);
      resolve();
    });
  });
}

export async function noteRunningHook(store: Store, consumer: string, pid: number): Promise<void> {
  const owner = { ...(await newOwner()), pid, processStart: await processStart(pid) };
  await store.replace(handOverFiles(consumer).running, Buffer.from(`${JSON.stringify(owner)}\n`));
}

/** Whether a hook still runs whose starter was killed. Kills it if its time is over. */
export async function leftHookRuns(dir: string, consumer: string, timeoutMs: number): Promise<boolean> {
  const store = openFileStore(dir);
  const { running } = handOverFiles(consumer);
  const bytes = await store.get(running);
  if (bytes === undefined) return false;
  const owner = parseOwner(Buffer.from(bytes).toString("utf8"));
  // We cannot see processes on another host; its lock was stale.
  if (owner === undefined || !isNeighbour(owner) || (await isGone(owner))) return false;
  const isInTime = Date.now() - Date.parse(owner.since) < timeoutMs;
  if (isInTime) return true;
  kill(owner, "SIGKILL");
  return false;
}
