import { dirname, relative, resolve } from "node:path";
import type { Config } from "../config/config.js";
import { diagnoseProcess, diagnoseSpace } from "../doctor/diagnose.js";
import { exitCodeOf, type Finding, type FindingLevel } from "../doctor/finding.js";
import { isOffprintError, type OffprintError, type Problem } from "../errors.js";
import { demoSource } from "../sync/space-identity.js";
import type { CommandContext } from "./context.js";
import { openDemo } from "./open-demo.js";
import { plural } from "./quantity-text.js";
import { printable, type Style } from "./terminal.js";

/** `offprint doctor`: what keeps a sync from working, or may do so some day. */
export async function runDoctor(context: CommandContext): Promise<number> {
  const folder = context.workingFolder();
  const path = resolve(folder, context.flags.config);
  const { config, problems, isUsable } = await readConfig(context);
  const opened = isUsable && config !== undefined ? await openedDemo(context, config) : { problems: [] };
  const configProblems = [...problems, ...opened.problems];
  const written = context.flags.output === undefined ? undefined : resolve(folder, context.flags.output);
  try {
    const findings = await diagnoseSpace({
      config,
      outputDir: config?.output.dir ?? written ?? resolve(dirname(path), "output"),
      url: addressOf(config, isUsable, opened.demo?.url),
      env: context.env,
      signal: context.signal,
    });
    return conclude(context, [...diagnoseProcess(relative(folder, path) || path, configProblems), ...findings]);
  } finally {
    await opened.demo?.close();
  }
}

/** The configuration, as far as it can be used: without its token, what does not ask the upstream can still be checked. */
async function readConfig(
  context: CommandContext,
): Promise<{ config: Config | undefined; problems: readonly Problem[]; isUsable: boolean }> {
  try {
    return { config: await context.config(), problems: [], isUsable: true };
  } catch (error) {
    if (!isOffprintError(error)) throw error;
    const config = await context.config({ tokenOptional: true }).catch(() => undefined);
    return { config, problems: problemsOf(error), isUsable: false };
  }
}

function problemsOf(error: OffprintError): readonly Problem[] {
  return error.problems.length > 0 ? error.problems : [error.toProblem()];
}

/** The demo space, where that is the source; or why it cannot be started. */
async function openedDemo(context: CommandContext, config: Config) {
  try {
    return { demo: await openDemo(context, config), problems: [] };
  } catch (error) {
    if (!isOffprintError(error)) throw error;
    return { problems: problemsOf(error) };
  }
}

function addressOf(config: Config | undefined, isUsable: boolean, demoUrl: string | undefined): string | undefined {
  if (config === undefined || !isUsable) return undefined;
  return config.source.url === demoSource ? demoUrl : config.source.url;
}

const marks: Readonly<Record<FindingLevel, { mark: string; style: Style }>> = {
  ok: { mark: "✔", style: "green" },
  note: { mark: "·", style: "cyan" },
  warning: { mark: "!", style: "yellow" },
  error: { mark: "✖", style: "red" },
};

/** Prints the findings; with `--quiet` those alone that need something to be done. */
function conclude(context: CommandContext, findings: readonly Finding[]): number {
  const { terminal, flags } = context;
  const shown = findings.filter(({ level }) => !flags.quiet || level === "warning" || level === "error");
  for (const finding of shown) for (const line of linesOf(context, finding)) terminal.data(line);
  const exitCode = exitCodeOf(findings);
  const [errors, warnings] = [countOf(findings, "error"), countOf(findings, "warning")];
  if (!flags.quiet) {
    const found = [plural(errors, "error"), plural(warnings, "warning")].join(", ");
    terminal.data(errors + warnings === 0 ? "Nothing is wrong." : `${found}.`);
  }
  terminal.document({ schema: 1, exitCode, errors, warnings, findings });
  return exitCode;
}

function linesOf({ terminal, spelled }: CommandContext, { level, what, code, hint }: Finding): string[] {
  const { mark, style } = marks[level];
  const line = `${terminal.paint(style, mark)} ${printable(spelled(what))} ${terminal.paint("dim", `[${code}]`)}`;
  return hint === "" ? [line] : [line, `  ${terminal.paint("dim", "→")} ${printable(spelled(hint))}`];
}

function countOf(findings: readonly Finding[], level: FindingLevel): number {
  return findings.filter((finding) => finding.level === level).length;
}
