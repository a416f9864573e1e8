import { dirname, relative, resolve } from "node:path";
import type { Config } from "../config/config.js";
import type { Fleet, SpaceConfig } from "../config/load/fleet.js";
import { mapBounded } from "../lib/concurrency/map-bounded.js";
import { isOffprintError, type Problem } from "../lib/errors.js";
import { printable } from "../lib/printable.js";
import { plural } from "../lib/quantity-text.js";
import { demoSource } from "../sync/space-identity.js";
import type { CommandContext } from "./context.js";
import { diagnoseProcess, diagnoseSpace, type SpaceDiagnosisOptions } from "./doctor/diagnose.js";
import { exitCodeOf, type Finding, type FindingLevel, finding } from "./doctor/diagnosis-finding.js";
import { openDemo } from "./open-demo.js";
import { problemsOf } from "./report-failure.js";
import type { Style } from "./terminal.js";

interface SpaceFinding extends Finding {
  space?: string;
}

/** `offprint doctor`: finds what makes a sync fail, now or later. */
export async function runDoctor(
  context: CommandContext,
  flags: { store?: boolean; contract?: boolean } = {},
): Promise<number> {
  const path = resolve(context.workingFolder(), context.flags.config);
  const { fleet, problems, isUsable } = await readSpaces(context);
  const found =
    fleet === undefined
      ? [await diagnoseSpace(withoutConfig(context, path))]
      : await mapBounded(fleet.spaces, fleet.concurrency, (space) =>
          lookAt(context, space, {
            isUsable,
            triesStorage: flags.store === true,
            readsContract: flags.contract === true,
          }),
        );
  const { checkQueue } = await import("./doctor/check-queue.js");
  const ofQueue = await checkQueue(fleet?.worker);
  const file = relative(context.workingFolder(), path) || path;
  return conclude(context, [...diagnoseProcess(file, problems), ...ofQueue, ...found.flat()], fleet?.isFleet === true);
}

/** Reads the configuration, even without its token: checks that need no upstream can still run. */
async function readSpaces(
  context: CommandContext,
): Promise<{ fleet: Fleet | undefined; problems: readonly Problem[]; isUsable: boolean }> {
  try {
    return { fleet: await context.spaces(), problems: [], isUsable: true };
  } catch (error) {
    if (!isOffprintError(error)) throw error;
    const fleet = await context.spaces({ tokenOptional: true }).catch(() => undefined);
    return { fleet, problems: problemsOf(error), isUsable: false };
  }
}

/** Falls back to `--output` or the default folder, as a sync without a configuration would. */
function withoutConfig(context: CommandContext, path: string): SpaceDiagnosisOptions {
  const { flags, env, signal } = context;
  const outputDir = flags.output === undefined ? "output" : resolve(context.workingFolder(), flags.output);
  return { config: undefined, outputDir: resolve(dirname(path), outputDir), url: undefined, env, signal };
}

async function lookAt(
  context: CommandContext,
  { name, config }: SpaceConfig,
  { isUsable, ...tries }: { isUsable: boolean; triesStorage: boolean; readsContract: boolean },
): Promise<SpaceFinding[]> {
  const { env, signal } = context;
  const opened = isUsable ? await openedDemo(context, config) : { problems: [] };
  try {
    const isDemo = config.source.url === demoSource;
    const url = isUsable ? (isDemo ? opened.demo?.url : config.source.url) : undefined;
    const found = await diagnoseSpace({ config, outputDir: config.output.dir, url, env, signal, ...tries });
    const wrong = opened.problems.map(({ message, hint }) => finding("CONFIG_PROBLEM", message, hint));
    return [...wrong, ...found].map((one) => ({ ...one, space: name }));
  } finally {
    await opened.demo?.close();
  }
}

async function openedDemo(context: CommandContext, config: Config) {
  try {
    return { demo: await openDemo(context, config), problems: [] };
  } catch (error) {
    if (!isOffprintError(error)) throw error;
    return { problems: problemsOf(error) };
  }
}

const marks: Readonly<Record<FindingLevel, { mark: string; style: Style }>> = {
  ok: { mark: "✔", style: "green" },
  note: { mark: "·", style: "cyan" },
  warning: { mark: "!", style: "yellow" },
  error: { mark: "✖", style: "red" },
};

/** Prints the findings. With `--quiet`, only those that need action. */
function conclude(context: CommandContext, findings: readonly SpaceFinding[], isFleet: boolean): number {
  const { terminal, flags } = context;
  const shown = findings.filter(({ level }) => !flags.quiet || level === "warning" || level === "error");
  const width = isFleet ? Math.max(0, ...findings.map(({ space = "" }) => space.length)) + 2 : 0;
  for (const one of shown) {
    for (const line of linesOf(context, one))
      terminal.data(isFleet ? `${(one.space ?? "").padEnd(width)}${line}` : line);
  }
  const exitCode = exitCodeOf(findings);
  const [errors, warnings] = [countOf(findings, "error"), countOf(findings, "warning")];
  if (!flags.quiet) {
    const found = [plural(errors, "error"), plural(warnings, "warning")].join(", ");
    terminal.data(errors + warnings === 0 ? "No problems found." : `${found}.`);
  }
  const listed = isFleet ? findings : findings.map(({ space: _, ...rest }) => rest);
  terminal.document({ schema: 1, exitCode, errors, warnings, findings: listed });
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
