import { resolve } from "node:path";
import type { Config } from "../config/config.js";
import type { SpaceConfig } from "../config/load/fleet.js";
import { errorCodes, isOffprintError, type Problem } from "../lib/errors.js";
import { packageFile } from "../lib/package-file.js";
import { openOutput } from "../snapshot/open-output.js";
import type { SyncReport } from "../sync/report.js";
import type { SentRequests } from "../watch/sent-requests.js";
import { metricsAfter, withKept } from "../watch/telemetry/metrics.js";
import { readFreshness, type SpaceFreshness, unknownFreshness } from "../watch/telemetry/space-freshness.js";
import { readStatusFiles, writeStatusFiles } from "../watch/telemetry/status-files.js";
import type { RunEnded } from "../watch/watch-event.js";
import type { CommandContext } from "./context.js";
import { keptSnapshot } from "./kept-generations.js";
import { printProblems, problemsOf } from "./report-failure.js";

export interface StatusFileFlags {
  /** `--metrics-file`, relative to the working folder. */
  metricsFile?: string;
  statusFile?: string;
}

export interface EndedSync {
  space: string;
  config: Config;
  report?: SyncReport | undefined;
  error?: unknown;
  /** What a sync without a report sent. */
  requests?: SentRequests;
  /** Of the command. Undefined: use that of the error. */
  exitCode?: number | undefined;
  durationMs: number;
}

/** Writes the files that the flags name, even after a failed sync. @returns problems of writing: the exit code stays */
export async function tellStatus(
  context: CommandContext,
  flags: StatusFileFlags,
  ended: readonly EndedSync[],
): Promise<Problem[]> {
  const files = statusFilesOf(context, flags);
  const nowMs = Date.now();
  const freshness = await Promise.all(ended.map(({ space: name, config }) => freshnessOf({ name, config })));
  const before = await readStatusFiles(files, freshness, nowMs);
  let metrics = ended.map((one) => eventOf(one, nowMs)).reduce(metricsAfter, before);
  for (const { space, config } of ended) {
    const generation = metrics.spaces.get(space)?.freshness.generation ?? null;
    metrics = withKept(metrics, space, await keptSnapshot(config, generation));
  }
  const problems = await writeStatusFiles(files, metrics, { version: context.version, commit: builtCommit(), nowMs });
  printProblems(context, problems, "yellow");
  return problems;
}

function eventOf({ space, report, error, requests, exitCode, durationMs }: EndedSync, atMs: number): RunEnded {
  return {
    kind: "run-ended",
    space,
    atMs,
    reasons: [{ kind: "start" }],
    outcome: report?.outcome ?? "failed",
    durationMs: Math.round(durationMs),
    exitCode: exitCode ?? (isOffprintError(error) ? error.exitCode : errorCodes.UNEXPECTED.exit),
    report,
    requests,
    problems: [...(report?.problems ?? (isOffprintError(error) ? problemsOf(error) : [unexpected]))],
    nextAtMs: null,
  };
}

export function statusFilesOf({ workingFolder }: CommandContext, { metricsFile, statusFile }: StatusFileFlags) {
  const absolute = (path: string | undefined) => (path === undefined ? undefined : resolve(workingFolder(), path));
  return { metrics: absolute(metricsFile), status: absolute(statusFile) };
}

/** How old the copy is. Unknown in an unreadable folder: a sync fails because of it, or repairs it. */
export function freshnessOf({ name, config }: Pick<SpaceConfig, "name" | "config">): Promise<SpaceFreshness> {
  const { maxAgeMs } = config.schedule;
  return readFreshness(openOutput(config.output), name, maxAgeMs).catch(() => unknownFreshness(name, maxAgeMs));
}

const unexpected: Problem = { code: "UNEXPECTED", message: "", hint: "" };

/** The commit that the build noted; undefined if it was made outside a checkout. */
export function builtCommit(): string | undefined {
  try {
    const text = packageFile("dist/commit").trim();
    return /^[0-9a-f]{40,64}$/.test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}
