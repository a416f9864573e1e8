import type { NamedProblem } from "../content/names/name-problems.js";
import { inMap } from "../lib/collections/in-map.js";
import {
  countProblems,
  isOffprintError,
  isOutOfFiles,
  messageOf,
  OffprintError,
  type Problem,
  tooManyOpenFiles,
} from "../lib/errors.js";
import { printable } from "../lib/printable.js";
import { grouped, plural } from "../lib/quantity-text.js";
import { redact } from "../lib/redact/redact.js";
import type { CommandContext } from "./context.js";
import { tellsEditor, toldMessage } from "./told-problems.js";

export function reportFailure(context: CommandContext, command: string, thrown: unknown): number {
  const error = failureOf(context, thrown);
  const problems = problemsOf(error);
  printProblems(context, problems, "red");
  if (error.code === "UNEXPECTED" && thrown instanceof Error) context.terminal.detail(printable(thrown.stack ?? ""));
  if (context.flags.json) {
    const safe = problems.map(({ code, message, hint }) => ({ code, message: redact(message), hint: redact(hint) }));
    const document = { schema: 1, command, outcome: "failed", exitCode: error.exitCode, problems: safe };
    // The document of a command that prints lines is one line.
    if (command === "watch") context.terminal.jsonLine(document);
    else context.terminal.document(document);
  }
  return error.exitCode;
}

export function problemsOf(error: OffprintError): readonly Problem[] {
  return error.problems.length > 0 ? error.problems : [error.toProblem()];
}

/** Returns the damage of a snapshot behind an unknown error, or the error itself. */
export async function explained(context: CommandContext, thrown: unknown): Promise<unknown> {
  if (isOffprintError(thrown)) return thrown;
  return (await import("./explain-failure.js")).explainedFailure(context, thrown);
}

export function failureOf(context: Pick<CommandContext, "signal">, thrown: unknown): OffprintError {
  const { aborted, reason } = context.signal;
  // A command may say more about its interruption than the reason of the signal does.
  if (aborted && isOffprintError(reason) && !isOffprintError(thrown, reason.code)) return reason;
  if (isOffprintError(thrown)) return thrown;
  if (isOutOfFiles(thrown)) return tooManyOpenFiles("The command could not go on", thrown);
  return new OffprintError("UNEXPECTED", `Something unexpected happened: ${messageOf(thrown)}`, {
    cause: thrown,
    hint: "Run the command again with --verbose, and report what it prints.",
  });
}

/** Prints problems in order, each with what to do. Neighbours of one kind share that line. */
export function printProblems(context: CommandContext, problems: readonly Problem[], style: "red" | "yellow"): void {
  const { terminal } = context;
  if (terminal.log !== undefined) {
    const level = style === "red" ? "error" : "warn";
    for (const one of problems) terminal.log({ level, code: one.code, message: toldMessage(one), hint: one.hint });
    return;
  }
  for (const [at, problem] of problems.entries()) {
    terminal.warn(problemLine(context, problem, style));
    const next = problems[at + 1];
    if (next === undefined || kindOf(next) !== kindOf(problem)) printHint(context, problem);
  }
}

/** What {@link summarizeProblems} prints: the first of each kind; with `--verbose`, all. */
export function summarizedProblems<P extends Problem>(
  { terminal }: Pick<CommandContext, "terminal">,
  problems: readonly P[],
  shownOfEach = 2,
): P[] {
  return terminal.verbose ? [...problems] : groupBy(problems, kindOf).flatMap((group) => group.slice(0, shownOfEach));
}

