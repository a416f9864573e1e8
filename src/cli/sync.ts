import { relative } from "node:path";
import { setFlagsFromString } from "node:v8";
import type { Config } from "../config/config.js";
import type { SyncPlan } from "../crawl/plan.js";
import { errorCodes, isOffprintError, type Problem } from "../errors.js";
import { contentFolderOf } from "../export/content-folder.js";
import type { Manifest } from "../snapshot/manifest.js";
import { fallBack } from "../sync/fall-back.js";
import type { SyncReport } from "../sync/report.js";
import { type SyncOptions, sync } from "../sync.js";
import type { CommandContext } from "./context.js";
import { sayDemoHint } from "./demo-hint.js";
import { openDemo } from "./open-demo.js";
import { duration, grouped, plural, size } from "./quantity-text.js";
import { printProblems, summarizeProblems } from "./report-failure.js";
import { syncProgress } from "./sync-progress.js";
import type { Terminal } from "./terminal.js";

export interface SyncFlags {
  full?: boolean;
  dryRun?: boolean;
  exitCode?: boolean;
  strict?: boolean;
  /** Milliseconds. */
  allowStale?: number;
  forceRemove?: boolean;
  replace?: boolean;
}

/**
 * So much more than what is in use may wait to be collected, in percent: left alone, V8 lets a sync hold three times what
 * it needs. Of few stories that is little, and collecting more often would cost more than it saves.
 */
const heapGrowth = { usual: 75, manyStories: 50 };
const manyStories = 25_000;

/** `offprint sync` */
export async function runSync(context: CommandContext, flags: SyncFlags): Promise<number> {
  setFlagsFromString(`--heap-growing-percent=${heapGrowth.usual}`);
  const config = await context.config();
  const demo = await openDemo(config);
  const progress = syncProgress(context.terminal);
  try {
    if (demo !== undefined)
      context.terminal.say("Reading the demo space. Set OFFPRINT_URL and OFFPRINT_TOKEN to read your own.");
    const report = await sync(syncOptions(context, flags, config, progress.onProgress, demo));
    progress.end();
    return await conclude(context, flags, config, report);
  } catch (error) {
    progress.end();
    const stale = await staleReport(context, flags, config, error);
    if (stale === undefined) throw error;
    return stale;
  } finally {
    await demo?.close();
  }
}

function syncOptions(
  context: CommandContext,
  flags: SyncFlags,
  config: Config,
  onProgress: NonNullable<SyncOptions["onProgress"]>,
  demo: Awaited<ReturnType<typeof openDemo>>,
): SyncOptions {
  return {
    config,
    ...(demo === undefined ? {} : { source: { url: demo.url, hostMap: demo.assetHosts } }),
    full: flags.full === true,
    dryRun: flags.dryRun === true,
    forceRemove: flags.forceRemove === true,
    replace: flags.replace === true,
    env: process.env,
    signal: context.signal,
    onProgress(progress) {
      if (progress.kind === "plan" && progress.stories >= manyStories) {
        setFlagsFromString(`--heap-growing-percent=${heapGrowth.manyStories}`);
      }
      onProgress(progress);
    },
  };
}

async function conclude(
  context: CommandContext,
  flags: SyncFlags,
  config: Config,
  report: SyncReport,
): Promise<number> {
  printSummary(context, config, report);
  sayDemoHint(context, config, report);
  const exitCode = exitCodeOf(report, flags);
  const stale = exitCode === 6 ? await staleGeneration(flags, config) : undefined;
  context.terminal.document(report);
  return stale === undefined ? exitCode : 0;
}

/** Codes that are warnings by themselves, and with `--strict` make the content incomplete. */
const strictCodes = new Set<Problem["code"]>(["RELATION_DANGLING", "LINK_DEAD", "ASSET_GONE"]);

function exitCodeOf(report: SyncReport, flags: SyncFlags): number {
  const codes = report.problems.map(({ code }) => code);
  if (codes.includes("HELD")) return flags.exitCode ? errorCodes.UNCHANGED.exit : 0;
  if (report.outcome === "kept") return errorCodes.UPSTREAM_INCONSISTENT.exit;
  if (codes.includes("ASSET_FAILED") || codes.includes("CONTENT_BLOCKED")) return errorCodes.ASSET_FAILED.exit;
  if (flags.strict && codes.some((code) => strictCodes.has(code))) return errorCodes.ASSET_FAILED.exit;
  const nothingDone = report.outcome === "unchanged" && report.content.written + report.content.removed === 0;
  return flags.exitCode && nothingDone && !flags.dryRun ? errorCodes.UNCHANGED.exit : 0;
}

/** With `--allow-stale`, an upstream that cannot be read is a warning while what is here was confirmed lately. */
async function staleReport(
  context: CommandContext,
  flags: SyncFlags,
  config: Config,
  error: unknown,
): Promise<number | undefined> {
  if (!isOffprintError(error) || (error.exitCode !== 5 && error.exitCode !== 6)) return undefined;
  const manifest = await staleGeneration(flags, config);
  if (manifest === undefined) return undefined;
  printProblems(context, [error.toProblem()], "yellow");
  context.terminal.say(`Going on with generation ${manifest.generation}, as --allow-stale permits.`);
  context.terminal.document({
    schema: 1,
    outcome: "kept",
    generation: manifest.generation,
    cv: manifest.cv,
    consistency: manifest.level,
    problems: [error.toProblem()],
  });
  return 0;
}

