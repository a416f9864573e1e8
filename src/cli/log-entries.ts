import type { NamedProblem } from "../content/names/name-problems.js";
import { countProblems, errorCodes } from "../lib/errors.js";
import { plural } from "../lib/quantity-text.js";
import type { RunEnded, WatchEvent } from "../watch/watch-event.js";
import type { LogEntry, LogLevel } from "./log-record.js";
import { groupBy } from "./report-failure.js";
import { toldMessage } from "./told-problems.js";
import { detailText, failedWith, runText, stopReason } from "./watch-text.js";

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
