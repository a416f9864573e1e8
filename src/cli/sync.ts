import type { Config } from "../config/config.js";
import type { Fleet, SpaceConfig } from "../config/load/fleet.js";
import { errorCodes, isOffprintError, OffprintError, type Problem } from "../lib/errors.js";
import { plural } from "../lib/quantity-text.js";
import type { Manifest } from "../snapshot/manifest.js";
import type { Store } from "../snapshot/store/store.js";
import { fallBack } from "../sync/fall-back.js";
import type { ReportedProblem, SyncReport } from "../sync/report.js";
import { demoSource } from "../sync/space-identity.js";
import { sync } from "../sync/sync.js";
import type { SyncOptions } from "../sync/sync-options.js";
import { tracedSync } from "../watch/telemetry/trace-sync.js";
import { noRequests, requestsAfter } from "../watch/watch-event.js";
import { handOverToConsumers } from "./consumers.js";
import type { CommandContext } from "./context.js";
import { debugged } from "./debug-progress.js";
import { printExitCause, syncExitCause } from "./exit-cause.js";
import { forEachSpace } from "./for-each-space.js";
import { beginGithubOutput, writeGithubOutput } from "./github-output.js";
import { leanStart } from "./lean-start.js";
import { sayDemoHint } from "./next-steps.js";
import { openDemo } from "./open-demo.js";
import type { EndedSync, StatusFileFlags } from "./open-status.js";
import { printProblems } from "./report-failure.js";
import { openNotedOutput } from "./space-session.js";
import { syncProgress } from "./sync-progress.js";
import { printSummary, shownProblems } from "./sync-summary.js";
import { nameTold } from "./told-problems.js";

export interface SyncFlags extends StatusFileFlags {
  full?: boolean;
  dryRun?: boolean;
  exitCode?: boolean;
  strict?: boolean;
  allowStale?: number;
  forceRemove?: boolean;
  replace?: boolean;
}

export async function runSync(context: CommandContext, flags: SyncFlags): Promise<number> {
  const openAgent = leanStart();
  const fleet = await context.spaces();
  const tellAll = async (all: readonly EndedSync[]): Promise<Problem[]> => {
    if (flags.dryRun === true || (flags.metricsFile ?? flags.statusFile) === undefined) return [];
    return (await import("./open-status.js")).tellStatus(context, flags, all);
  };
  const [first] = fleet.spaces;
  if (!fleet.isFleet && first !== undefined) {
    return syncSpace(context, flags, { space: first, openAgent, tell: (one) => tellAll([one]) });
  }
  checkOverrides(context, flags, fleet);
  if (!flags.dryRun) await beginGithubOutput(context.env);
  const ended = new Map<string, EndedSync>();
  const tell: Tell = async (one) => {
    ended.set(one.space, one);
    return [];
  };
  const exitCode = await forEachSpace(context, fleet, "sync", (own, space, admit) =>
    syncSpace(own, flags, { space, openAgent, admit, tell }),
  );
  // Some ended before they began: by a signal, or because their demo space could not be started.
  const unbegun = { error: context.signal.reason, durationMs: 0 };
  await tellAll(fleet.spaces.map(({ name, config }) => ended.get(name) ?? { space: name, config, ...unbegun }));
  return exitCode;
}

function checkOverrides({ flags: { space = [] } }: CommandContext, flags: SyncFlags, { spaces }: Fleet): void {
  const flag = flags.forceRemove ? "--force-remove" : flags.replace ? "--replace" : undefined;
  if (flag === undefined || space.length > 0 || spaces.length === 1) return;
  throw new OffprintError("USAGE", `${flag} would apply to all ${spaces.length} spaces.`, {
    hint: "Name the intended spaces with --space.",
  });
}

interface SpaceSync extends Pick<SyncOptions, "openAgent" | "admit"> {
  space: SpaceConfig;
  tell: Tell;
}

/** Receives how a sync ended, for the status files. @returns problems of writing them */
type Tell = (ended: EndedSync) => Promise<Problem[]>;

async function syncSpace(
  context: CommandContext,
  flags: SyncFlags,
  { space: { name: space, config }, openAgent, admit, tell: tellOf }: SpaceSync,
): Promise<number> {
  const startedMs = performance.now();
  const tell: Concluded["tell"] = (ended) =>
    tellOf({ ...ended, space, config, durationMs: performance.now() - startedMs });
  // A demo space is served from memory, so no more of them run than spaces are read at a time.
  if (config.source.url === demoSource) await admit?.();
  const demo = await openDemo(context, config);
  const noted = openNotedOutput(context, config);
  const progress = syncProgress(context.terminal, { showsStages: context.space === undefined });
  let requests = noRequests;
  const onProgress = debugged((told) => {
    requests = requestsAfter(requests, told);
    progress.onProgress(told);
  }, context);
  try {
    if (demo !== undefined && context.space === undefined) {
      context.terminal.say(`Reading the demo space. ${demo.toLeave}`);
    }
    const options: SyncOptions = {
      config,
      output: noted.output,
      source: demo && { url: demo.url, hostMap: demo.assetHosts },
      full: flags.full,
      dryRun: flags.dryRun,
      forceRemove: flags.forceRemove,
      replace: flags.replace,
      env: context.env,
      openAgent,
      admit,
      signal: context.signal,
    };
    const ended = await tracedSync({
      space,
      version: context.version,
      onProgress,
      run: (onProgress) => noted.noting(() => sync({ ...options, onProgress })),
    }).then(
      (report) => ({ report }),
      (error: unknown) => ({ error }),
    );
    progress.end();
    if ("report" in ended)
      return await conclude(context, { space, flags, config, report: ended.report, store: noted.output.store, tell });
    printProblems(context, noted.take(), "yellow");
    await tell({ ...ended, requests });
    const stale = await staleReport(context, flags, config, ended.error);
    if (stale === undefined) throw withStaged(context, ended.error, progress.stagedStories());
    return stale;
  } finally {
    await demo?.close();
  }
}