async function staleGeneration({ allowStale, dryRun }: SyncFlags, config: Config): Promise<Manifest | undefined> {
  return allowStale === undefined || dryRun === true ? undefined : fallBack(config, allowStale);
}

function printSummary({ terminal, ...context }: CommandContext, config: Config, report: SyncReport): void {
  const isHeld = report.problems.some(({ code }) => code === "HELD");
  const style = report.outcome === "kept" && !isHeld ? "red" : "yellow";
  const repairs = report.problems.filter(({ code }) => code === "SNAPSHOT_DAMAGED");
  if (report.outcome === "unchanged" && report.content.written === 0) {
    summarizeProblems({ terminal, ...context }, repairs, style);
    countProblems(
      terminal,
      report.problems.filter((problem) => !repairs.includes(problem)),
    );
  } else {
    summarizeProblems({ terminal, ...context }, report.problems, style);
  }
  if (report.plan !== undefined) {
    printPlan(terminal, report.plan, config.queue.prefer);
    return;
  }
  terminal.say(`${terminal.paint("green", report.outcome === "kept" ? "=" : "✔")} ${outcomeText(report)}`);
  terminal.say(costText(report));
  const stages = stagesText(report);
  if (stages !== undefined) terminal.say(stages);
  if (report.outcome === "committed" || report.content.written > 0) {
    const shown = (dir: string) => relative(process.cwd(), dir) || ".";
    terminal.say(`  Look at ${shown(contentFolderOf(config))}, or serve it: offprint serve`);
  }
}

/** What is the same as at the last run is not told again. */
function countProblems(terminal: Terminal, problems: readonly Problem[]): void {
  if (problems.length > 0) terminal.say(`${plural(problems.length, "known problem")}: \`offprint status\` lists them.`);
}

function outcomeText({ outcome, generation, cv, consistency, stories, content }: SyncReport): string {
  const at = cv === null ? "" : ` at cv ${cv}`;
  if (outcome === "kept") return `Kept generation ${generation}.`;
  const files =
    content.written + content.removed > 0
      ? ` Content: ${plural(content.written, "file")} written, ${content.removed} removed.`
      : "";
  if (outcome === "unchanged") return `Unchanged: generation ${generation} (${consistency})${at}.${files}`;
  const { total, added, changed, removed, moved } = stories;
  const changes = [
    `${added} added`,
    `${changed} changed`,
    `${removed} removed`,
    ...(moved > 0 ? [`${moved} moved`] : []),
  ];
  return `Generation ${generation} (${consistency})${at}: ${plural(total, "story", "stories")}, ${changes.join(", ")}.${files}`;
}

function costText({ requests, assets, durationMs }: SyncReport): string {
  const full = requests.fullCrawlWouldCost;
  const saved = full === null || full <= requests.total ? "" : ` (${grouped(full - requests.total)} saved)`;
  const retried = requests.retried > 0 ? `, ${requests.retried} of them again` : "";
  const limited = requests.rateLimited > 0 ? `, ${requests.rateLimited} answered 429` : "";
  const fetched =
    assets === null || assets.downloaded === 0 ? "" : `, ${plural(assets.downloaded, "asset")} (${size(assets.bytes)})`;
  return `  ${plural(requests.total, "request")}${retried}${limited}${saved}, ${size(requests.bytes)}${fetched}, ${duration(durationMs)}`;
}

/** Where the time went, as far as it is worth a word. */
function stagesText({ stagesMs, durationMs }: SyncReport): string | undefined {
  const told = Object.entries(stagesMs).filter(([, ms]) => ms >= 50 && ms >= durationMs / 50);
  return told.length < 2 ? undefined : `  ${told.map(([stage, ms]) => `${stage} ${duration(ms)}`).join(", ")}`;
}

/** Both ways to spend, item by item. */
function printPlan(terminal: Terminal, plan: SyncPlan, configured: Config["queue"]["prefer"]): void {
  const [first, second] = plan.ways;
  const same = JSON.stringify(first?.items) === JSON.stringify(second?.items);
  for (const way of same ? plan.ways.slice(0, 1) : plan.ways) {
    const chosen = way.prefer === configured ? ", as configured" : "";
    const name = same ? "Either way" : `queue.prefer: ${way.prefer}${chosen}`;
    terminal.say(`${name}: ${plural(way.storiesPerRequest, "story", "stories")} a request`);
    for (const { what, requests } of way.items) terminal.say(`  ${grouped(requests).padStart(8)}  ${what}`);
    const least = way.leastMs === null ? "without a rate limit" : `at least ${duration(way.leastMs)} by the rate limit`;
    terminal.say(`  ${grouped(way.requests).padStart(8)}  requests, ${least}`);
  }
  for (const { version, added, changed, vanished, kept } of plan.changes) {
    terminal.say(`${version}: ${added} new, ${changed} changed, ${vanished} gone, ${kept} as before`);
  }
  const { requests, fullCrawlWouldCost } = plan;
  terminal.say(
    `This sync takes ${plural(requests, "request")}; reading everything would take ${grouped(fullCrawlWouldCost)}. Nothing was written.`,
  );
}
