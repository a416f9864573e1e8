import type { NamedProblem } from "../content/names/name-problems.js";
import { countProblems, type ErrorCode, errorCodes } from "../lib/errors.js";
import { printable } from "../lib/printable.js";
import { duration, plural, timeText } from "../lib/quantity-text.js";
import { differenceCountsText } from "../snapshot/story-differences.js";
import type { RunEnded, RunReason, WatchEvent } from "../watch/watch-event.js";
import type { CommandContext } from "./context.js";
import type { LogEntry, LogLevel } from "./log-record.js";
import { groupBy, printProblems, summarizeProblems } from "./report-failure.js";
import { toldMessage } from "./told-problems.js";

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

function detailText(event: Exclude<WatchEvent, RunEnded>): string {
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
function runText(run: RunEnded, isRepeated = false): string {
  const outcome = `${outcomeText(run)}${isRepeated ? ", as before" : ""}`;
  const next = run.nextAtMs === null ? ", no next turn" : `, next ${timeText(run.nextAtMs)}`;
  // The process is ending, so it has no next turn.
  return `${reasonsText(run.reasons) || "taking the lease"}: ${outcome}${stopReason(run) === undefined ? next : ""}`;
}

function failedWith({ outcome, problems }: RunEnded, code: ErrorCode): boolean {
  return outcome === "failed" && problems.some((problem) => problem.code === code);
}

function markOf({ terminal }: CommandContext, run: RunEnded): string {
  const { outcome, exitCode } = run;
  if (stopReason(run) !== undefined) return terminal.paint("yellow", "!");
  if (exitCode !== 0) return terminal.paint("red", "✖");
  return terminal.paint("green", outcome === "committed" ? "✔" : "=");
}

function stopReason(run: RunEnded): string | undefined {
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

/** What the log of `--log-format json` says of an event. Turns that change nothing are for debugging. Pure. */
export function logEntries(event: WatchEvent): LogEntry[] {
  if (event.kind === "run-ended") return runEntries(event);
  const { atMs, space } = event;
  if (event.kind === "expectation" && event.problem !== undefined) {
    return [{ level: "warn", atMs, space, ...problemFields(event.problem) }];
  }
  if (event.kind === "parked") return [{ level: "warn", atMs, space, code: event.code, message: detailText(event) }];
  const isNews = event.kind === "standing-by" || event.kind === "took-over";
  const run = "run" in event ? event.run : undefined;
  return [{ level: isNews ? "info" : "debug", atMs, space, run, message: detailText(event) }];
}

const shownOfEach = 10;

function runEntries(ended: RunEnded): LogEntry[] {
  const { atMs, space, run, exitCode, problems, report } = ended;
  const about = { atMs, space, run };
  const level = levelOf(ended);
  const cause = exitCode === 0 ? undefined : problems.find(({ code }) => errorCodes[code].exit === exitCode);
  const told = { ...about, level, code: cause?.code, message: runText(ended) };
  if (report === undefined) {
    const why = level === "info" || cause === undefined ? "" : `. ${cause.message}`;
    return [{ ...told, message: `${told.message}${why}`, hint: why === "" ? undefined : cause?.hint }];
  }
  const fresh = report.problems.filter(({ isNew }) => isNew);
  const found = groupBy(fresh, ({ code }) => code).flatMap((all): LogEntry[] => {
    const { code } = all[0]!;
    const of = { ...about, level: errorCodes[code].exit === 0 ? ("warn" as const) : ("error" as const) };
    const more = countProblems(all.slice(shownOfEach));
    const shown = all.slice(0, shownOfEach).map((one) => ({ ...of, ...problemFields(one) }));
    return more === 0 ? shown : [...shown, { ...of, code, message: `and ${plural(more, "more", "more")}` }];
  });
  return [told, ...found];
}

function levelOf(run: RunEnded): LogLevel {
  if (failedWith(run, "LOCKED")) return "debug";
  if (stopReason(run) !== undefined) return "info";
  if (run.exitCode !== 0) return "error";
  return run.outcome === "committed" ? "info" : "debug";
}

function problemFields(problem: NamedProblem): Pick<LogEntry, "code" | "message" | "hint"> {
  return { code: problem.code, message: toldMessage(problem), hint: problem.hint };
}
