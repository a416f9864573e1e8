import { OffprintError, isOffprintError, type Problem } from "../errors.js";
import { redact } from "../redact.js";
import type { CommandContext } from "./context.js";
import { printable } from "./terminal.js";

/**
 * Tells why a command failed, and what to do.
 * @returns the exit code
 */
export function reportFailure(context: CommandContext, command: string, thrown: unknown): number {
  const error = failureOf(context, thrown);
  const problems = error.problems.length > 0 ? error.problems : [error.toProblem()];
  printProblems(context, problems, "red");
  if (error.code === "UNEXPECTED" && thrown instanceof Error) context.terminal.detail(printable(thrown.stack ?? ""));
  if (context.flags.json) {
    const safe = problems.map(({ code, message, hint }) => ({ code, message: redact(message), hint: redact(hint) }));
    context.terminal.document({ schema: 1, command, outcome: "failed", exitCode: error.exitCode, problems: safe });
  }
  return error.exitCode;
}

/** The error itself, or the interruption that it is a consequence of. */
function failureOf(context: CommandContext, thrown: unknown): OffprintError {
  if (context.signal.aborted && isOffprintError(context.signal.reason)) return context.signal.reason;
  if (isOffprintError(thrown)) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new OffprintError("UNEXPECTED", `Something unexpected happened: ${message}`, {
    cause: thrown,
    hint: "Run the command again with --verbose, and report what it prints.",
  });
}

/** Prints problems, each with what to do about it. */
export function printProblems(context: CommandContext, problems: readonly Problem[], style: "red" | "yellow"): void {
  const { terminal } = context;
  for (const { code, message, hint } of problems) {
    terminal.warn(`${terminal.paint(style, style === "red" ? "✖" : "!")} ${printable(message)} ${terminal.paint("dim", `[${code}]`)}`);
    if (hint !== "") terminal.warn(`  ${terminal.paint("dim", "→")} ${printable(hint)}`);
  }
}
