import { countProblems, type ErrorCode } from "../lib/errors.js";
import { printable } from "../lib/printable.js";
import { duration, plural, timeText } from "../lib/quantity-text.js";
import { differenceCountsText } from "../snapshot/story-differences.js";
import type { RunEnded, RunReason, WatchEvent } from "../watch/watch-event.js";
import type { CommandContext } from "./context.js";
import { printProblems, summarizeProblems } from "./report-failure.js";

/** Prints each run that ended; other events with `--verbose`. Repeats why a run failed only if the reason changed. */
export function eventPrinter(contextOf: (space: string | undefined) => CommandContext): (event: WatchEvent) => void {
  const failures = new Map<string, string>();
  return (event) => {
    const context = contextOf(event.space);
    if (event.kind === "run-ended") {
      const failure = event.outcome === "failed" ? JSON.stringify(event.problems) : "";
      const isRepeated = failure !== "" && failures.get(event.space) === failure;
      failures.set(event.space, failure);
      printRun(context, event, isRepeated);
    } else if (event.kind === "expectation" && event.problem !== undefined) {
      printProblems(context, [event.problem], "yellow");
    } else if (event.kind === "standing-by" || event.kind === "took-over") {
      context.terminal.say(lineOf(event, detailText(event)));
    } else if (event.kind === "parked") {
      context.terminal.warn(`${context.terminal.paint("yellow", "!")} ${lineOf(event, detailText(event))}`);
    } else context.terminal.detail(lineOf(event, detailText(event)));
  };
}

/** The event as JSON. Problems that the previous run had are only counted: there may be hundreds, each minute. */
export function eventDocument(event: WatchEvent): object {
  if (event.kind !== "run-ended" || event.report === undefined) return event;
  const { problems, ...report } = event.report;
  const known = problems.filter(({ isNew }) => !isNew);
  return { ...event, report, problems: problems.filter(({ isNew }) => isNew), knownProblems: countProblems(known) };
}

function lineOf({ atMs }: WatchEvent, text: string): string {
  return printable(`${timeText(atMs)} ${text}`);
}

export function detailText(event: Exclude<WatchEvent, RunEnded>): string {
  switch (event.kind) {
    case "run-started":
      return `${reasonsText(event.reasons)} …`;
    case "webhook":
      return ["webhook", event.event, event.result].filter((word) => word !== undefined).join(" ");
    case "expectation":
      return `the upstream shows it after ${duration(event.waitedMs)}, ${plural(event.probes, "probe")}`;
    case "standing-by":
      return event.holder === null
        ? "standing by: the lease cannot be read"
        : `standing by: ${event.holder.host} (${event.holder.pid}) works`;
    case "took-over":
      return "has the lease, and works";
    case "parked": {
      const next = event.nextAtMs === null ? "" : `, next try ${timeText(event.nextAtMs)}`;
      return `parked: refused since ${timeText(event.sinceMs)} [${event.code}]${next}. \`offprint resume ${event.space}\` tries at once`;
    }
    case "hook":
      return `${event.consumer} ${event.result} for generation ${event.to}, ${duration(event.durationMs)}`;
  }
}

function printRun(context: CommandContext, run: RunEnded, isRepeated: boolean): void {
  const { terminal } = context;
  const text = `${markOf(context, run)} ${lineOf(run, runText(run, isRepeated))}`;
  // Another process is at work, which is normal if several watch one space.
  if (failedWith(run, "LOCKED")) {
    terminal.detail(text);
    return;
  }
  const isStopped = stopReason(run) !== undefined;
  const isWrong = run.exitCode !== 0 && !isStopped;
  if (isWrong) terminal.warn(text);
  else terminal.say(text);
  if (isStopped || isRepeated) return;
  const fresh = run.report?.problems.filter(({ isNew }) => isNew) ?? run.problems;
  const isFirst = run.report?.generation === 1 && run.outcome === "committed";
  summarizeProblems(context, fresh, isWrong ? "red" : "yellow", isFirst ? {} : { shownOfEach: 10 });
}

/** `schedule: unchanged, generation 4 (1 request, 0.1 s), next 2026-11-22T20:15:04Z` */
export function runText(run: RunEnded, isRepeated = false): string {
  const outcome = `${outcomeText(run)}${isRepeated ? ", as before" : ""}`;
  const next = run.nextAtMs === null ? ", no next turn" : `, next ${timeText(run.nextAtMs)}`;
  // The process is ending, so it has no next turn.
  return `${reasonsText(run.reasons) || "taking the lease"}: ${outcome}${stopReason(run) === undefined ? next : ""}`;
}

export function failedWith({ outcome, problems }: RunEnded, code: ErrorCode): boolean {
  return outcome === "failed" && problems.some((problem) => problem.code === code);
}

function markOf({ terminal }: CommandContext, run: RunEnded): string {
  const { outcome, exitCode } = run;
  if (stopReason(run) !== undefined) return terminal.paint("yellow", "!");
  if (exitCode !== 0) return terminal.paint("red", "✖");
  return terminal.paint("green", outcome === "committed" ? "✔" : "=");
}

export function stopReason(run: RunEnded): string | undefined {
  const kept = "what was read is kept for the next sync";
  if (failedWith(run, "TERMINATED")) return `SIGTERM came, and ${kept}`;
  return failedWith(run, "INTERRUPTED") ? `SIGINT came, and ${kept}` : undefined;
}

function outcomeText(run: RunEnded): string {
  const { outcome, report, durationMs } = run;
  const reason = stopReason(run);
  if (reason !== undefined) return `stopped after ${duration(durationMs)}: ${reason}`;
  if (report === undefined) return `failed after ${duration(durationMs)}`;
  const { generation, stories, requests } = report;
  const cost = `${plural(requests.total, "request")}, ${duration(durationMs)}`;
  if (outcome !== "committed") return `${outcome}, generation ${generation ?? "none"} (${cost})`;
  return `generation ${generation}, ${differenceCountsText(stories)} (${cost})`;
}

/** `webhook published 4711, webhook moved 12`, `schedule`. */
function reasonsText(reasons: readonly RunReason[]): string {
  return reasons.map((reason) => (reason.kind === "webhook" ? `webhook ${reason.event}` : reason.kind)).join(", ");
}
