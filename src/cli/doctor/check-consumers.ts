import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import type { Config, HookSetting } from "../../config/config.js";
import { durationText } from "../../config/schema/quantity.js";
import { ago } from "../../lib/quantity-text.js";
import { listCursors, type StoredCursor } from "../../snapshot/cursors.js";
import { openOutput } from "../../snapshot/open-output.js";
import { type Finding, finding } from "./diagnosis-finding.js";

/** The last generation that each processed, and when. */
export async function gatherConsumers(output: Pick<Config["output"], "dir" | "store">): Promise<StoredCursor[]> {
  return listCursors(openOutput(output).store).catch(() => []);
}

export interface ConsumerExpectations {
  known: readonly string[];
  current: { generation: number; committedAtMs: number } | undefined;
  keepMs: number;
  /** `schedule.maxAge`: how long a consumer may lag. */
  maxAgeMs: number;
  nowMs: number;
}

export function checkConsumers(consumers: readonly StoredCursor[], expected: ConsumerExpectations): Finding[] {
  if (consumers.length === 0) return [];
  const found = consumers.flatMap((one) => checkConsumer(one, expected));
  return found.length > 0 ? found : [finding("CONSUMERS_OK", `Consumers that follow: ${consumers.length}.`)];
}

function checkConsumer({ consumer, cursor }: StoredCursor, expected: ConsumerExpectations): Finding[] {
  const { known, current, keepMs, maxAgeMs, nowMs } = expected;
  if (cursor === "damaged") {
    const hint = "It gets a list of everything next, and a new cursor.";
    return [finding("CONSUMER_DAMAGED", `The cursor of ${consumer} cannot be read.`, hint)];
  }
  if (current === undefined || cursor.generation >= current.generation) return [];
  if (nowMs - current.committedAtMs <= maxAgeMs) return [];
  const when = ago(Date.parse(cursor.movedAt), nowMs);
  const what = `${consumer} last processed generation ${cursor.generation} of ${current.generation}, ${when}.`;
  const hint = `See why it fails. Its generation is kept for ${durationText(keepMs)} (consumers.keep); then it gets everything again.`;
  const late = finding("CONSUMER_BEHIND", what, hint);
  if (known.includes(consumer)) return [late];
  const unused = "If nothing else asks with `offprint changes --for`, forget it.";
  return [late, finding("CONSUMER_UNKNOWN", `No command of onCommit works for ${consumer}.`, unused)];
}

/** Looks up the programs that the commands of `onCommit` run. A line that only the shell can resolve counts as found. */
export async function checkHooks(
  { onCommit, baseDir }: Pick<Config, "onCommit" | "baseDir">,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Finding[]> {
  const lost: Finding[] = [];
  for (const [consumer, hook] of Object.entries(onCommit)) {
    const program = programOf(hook);
    if (program === undefined || (await isThere(program, baseDir, env))) continue;
    const what = `onCommit.${consumer} runs ${program}, which is not on the PATH, or may not be run.`;
    lost.push(finding("HOOK_NOT_FOUND", what, "Name it with its path, install it, or make it executable."));
  }
  const names = Object.keys(onCommit);
  if (names.length === 0 || lost.length > 0) return lost;
  return [finding("HOOKS_OK", `The programs of onCommit are there: ${names.join(", ")}.`)];
}

/** Words built into the shell. Most lines that begin with another word name a program. */
const shellWords = new Set(
  ". : [ cd command echo eval exec exit export false for if printf pwd set source test trap true ulimit umask unset until wait while".split(
    " ",
  ),
);

/** The program of a list, or of a line that begins with a plain word, after any `NAME=value`. */
function programOf({ run }: HookSetting): string | undefined {
  if (typeof run !== "string") return run[0];
  const words = run.trim().split(/\s+/);
  const first = words.find((word) => !/^[A-Za-z_]\w*=[\w./:-]*$/.test(word));
  return first !== undefined && /^[\w./+-]+$/.test(first) && !shellWords.has(first) ? first : undefined;
}

async function isThere(
  program: string,
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  if (isAbsolute(program) || /[\\/]/.test(program)) return isExecutable(resolve(folder, program));
  const folders = (env.PATH ?? env.Path ?? "").split(delimiter).filter((path) => path !== "");
  const endings = process.platform === "win32" ? (env.PATHEXT ?? ".EXE;.CMD;.BAT").split(";") : [""];
  for (const path of folders) {
    for (const ending of endings) if (await isExecutable(join(path, `${program}${ending}`))) return true;
  }
  return false;
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
