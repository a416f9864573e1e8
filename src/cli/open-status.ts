import { resolve } from "node:path";
import type { Config } from "../config/config.js";
import type { SpaceConfig } from "../config/load/fleet.js";
import { errorCodes, isOffprintError, type Problem } from "../lib/errors.js";
import { packageFile } from "../lib/package-file.js";
import { openOutput } from "../snapshot/open-output.js";
import type { SyncReport } from "../sync/report.js";
import {
  metricsAfter,
  metricsOfSpaces,
  type QueueMetrics,
  type ToldFreshness,
  withFreshness,
  withKept,
  withRunElsewhere,
} from "../watch/telemetry/metrics.js";
import { readFreshness, type SpaceFreshness, unknownFreshness } from "../watch/telemetry/space-freshness.js";
import { readStatusFiles, writeStatusFiles } from "../watch/telemetry/status-files.js";
import { statusPages } from "../watch/telemetry/status-pages.js";
import type { RunEnded, SentRequests, WatchEvent } from "../watch/watch-event.js";
import type { CommandContext } from "./context.js";
import { keptSnapshot } from "./kept-generations.js";
import { printProblems, problemsOf } from "./report-failure.js";

export interface StatusFileFlags {
  /** `--metrics-file`, relative to the working folder. */
  metricsFile?: string;
  statusFile?: string;
}

/** A space whose state the files and pages show. */
type ToldSpace = Pick<SpaceConfig, "name" | "config">;

export type Status = Awaited<ReturnType<typeof openStatus>>;

/**
 * The state of spaces, for the files that the flags name and for pages. It goes on from the files.
 * @param needsLease true if this process syncs a space of a bucket once it has the lease
 */
export async function openStatus(
  context: CommandContext,
  spaces: readonly ToldSpace[],
  { metricsFile, statusFile }: StatusFileFlags,
  needsLease = false,
) {
  const { version, workingFolder } = context;
  const commit = builtCommit();
  const absolute = (path: string | undefined) => (path === undefined ? undefined : resolve(workingFolder(), path));
  const files = { metrics: absolute(metricsFile), status: absolute(statusFile) };
  let metrics = await readStatusFiles(files, await Promise.all(spaces.map(freshnessOf)), Date.now());
  let current = spaces;
  let writing: Promise<unknown> = Promise.resolve();
  /** @returns problems of writing, which it prints */
  const write = async (): Promise<Problem[]> => {
    const problems = await writeStatusFiles(files, metrics, { version, commit, nowMs: Date.now() });
    printProblems(context, problems, "yellow");
    return problems;
  };
  const take = (event: WatchEvent): void => {
    metrics = metricsAfter(metrics, event);
  };
  const noteKept = async (name: string): Promise<void> => {
    const { freshness, kept } = metrics.spaces.get(name) ?? {};
    const config = current.find((space) => space.name === name)?.config;
    // A space that was taken out ends with the report of its last run.
    if (freshness === undefined || config === undefined || freshness.generation === kept?.generation) return;
    const read = await keptSnapshot(config, freshness.generation);
    metrics = withKept(metrics, name, read);
  };
  const pagesOfCurrent = () => {
    const inBucket = current.filter(({ config }) => needsLease && config.output.store !== undefined);
    const names = inBucket.map(({ name }) => name);
    return statusPages({ metrics: () => metrics, inBucket: names, version, commit, now: Date.now });
  };
  const pages = pagesOfCurrent();
  return {
    take,
    noteKept,
    write,
    /** Takes an event, and writes the files after each run and command. */
    note(event: WatchEvent): void {
      take(event);
      if (event.kind === "run-ended") writing = writing.then(() => noteKept(event.space)).then(write);
      if (event.kind === "hook") writing = writing.then(write);
    },
    freshnessOf: (space: string) => metrics.spaces.get(space)?.freshness,
    /** Takes what other processes know about a space's copy. `ranAtMs`: when the last run ended, if anybody knows. */
    learn(space: string, known: ToldFreshness, ranAtMs = 0): void {
      metrics = withRunElsewhere(withFreshness(metrics, space, known), space, ranAtMs);
    },
    /** Goes on with these spaces. */
    async follow(followed: readonly ToldSpace[]): Promise<void> {
      current = followed;
      const known = await Promise.all(followed.map(freshnessOf));
      metrics = metricsOfSpaces(metrics, known);
      for (const path of Object.keys(pages)) delete pages[path];
      Object.assign(pages, pagesOfCurrent());
    },
    /** Takes what changed. */
    noteQueue(queue: QueueMetrics): void {
      metrics = { ...metrics, queue: { ...metrics.queue, ...queue } };
    },
    pages,
    /** Resolves when the files contain everything noted so far. */
    written: () => writing,
  };
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
  const spaces = ended.map(({ space: name, config }) => ({ name, config }));
  const nowMs = Date.now();
  const status = await openStatus(context, spaces, flags);
  for (const one of ended) status.take(eventOf(one, nowMs));
  for (const { name } of spaces) await status.noteKept(name);
  return status.write();
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

/** How old the copy is. Unknown in an unreadable folder: a sync fails because of it, or repairs it. */
function freshnessOf({ name, config }: ToldSpace): Promise<SpaceFreshness> {
  const { maxAgeMs } = config.schedule;
  return readFreshness(openOutput(config.output), name, maxAgeMs).catch(() => unknownFreshness(name, maxAgeMs));
}

const unexpected: Problem = { code: "UNEXPECTED", message: "", hint: "" };

/** The commit that the build noted; undefined if it was made outside a checkout. */
function builtCommit(): string | undefined {
  try {
    const text = packageFile("dist/commit").trim();
    return /^[0-9a-f]{40,64}$/.test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}