/** The first of each kind and the number of others; with `--verbose`, all. In a first generation, all are new. */
export function summarizeProblems(
  context: CommandContext,
  problems: readonly NamedProblem[],
  style: "red" | "yellow",
  { shownOfEach = 2, listedBy = "offprint status" } = {},
): void {
  const { terminal } = context;
  const shown = new Set(summarizedProblems(context, problems, shownOfEach));
  for (const group of groupBy(problems, kindOf)) {
    printGroup(context, group, { shown, styleOf: () => style, print: terminal.warn });
    printHint(context, group[0]!);
  }
  if (shown.size < problems.length)
    terminal.warn(`  ${terminal.paint("dim", `→ \`${listedBy} --verbose\` lists them.`)}`);
}

const listedOfEach = 3;

/** What {@link listProblems} prints: the first of each code, those that fail the next sync first; with `--verbose`, all. */
export function listedProblems<P extends Problem>(
  { terminal }: Pick<CommandContext, "terminal">,
  problems: readonly P[],
  isFatal: (problem: P) => boolean,
): P[] {
  const ordered = fatalFirst(problems, isFatal);
  if (terminal.verbose) return ordered;
  return groupBy(ordered, ({ code }) => code).flatMap((group) => group.slice(0, listedOfEach));
}

/** Prints a count and the first problems of each code, with `--verbose` all; those that fail the next sync first. */
export function listProblems(
  context: CommandContext,
  problems: readonly NamedProblem[],
  isFatal: (problem: Problem) => boolean,
): void {
  const { terminal } = context;
  const shown = new Set(listedProblems(context, problems, isFatal));
  const styleOf = (problem: Problem) => (isFatal(problem) ? "red" : "yellow");
  if (problems.length > 0) terminal.data(`problems     ${grouped(countProblems(problems))}`);
  for (const group of groupBy(fatalFirst(problems, isFatal), ({ code }) => code)) {
    printGroup(context, group, { shown, styleOf, print: terminal.data });
  }
  if (shown.size < problems.length)
    terminal.data(`  ${terminal.paint("dim", context.spelled("→ `offprint status --verbose` lists them."))}`);
}

function fatalFirst<P extends Problem>(problems: readonly P[], isFatal: (problem: P) => boolean): P[] {
  return [...problems.filter(isFatal), ...problems.filter((problem) => !isFatal(problem))];
}

interface Printing {
  shown: ReadonlySet<NamedProblem>;
  styleOf(problem: Problem): "red" | "yellow";
  print(line: string): void;
}

/** Prints the shown problems of a group, and counts the others. */
function printGroup(
  context: CommandContext,
  group: readonly NamedProblem[],
  { shown, styleOf, print }: Printing,
): void {
  const { terminal } = context;
  const tellsOfEditor = tellsEditor(context, shown.size);
  for (const problem of group.filter((one) => shown.has(one))) {
    print(problemLine(context, problem, styleOf(problem)));
    const editor = problem.names?.editor;
    if (tellsOfEditor && editor !== undefined) print(`  ${terminal.paint("dim", printable(editor))}`);
  }
  const more = countProblems(group.filter((one) => !shown.has(one)));
  if (more > 0) print(`  ${terminal.paint("dim", `and ${plural(more, "more", "more")} of ${group[0]?.code}`)}`);
}

/** Groups that are not empty, by the first of each. */
export function groupBy<P extends Problem>(problems: readonly P[], keyOf: (problem: P) => string): P[][] {
  const groups = new Map<string, P[]>();
  for (const problem of problems) inMap(groups, keyOf(problem), () => []).push(problem);
  return [...groups.values()];
}

function kindOf({ code, hint }: Problem): string {
  return `${code} ${hint}`;
}

function problemLine({ terminal }: CommandContext, problem: NamedProblem, style: "red" | "yellow"): string {
  const mark = terminal.paint(style, style === "red" ? "✖" : "!");
  return `${mark} ${printable(toldMessage(problem))} ${terminal.paint("dim", `[${problem.code}]`)}`;
}

function printHint({ terminal }: CommandContext, { hint }: Problem): void {
  if (hint !== "") terminal.warn(`  ${terminal.paint("dim", "→")} ${printable(hint)}`);
}
