import type { Config } from "../config/config.js";
import { countProblems, errorCodes, type Problem } from "../lib/errors.js";
import { printable } from "../lib/printable.js";
import type { CommandContext } from "./context.js";

/** Why a command that did its work ends with an exit code other than 0. */
export interface ExitCause {
  exitCode: number;
  /** What causes it: at least one problem. */
  problems: readonly Problem[];
}

/** Codes that are warnings by themselves; with `--strict` they fail a sync. */
const strictCodes = new Set<Problem["code"]>([
  "RELATION_DANGLING",
  "LINK_DEAD",
  "ASSET_GONE",
  "ASSET_FAILED",
  "RECORD_UNUSABLE",
]);

/** Codes that fail a sync, which has committed all the same. */
const failingCodes = new Set<Problem["code"]>(["CONTENT_BLOCKED", "TYPES_BLOCKED", "HOOK_FAILED", "HOOK_TIMED_OUT"]);

/**
 * The problems that make a sync end with exit code 3: blocked content files or types; consumers whose command failed; with
 * `assets.onFailure: fail` assets that could not be fetched; with `--strict` every reference to something that is
 * not there, and every record that cannot be used.
 *
 * @returns undefined where there are none
 */
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

/**
 * Prints why the exit code is not 0, as the last line of a command, with `--quiet` too: the message of the first
 * problem, how many more there are, their codes, and what to do. That nothing changed is no problem, so a scheduled
 * `sync --quiet --exit-code` prints nothing then.
 */
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

/**
 * How bad the exit codes are that a command may end with, the worst first: what was ended from outside, a fault of this
 * program, what a person has to put right (usage and configuration, damage, a refused token, a full disk), what may pass by
 * itself (the upstream, a safety stop, another process), what was done but not whole, success. That nothing changed is told
 * where it holds for every space.
 */
export const exitCodesByBadness: readonly number[] = [130, 143, 1, 2, 7, 4, 12, 5, 6, 11, 3, 10, 0, 9];

/** The worst of some exit codes; 0 for none. A code that is not known here counts as the worst. */
export function worstExitCode(codes: readonly number[]): number {
  const [first, ...others] = codes;
  const badness = (code: number) => exitCodesByBadness.indexOf(code);
  return others.reduce((worst, code) => (badness(code) < badness(worst) ? code : worst), first ?? 0);
}
