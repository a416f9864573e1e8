import type { Config } from "../config/config.js";
import { countProblems, type ErrorCode, errorCodes, type Problem } from "../lib/errors.js";
import { printable } from "../lib/printable.js";
import type { SyncReport } from "../sync/report.js";
import type { CommandContext } from "./context.js";
import { toldMessage } from "./told-problems.js";

export interface ExitCause {
  exitCode: number;
  /** The causes, at least one. */
  problems: readonly Problem[];
}

const strictCodes = new Set<ErrorCode>([
  "RELATION_DANGLING",
  "LINK_DEAD",
  "ASSET_GONE",
  "ASSET_FAILED",
  "RECORD_UNUSABLE",
]);
const hookCodes: readonly ErrorCode[] = ["HOOK_FAILED", "HOOK_TIMED_OUT"];
/** These fail a sync although it has committed. */
const failingCodes = new Set<ErrorCode>(["CONTENT_BLOCKED", "TYPES_BLOCKED", ...hookCodes]);

/** Why a sync ends with exit code 3: blocked files, failed hooks, lost assets; with `--strict`, broken references. */
export function incompleteness(
  problems: readonly Problem[],
  { onFailure, strict = false }: { onFailure: Config["assets"]["onFailure"]; strict?: boolean | undefined },
): ExitCause | undefined {
  const fatal = problems.flatMap((problem): Problem[] => {
    if (failingCodes.has(problem.code)) return [problem];
    if (problem.code === "ASSET_FAILED" && onFailure === "fail") {
      return [{ ...problem, hint: `${problem.hint} Or accept it: assets.onFailure: keep.` }];
    }
    if (!strict || !strictCodes.has(problem.code)) return [];
    return [{ ...problem, hint: `${problem.hint} Or leave --strict out.`.trim() }];
  });
  return fatal.length === 0 ? undefined : { exitCode: errorCodes.CONTENT_BLOCKED.exit, problems: fatal };
}

export function syncExitCause(
  { outcome, problems }: Pick<SyncReport, "outcome" | "problems">,
  { assets: { onFailure } }: Pick<Config, "assets">,
  { strict, exitCode, dryRun }: { strict?: boolean; exitCode?: boolean; dryRun?: boolean } = {},
): ExitCause | undefined {
  const isHeld = problems.some(({ code }) => code === "HELD");
  if (outcome === "kept" && !isHeld) {
    const { exit } = errorCodes.UPSTREAM_INCONSISTENT;
    return { exitCode: exit, problems: problems.filter(({ code }) => errorCodes[code].exit === exit) };
  }
  // This sync neither caused nor could fix the problems of a held generation. Hooks may still fail.
  const own = isHeld ? problems.filter(({ code }) => hookCodes.includes(code)) : problems;
  const incomplete = incompleteness(own, { onFailure, strict });
  if (incomplete !== undefined) return incomplete;
  // Describes the space, not what was rendered or passed to consumers.
  const isSame = isHeld || outcome === "unchanged";
  return exitCode && isSame && !dryRun ? unchanged("The space did not change.") : undefined;
}

export function unchanged(message: string): ExitCause {
  const problem: Problem = { code: "UNCHANGED", message, hint: "--exit-code asks for this code." };
  return { exitCode: errorCodes.UNCHANGED.exit, problems: [problem] };
}

/** The last line, even with `--quiet`, unless nothing changed; none for one of many spaces. @returns the exit code */
export function printExitCause({ terminal, space }: CommandContext, cause: ExitCause | undefined): number {
  const { exitCode, problems } = cause ?? { exitCode: 0, problems: [] };
  const [first, ...others] = problems;
  const isFailure = exitCode !== errorCodes.UNCHANGED.exit;
  if (first === undefined || (!isFailure && space !== undefined)) return exitCode;
  const more = others.length === 0 ? "" : ` And ${countProblems(others)} more.`;
  const codes = [...new Set(problems.map(({ code }) => code))].join(", ");
  const hint = first.hint === "" ? "" : ` → ${first.hint}`;
  const mark = isFailure ? terminal.paint("red", "✖") : "=";
  const line = `${mark} Exit code ${exitCode}: ${printable(`${toldMessage(first)}${more} [${codes}]${hint}`)}`;
  if (isFailure) terminal.warn(line);
  else terminal.say(line);
  return exitCode;
}

/** Worst first: ended from outside, a bug, needs a person, may pass by itself, done in part, success, unchanged. */
export const exitCodesByBadness: readonly number[] = [130, 143, 1, 2, 7, 4, 12, 5, 6, 11, 3, 10, 0, 9];

/** The worst of some exit codes, 0 for none. An unknown code counts as the worst. */
export function worstExitCode(codes: readonly number[]): number {
  const [first, ...others] = codes;
  const badness = (code: number) => exitCodesByBadness.indexOf(code);
  return others.reduce((worst, code) => (badness(code) < badness(worst) ? code : worst), first ?? 0);
}
