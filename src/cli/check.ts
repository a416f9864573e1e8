import { resolve } from "node:path";
import type { Config, FindingsFormat, RuleCode, Version } from "../config/config.js";
import type { Fleet } from "../config/load/fleet.js";
import { ruleCodes } from "../config/schema/check-schema.js";
import { readBaseline, writeBaseline } from "../content/check/baseline-file.js";
import { fails } from "../content/check/finding.js";
import type { FindingsReport } from "../content/check/formats/findings-text.js";
import { findingsDocument, formatFindings } from "../content/check/formats/format-findings.js";
import { type CheckResult, runCheck } from "../content/check/run-check.js";
import { errorCodes, OffprintError } from "../lib/errors.js";
import { plural } from "../lib/quantity-text.js";
import { currentManifest } from "../snapshot/current-manifest.js";
import { openOutput } from "../snapshot/open-output.js";
import type { Store } from "../snapshot/store/store.js";
import { namedBuiltFolder } from "./built-folder.js";
import { assertOneTask, assertRuleFits, type CheckFlags } from "./check-flags.js";
import type { CommandContext } from "./context.js";
import { printExitCause } from "./exit-cause.js";
import { forEachSpace } from "./for-each-space.js";
import { namedGeneration } from "./generation-at.js";
import { missingSnapshot } from "./missing-snapshot.js";
import type { TextSyntax } from "./terminal.js";

const syntaxes: Readonly<Record<FindingsFormat, TextSyntax>> = {
  text: "plain",
  markdown: "plain",
  junit: "plain",
  json: "json",
  sarif: "json",
  github: "commands",
};

/** `offprint check`: for several spaces, one document and the worst exit code. */
export async function runCheckCommand(context: CommandContext, flags: CheckFlags): Promise<number> {
  assertOneTask(flags);
  assertRuleFits(flags);
  const fleet = await context.spaces({ tokenOptional: true });
  const [first, ...others] = fleet.spaces;
  const { format = "text", all = false } = flags;
  const print = (reports: readonly FindingsReport[]) => {
    const text = formatFindings(reports, format, { all, editor: context.terminal.verbose }).trimEnd();
    context.terminal.text(format === "text" ? context.spelled(text) : text, syntaxes[format]);
  };
  if (first !== undefined && others.length === 0) {
    return checkSpace(context, first.config, flags, (report) => print([report]));
  }
  if (flags.built !== undefined) {
    throw new OffprintError("USAGE", "A built site shows one space, and several are meant.", {
      hint: "Name the space with --space.",
    });
  }
  assertFilesApart(context, fleet, flags);
  const reports = new Map<string, FindingsReport>();
  const exitCode = await forEachSpace(context, fleet, "check", async (own, { name, config }, admit) => {
    await admit();
    return checkSpace(own, config, flags, (report) => reports.set(name, { ...report, space: name }));
  });
  if (reports.size > 0) print(fleet.spaces.flatMap(({ name }) => reports.get(name) ?? []));
  return exitCode;
}

/** No space may overwrite the file of another one. */
function assertFilesApart(context: CommandContext, { spaces }: Fleet, flags: CheckFlags): void {
  if (!flags.writeLock && !flags.writeBaseline) return;
  const [option, setting] = flags.writeLock
    ? (["--write-lock", "check.lock"] as const)
    : (["--write-baseline", "check.baseline"] as const);
  const files = spaces.map(({ config }) => (flags.writeLock ? config.check.lock : baselineOf(context, config, flags)));
  const shared = files.find((file, at) => file !== undefined && files.indexOf(file) !== at);
  if (shared === undefined) return;
  throw new OffprintError("USAGE", `${option} would write ${shared} for several spaces.`, {
    hint: `Name one space with --space, or give each its own file: ${setting}.`,
  });
}

/** The configuration with all other rules off. */
function withRule(config: Config, rule: RuleCode): Config {
  const others = Object.fromEntries(ruleCodes.filter((code) => code !== rule).map((code) => [code, "off"]));
  return { ...config, check: { ...config.check, rules: { ...config.check.rules, ...others } } };
}

