import type { Config } from "../config/config.js";
import { countProblems, errorCodes, type Problem } from "../lib/errors.js";
import { printable } from "../lib/printable.js";
import type { CommandContext } from "./context.js";

/** Why a command that completed ends with an exit code other than 0. */
export interface ExitCause {
  exitCode: number;
  /** The causes, at least one. */
  problems: readonly Problem[];
}

/** Warnings that fail a sync with `--strict`. */
const strictCodes = new Set<Problem["code"]>([
  "RELATION_DANGLING",
  "LINK_DEAD",
  "ASSET_GONE",
  "ASSET_FAILED",
  "RECORD_UNUSABLE",
]);

/** These fail a sync, although it has committed. */
const failingCodes = new Set<Problem["code"]>(["CONTENT_BLOCKED", "TYPES_BLOCKED", "HOOK_FAILED", "HOOK_TIMED_OUT"]);

/** Why a sync ends with exit code 3: blocked files, failed hooks, lost assets; with `--strict`, broken references. */
export function incompleteness(
  problems: readonly Problem[],
  { onFailure, strict = false }: { onFailure: Config["assets"]["onFailure"]; strict?: boolean | undefined },
): ExitCause | undefined {
  const fatal = problems.flatMap((problem): Problem[] => {
    if (failingCodes.has(problem.code)) return [problem];
    if (problem.code === "ASSET_FAILED" && onFailure === "fail") return [acceptable(problem)];
    return strict && strictCodes.has(problem.code) ? [withoutStrict(problem)] : [];
  });
  return fatal.length === 0 ? undefined : { exitCode: errorCodes.CONTENT_BLOCKED.exit, problems: fatal };
}

function acceptable(problem: Problem): Problem {
  return { ...problem, hint: `${problem.hint} Or accept it: assets.onFailure: keep.` };
}

function withoutStrict(problem: Problem): Problem {
  return { ...problem, hint: `${problem.hint} Or leave --strict out.`.trim() };
}

/** Prints the exit code's cause as the last line, even with `--quiet`, unless it is that nothing changed. */
export function printExitCause({ terminal }: CommandContext, { exitCode, problems }: ExitCause): void {
  const [first, ...others] = problems;
  if (first === undefined) return;
  const isFailure = exitCode !== errorCodes.UNCHANGED.exit;
  const more = others.length === 0 ? "" : ` And ${countProblems(others)} more.`;
  const codes = [...new Set(problems.map(({ code }) => code))].join(", ");
  const hint = first.hint === "" ? "" : ` → ${first.hint}`;
  const mark = isFailure ? terminal.paint("red", "✖") : "=";
  const line = `${mark} Exit code ${exitCode}: ${printable(`${first.message}${more} [${codes}]${hint}`)}`;
  if (isFailure) terminal.warn(line);
  else terminal.say(line);
}

/** Worst first: ended from outside, a bug, needs a person, may pass by itself, done in part, success, unchanged. */
export const exitCodesByBadness: readonly number[] = [130, 143, 1, 2, 7, 4, 12, 5, 6, 11, 3, 10, 0, 9];

/** The worst of some exit codes, 0 for none. An unknown code counts as the worst. */
export function worstExitCode(codes: readonly number[]): number {
  const [first, ...others] = codes;
  const badness = (code: number) => exitCodesByBadness.indexOf(code);
  return others.reduce((worst, code) => (badness(code) < badness(worst) ? code : worst), first ?? 0);
}
