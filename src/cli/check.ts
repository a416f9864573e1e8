import { resolve } from "node:path";
import { readBaseline, writeBaseline } from "../check/baseline-file.js";
import type { FindingsReport } from "../check/formats/findings-report.js";
import { formatFindings } from "../check/formats/format-findings.js";
import { type CheckResult, runCheck } from "../check/run-check.js";
import { fails } from "../check/select-findings.js";
import type { Config, FindingsFormat, Version } from "../config/config.js";
import { lockOfGeneration, writeLock } from "../content-model/lock-file.js";
import { errorCodes, OffprintError } from "../errors.js";
import { currentManifest } from "../snapshot/current-manifest.js";
import { openOutput } from "../snapshot/open-output.js";
import type { Store } from "../store/store.js";
import type { CommandContext } from "./context.js";
import { printExitCause } from "./exit-cause.js";
import { missingSnapshot } from "./missing-snapshot.js";
import { plural } from "./quantity-text.js";

export interface CheckFlags {
  new?: boolean;
  since?: number;
  baseline?: string;
  writeBaseline?: boolean;
  writeLock?: boolean;
  format?: FindingsFormat;
  failOn?: Config["check"]["failOn"];
  drafts?: boolean;
  all?: boolean;
}

/** `offprint check` */
export async function runCheckCommand(context: CommandContext, flags: CheckFlags): Promise<number> {
  const config = await context.config({ tokenOptional: true });
  const { store } = openOutput(config.output);
  if (flags.writeLock) return writeContentLock(context, config, store);
  const baseline =
    flags.baseline === undefined ? config.check.baseline : resolve(context.workingFolder(), flags.baseline);
  if (flags.writeBaseline && baseline === undefined) {
    throw new OffprintError("USAGE", "--write-baseline needs a file.", {
      hint: "Name it with --baseline, or as check.baseline in the configuration.",
    });
  }
  const version: Version | undefined = flags.drafts ? "draft" : undefined;
  const result = await runCheck(store, {
    config,
    version,
    since: flags.since ?? (flags.new && baseline === undefined ? "previous" : undefined),
    known: baseline === undefined || flags.writeBaseline ? undefined : await readBaseline(baseline),
  });
  if (result === undefined) throw missingSnapshot(config);
  if (flags.writeBaseline && baseline !== undefined) {
    await writeBaseline(baseline, result.findings);
    const { terminal } = context;
    terminal.say(`${terminal.paint("green", "✔")} ${baseline}: ${plural(result.findings.length, "known finding")}.`);
    terminal.document({ schema: 1, generation: result.generation, file: baseline, known: result.findings.length });
    return 0;
  }
  return report(context, result, { ...flags, failOn: flags.failOn ?? config.check.failOn });
}

/** Agrees to the shape that the content has now. */
async function writeContentLock({ terminal }: CommandContext, config: Config, store: Store): Promise<number> {
  const manifest = await currentManifest(store);
  if (manifest === undefined) throw missingSnapshot(config);
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

function report(
  context: CommandContext,
  result: CheckResult,
  { format = "text", failOn, all = false }: CheckFlags & Pick<Config["check"], "failOn">,
): number {
  const { terminal } = context;
  const failing = result.findings.filter((finding) => fails(finding, failOn));
  const shown: FindingsReport = { ...result, failOn, failing: failing.length };
  const document = documentOf(shown);
  terminal.data(
    format === "json" ? JSON.stringify(document, undefined, 2) : formatFindings(shown, format, { all }).trimEnd(),
  );
  terminal.document(document);
  const [first] = failing;
  if (first === undefined) return 0;
  const { exit: exitCode } = errorCodes.CHECK_FAILED;
  const what = `${plural(failing.length, "finding")} of level ${failOn}${failOn === "error" ? "" : " or higher"}.`;
  const hint = "Mend them, or ignore them with a reason: check.ignore.";
  printExitCause(context, { exitCode, problems: [{ code: "CHECK_FAILED", message: what, hint }] });
  return exitCode;
}

function documentOf({ generation, since, stories, editions, findings, ignored, known, failing }: FindingsReport) {
  const counts = { error: 0, warning: 0, info: 0 };
  for (const { level } of findings) counts[level] += 1;
  return { schema: 1, generation, since, editions, stories, counts, failing, ignored, known, findings };
}