function baselineOf(context: CommandContext, config: Config, { baseline }: CheckFlags): string | undefined {
  return baseline === undefined ? config.check.baseline : resolve(context.workingFolder(), baseline);
}

async function checkSpace(
  context: CommandContext,
  written: Config,
  flags: CheckFlags,
  print: (report: FindingsReport) => void,
): Promise<number> {
  const config = flags.rule === undefined ? written : withRule(written, flags.rule);
  const { store } = openOutput(config.output);
  if (flags.writeLock) return writeContentLock(context, config, store);
  const baseline = baselineOf(context, config, flags);
  if (flags.writeBaseline && baseline === undefined) {
    throw new OffprintError("USAGE", "--write-baseline needs a file.", {
      hint: "Name it with --baseline, or as check.baseline in the configuration.",
    });
  }
  const known = baseline === undefined || flags.writeBaseline ? undefined : await readBaseline(baseline);
  const result = await resultOf(context, config, store, flags, known);
  if (result === undefined) throw missingSnapshot(config);
  if (flags.writeBaseline && baseline !== undefined) {
    await writeBaseline(baseline, result.findings);
    const { terminal } = context;
    terminal.say(`${terminal.paint("green", "✔")} ${baseline}: ${plural(result.findings.length, "known finding")}.`);
    terminal.document({ schema: 1, generation: result.generation, file: baseline, known: result.findings.length });
    return 0;
  }
  const failOn = flags.failOn ?? config.check.failOn;
  const failing = result.findings.filter((finding) => fails(finding, failOn)).length;
  const report: FindingsReport = { ...result, failOn, failing };
  print(report);
  context.terminal.document(findingsDocument(report));
  return exitCodeOf(context, report);
}

async function resultOf(
  context: CommandContext,
  config: Config,
  store: Store,
  flags: CheckFlags,
  known: ReadonlySet<string> | undefined,
): Promise<CheckResult | undefined> {
  const version: Version | undefined = flags.drafts ? "draft" : undefined;
  // Without a baseline, what is new is new since the last generation, or build.
  const isNew = flags.new === true && known === undefined;
  if (flags.built !== undefined) {
    const { runBuiltCheck } = await import("../content/check/built/run-built-check.js");
    const folder = await namedBuiltFolder(context.workingFolder(), flags.built);
    return runBuiltCheck(store, { config, version, folder, isNew, known, isPart: flags.rule !== undefined });
  }
  const since =
    flags.since === undefined
      ? undefined
      : (await namedGeneration(context.terminal, store, flags.since, "--since")).generation;
  return runCheck(store, { config, version, since: since ?? (isNew ? "previous" : undefined), known });
}

async function writeContentLock({ terminal }: CommandContext, config: Config, store: Store): Promise<number> {
  const manifest = await currentManifest(store);
  if (manifest === undefined) throw missingSnapshot(config);
  const { lockOfGeneration, writeLock } = await import("../content/model/lock-file.js");
  const lock = await lockOfGeneration(store, manifest, config);
  await writeLock(config.check.lock, lock);
  const components = Object.keys(lock.components).length;
  const { generation } = manifest;
  terminal.say(
    `${terminal.paint("green", "✔")} ${config.check.lock}: ${plural(components, "component")} of generation ${generation}.`,
  );
  terminal.document({ schema: 1, generation, file: config.check.lock, components });
  return 0;
}

function exitCodeOf(context: CommandContext, { failing, failOn }: FindingsReport): number {
  if (failing === 0) return 0;
  const { exit: exitCode } = errorCodes.CHECK_FAILED;
  const message = `${plural(failing, "finding")} of level ${failOn}${failOn === "error" ? "" : " or higher"}.`;
  const hint = "Fix them, or ignore them with a reason: check.ignore.";
  return printExitCause(context, { exitCode, problems: [{ code: "CHECK_FAILED", message, hint }] });
}