/** Adds to an error's hint how many stories the next sync need not read again. */
function withStaged({ signal }: CommandContext, thrown: unknown, stories: number | undefined): unknown {
  const error = signal.aborted && isOffprintError(signal.reason) ? signal.reason : thrown;
  if (!isOffprintError(error) || stories === undefined || error.problems.length > 0) return thrown;
  const kept =
    stories === 0
      ? "Nothing was stored yet: the next sync starts over."
      : `The next sync resumes: ${plural(stories, "story is", "stories are")} kept.`;
  return new OffprintError(error.code, error.message, { hint: `${error.hint} ${kept}`.trim(), cause: thrown });
}

interface Concluded {
  space: string;
  flags: SyncFlags;
  config: Config;
  report: SyncReport;
  store: Store;
  tell(ended: Pick<EndedSync, "report" | "error" | "requests" | "exitCode">): Promise<Problem[]>;
}

async function conclude(context: CommandContext, concluded: Concluded): Promise<number> {
  const { space, flags, config, store, tell } = concluded;
  const stops = syncExitCause(concluded.report, config, flags);
  const own = stops?.exitCode ?? 0;
  const told = [
    ...shownProblems(context, concluded.report),
    ...concluded.report.problems.filter(({ message }) => message === stops?.problems[0]?.message),
  ];
  const named = await nameTold(context, { store, config }, concluded.report.problems, told);
  const report = { ...concluded.report, problems: named };
  printSummary(context, config, report, own);
  if (context.space === undefined) sayDemoHint(context, config, report);
  if (!flags.dryRun) await writeGithubOutput(context.env, report, context.space);
  // As `offprint sync && npm run build` would. Outstanding changes stay outstanding.
  const isWhole = own === 0 || own === errorCodes.UNCHANGED.exit;
  const consumers = isWhole && !flags.dryRun ? await handOverToConsumers(context, config, { space }) : [];
  const problems = [...report.problems, ...consumers.flatMap((one) => one.problems.map(asNew))];
  const cause = syncExitCause({ ...report, problems }, config, flags);
  const exitCode = cause?.exitCode ?? 0;
  const isKept = exitCode === errorCodes.UPSTREAM_INCONSISTENT.exit;
  const stale = isKept ? await staleGeneration(context, flags, config) : undefined;
  const untold = await tell({ report: { ...report, problems }, exitCode: stale === undefined ? exitCode : 0 });
  const reported = { ...report, problems: [...problems, ...untold.map(asNew)] };
  context.terminal.document({ ...reported, ...(consumers.length > 0 ? { consumers } : {}) });
  if (stale === undefined) return printExitCause(context, cause);
  context.terminal.say(`Using stale generation ${stale.generation} (--allow-stale).`);
  return 0;
}

/** A hook that fails again is news each time. */
function asNew(problem: Problem): ReportedProblem {
  return { ...problem, isNew: true };
}

/** With `--allow-stale`, an unreadable upstream is only a warning if the copy was confirmed within that time. */
async function staleReport(
  context: CommandContext,
  flags: SyncFlags,
  config: Config,
  error: unknown,
): Promise<number | undefined> {
  if (!isOffprintError(error) || (error.exitCode !== 5 && error.exitCode !== 6)) return undefined;
  const manifest = await staleGeneration(context, flags, config);
  if (manifest === undefined) return undefined;
  const { generation, cv, level: consistency } = manifest;
  const problems = [error.toProblem()];
  printProblems(context, problems, "yellow");
  context.terminal.document({ schema: 1, outcome: "kept", generation, cv, consistency, problems });
  context.terminal.say(`Using stale generation ${generation} (--allow-stale).`);
  return 0;
}

async function staleGeneration(
  { terminal }: CommandContext,
  { allowStale, dryRun }: SyncFlags,
  config: Config,
): Promise<Manifest | undefined> {
  if (allowStale === undefined || dryRun === true) return undefined;
  const found = await fallBack(config, allowStale);
  if (typeof found !== "string") return found;
  terminal.say(`--allow-stale does not apply: ${found}.`);
  return undefined;
}
