import { resolve } from "node:path";
import type { Config } from "../config/config.js";
import { errorCodes, isOffprintError, type Problem } from "../errors.js";
import { openOutput } from "../snapshot/open-output.js";
import type { SyncReport } from "../sync/report.js";
import { metricsAfter } from "../watch/metrics.js";
import { readFreshness, type SpaceFreshness, unknownFreshness } from "../watch/space-freshness.js";
import { spaceNameOf } from "../watch/space-name.js";
import { readStatusFiles, writeStatusFiles } from "../watch/status-files.js";
import type { CommandContext } from "./context.js";
import { printProblems } from "./report-failure.js";

/** The flags that name files which tell of the spaces to those who do not run commands. */
export interface StatusFileFlags {
  /** `--metrics-file`, relative to the working folder. */
  metricsFile?: string;
  /** `--status-file` */
  statusFile?: string;
}

/** How a sync ended. */
export interface EndedSync {
  /** Undefined: it failed before there was one. */
  report?: SyncReport | undefined;
  /** What it failed with. */
  error?: unknown;
  /** Of the command; undefined: that of the error. */
  exitCode?: number | undefined;
  /** Monotonic milliseconds. */
  startedMs: number;
}

/**
 * Writes the files that the flags name, after a sync that failed, too: they tell how old the copy is. What cannot be written
 * is said on stderr, and changes no exit code.
 *
 * @returns what could not be written
 */
export async function tellStatus(
  context: CommandContext,
  flags: StatusFileFlags & { version: string },
  config: Config,
  { report, error, exitCode, startedMs }: EndedSync,
): Promise<Problem[]> {
  if (flags.metricsFile === undefined && flags.statusFile === undefined) return [];
  const absolute = (path: string | undefined) =>
    path === undefined ? undefined : resolve(context.workingFolder(), path);
  const files = { metrics: absolute(flags.metricsFile), status: absolute(flags.statusFile) };
  const space = spaceNameOf(resolve(context.workingFolder(), context.flags.config));
  const nowMs = Date.now();
  const before = await readStatusFiles(files, [await freshnessOf(config, space)], nowMs);
  const metrics = metricsAfter(before, {
    kind: "run-ended",
    space,
    atMs: nowMs,
    reasons: [{ kind: "start" }],
    outcome: report?.outcome ?? "failed",
    durationMs: Math.round(performance.now() - startedMs),
    exitCode: exitCode ?? (isOffprintError(error) ? error.exitCode : errorCodes.UNEXPECTED.exit),
    report,
    problems: report?.problems ?? problemsOf(error),
    nextAtMs: null,
  });
  const problems = await writeStatusFiles(files, metrics, { version: flags.version, nowMs });
  printProblems(context, problems, "yellow");
  return problems;
}

async function freshnessOf({ output, schedule }: Config, space: string): Promise<SpaceFreshness> {
  try {
    return await readFreshness(openOutput(output), space, schedule.maxAgeMs);
  } catch {
    // What is wrong with the folder is what the sync has failed with.
    return unknownFreshness(space, schedule.maxAgeMs);
  }
}

function problemsOf(error: unknown): Problem[] {
  if (!isOffprintError(error)) return [{ code: "UNEXPECTED", message: "", hint: "" }];
  return error.problems.length > 0 ? [...error.problems] : [error.toProblem()];
}
