import { relative } from "node:path";
import type { Config } from "../config/config.js";
import { contentFolderOf, hasStoryFiles } from "../content/tree/content-folder.js";
import { errorCodes } from "../lib/errors.js";
import { printable } from "../lib/printable.js";
import { duration, grouped, plural, size } from "../lib/quantity-text.js";
import { differenceCountsText, editionText, movedText } from "../snapshot/story-differences.js";
import type { SyncPlan } from "../sync/crawl/plan.js";
import type { ReportedProblem, SyncReport } from "../sync/report.js";
import { demoSource } from "../sync/space-identity.js";
import type { CommandContext } from "./context.js";
import { entryLines, movedFolderText } from "./diff-lines.js";
import { nextSteps } from "./next-steps.js";
import { summarizedProblems, summarizeProblems } from "./report-failure.js";
import type { Style, Terminal } from "./terminal.js";

/** Prints new problems, changes and cost; ✔ only if `exitCode` is 0. For one of several spaces, a single line. */
export function printSummary(context: CommandContext, config: Config, report: SyncReport, exitCode: number): void {
  const { terminal } = context;
  printReported(context, report);
  if (report.plan !== undefined) {
    printPlan(terminal, report.plan, config.queue.prefer);
    return;
  }
  const outcome = `${outcomeMark(context, report, exitCode)} ${outcomeText(report)}`;
  if (context.space !== undefined) {
    terminal.say(`${outcome} ${costText(report)}`);
    return;
  }
  terminal.say(outcome);
  for (const line of storyChangesText(terminal, report)) terminal.say(line);
  terminal.say(`  ${costText(report)}`);
  const stages = stagesText(report);
  if (stages !== undefined) terminal.detail(stages);
  const known = report.problems.filter(({ isNew }) => !isNew).length;
  if (known > 0 && !terminal.verbose) {
    terminal.say(
      `  ${plural(known, "known problem")}: \`offprint status --verbose\` lists ${known === 1 ? "it" : "them"}.`,
    );
  }
  const contentFolder = hasStoryFiles(config)
    ? relative(context.workingFolder(), contentFolderOf(config)) || "."
    : undefined;
  const isDemo = config.source.url === demoSource;
  for (const step of nextSteps({ report, contentFolder, isDemo, isInBuild: isInBuild(context.env) }))
    terminal.say(`  ${step}`);
}

/** True in `prebuild` and the like, and in the build itself: Hugo has no other place for a sync. */
function isInBuild({ npm_lifecycle_event = "" }: CommandContext["env"]): boolean {
  return /^(pre)?(build|dev|start)/.test(npm_lifecycle_event);
}

/** Prints the problems that the previous run did not report. With `--verbose`, all. */
function printReported(context: CommandContext, report: SyncReport): void {
  const { outcome, problems } = report;
  const isHeld = problems.some(({ code }) => code === "HELD");
  const style = outcome === "kept" && !isHeld ? "red" : "yellow";
  summarizeProblems(context, reportedProblems(context, report), style, { shownOfEach: shownOfEach(report) });
}

/** The problems that {@link printSummary} prints. */
export function shownProblems(context: CommandContext, report: SyncReport): ReportedProblem[] {
  return summarizedProblems(context, reportedProblems(context, report), shownOfEach(report));
}

function reportedProblems({ terminal }: CommandContext, { problems }: SyncReport): ReportedProblem[] {
  return terminal.verbose ? problems : problems.filter(({ isNew }) => isNew);
}

function shownOfEach({ outcome, problems, stories }: SyncReport): number {
  const isFirst = outcome === "committed" && stories.added === stories.total && problems.every(({ isNew }) => isNew);
  return isFirst ? 2 : 10;
}

function outcomeMark({ terminal }: CommandContext, { outcome }: SyncReport, exitCode: number): string {
  if (outcome === "kept" || exitCode === errorCodes.UNCHANGED.exit) return terminal.paint("green", "=");
  return exitCode === 0 ? terminal.paint("green", "✔") : terminal.paint("yellow", "!");
}

function outcomeText({ outcome, generation, cv, consistency, stories, content }: SyncReport): string {
  const at = cv === null ? "" : ` at cv ${cv}`;
  if (outcome === "kept") return `Kept generation ${generation}.`;
  const files =
    content.written + content.removed > 0
      ? ` Content: ${plural(content.written, "file")} written, ${content.removed} removed.`
      : "";
  if (outcome === "unchanged") return `Unchanged: generation ${generation} (${consistency})${at}.${files}`;
  const changes = differenceCountsText(stories);
  return `Generation ${generation} (${consistency})${at}: ${plural(stories.total, "story", "stories")}, ${changes}.${files}`;
}

function costText({ requests, assets, durationMs }: SyncReport): string {
  const full = requests.fullCrawlWouldCost;
  const saved = full === null || full <= requests.total ? "" : ` (${grouped(full - requests.total)} saved)`;
  const retried = requests.retried > 0 ? `, ${requests.retried} of them again` : "";
  const limited = requests.rateLimited > 0 ? `, ${requests.rateLimited} answered 429` : "";
  const fetched =
    assets === null || assets.downloaded === 0 ? "" : `, ${plural(assets.downloaded, "asset")} (${size(assets.bytes)})`;
  return `${plural(requests.total, "request")}${retried}${limited}${saved}, ${size(requests.bytes)}${fetched}, ${duration(durationMs)}`;
}

function stagesText({ stagesMs, durationMs }: SyncReport): string | undefined {
  const slow = Object.entries(stagesMs).filter(([, ms]) => ms >= 50 && ms >= durationMs / 50);
  return slow.length < 2 ? undefined : `  ${slow.map(([stage, ms]) => `${stage} ${duration(ms)}`).join(", ")}`;
}

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

const styles: Readonly<Record<SyncReport["changes"][number]["kind"], Style>> = {
  added: "green",
  changed: "yellow",
  moved: "cyan",
  removed: "red",
};

/** A line for each changed story, folder or entry: what happened, to what, and the editions if only some changed. */
function storyChangesText({ paint }: Terminal, { changes, stories, entries }: SyncReport): string[] {
  const lines = changes.map(({ kind, onlyIn, stories: inFolder, ...story }) => {
    const editions = onlyIn.length === 0 ? "" : ` (${onlyIn.map(editionText).join(", ")} only)`;
    const what = inFolder === undefined ? movedText(story) : movedFolderText(story, inFolder);
    return `  ${paint(styles[kind], kind.padEnd(7))}  ${printable(what + editions)}`;
  });
  const named = changes.reduce((sum, { stories: inFolder = 1 }) => sum + inFolder, 0);
  for (const line of entryLines(entries.changes)) lines.push(`  ${paint(line.style, "entry".padEnd(7))}  ${line.text}`);
  const more = stories.added + stories.changed + stories.removed - named + entries.total - entries.changes.length;
  if (lines.length > 0 && more > 0)
    lines.push(`  and ${plural(more, "more", "more")}: \`offprint diff\` lists them all`);
  return lines;
}
