import type { Config } from "../config/config.js";
import type { SpaceConfig } from "../config/load/fleet.js";
import { storeAddressText } from "../config/schema/store-address.js";
import { OffprintError } from "../lib/errors.js";
import { duration, grouped, plural, size } from "../lib/quantity-text.js";
import { openOutput } from "../snapshot/open-output.js";
import { type PullProgress, pullFolder } from "../sync/pull/pull-folder.js";
import type { PullReport } from "../sync/pull/pull-report.js";
import { openSource } from "../sync/pull/pull-source.js";
import { pullStore } from "../sync/pull/pull-store.js";
import type { CommandContext } from "./context.js";
import { type ExitCause, incompleteness, printExitCause, unchanged } from "./exit-cause.js";
import { forOneOrEach } from "./for-each-space.js";
import { writeGithubOutput } from "./github-output.js";
import { progressLine } from "./progress-line.js";
import { summarizedProblems, summarizeProblems } from "./report-failure.js";
import { drawIntervalMs } from "./sync-progress.js";
import { nameTold } from "./told-problems.js";

export interface PullFlags {
  /** A folder, or `s3://bucket/prefix`. */
  from?: string;
  dryRun?: boolean;
  exitCode?: boolean;
  replace?: boolean;
}

export async function runPull(context: CommandContext, flags: PullFlags): Promise<number> {
  const fleet = await context.spaces({ tokenOptional: true });
  if (fleet.spaces.length > 1 && flags.from !== undefined) {
    throw new OffprintError("USAGE", `--from names one snapshot, and there are ${fleet.spaces.length} spaces.`, {
      hint: "Name one of them with --space, or write output.store below defaults:, which gives each a prefix of its own.",
    });
  }
  return forOneOrEach(context, fleet, "pull", (own, space) => pullSpace(own, flags, space));
}

async function pullSpace(context: CommandContext, flags: PullFlags, { config }: SpaceConfig): Promise<number> {
  const done = await pulled(context, flags, config);
  context.terminal.progress(undefined);
  const { store } = openOutput(config.output);
  const told = summarizedProblems(context, done.problems);
  const report = { ...done, problems: await nameTold(context, { store, config }, done.problems, told) };
  // Only --verbose and --json repeat earlier warnings of the content.
  const isNews = report.content.written + report.content.removed > 0 || report.outcome !== "unchanged";
  if (isNews || context.terminal.verbose) summarizeProblems(context, report.problems, "yellow");
  printReport(context, report);
  if (report.outcome !== "planned") {
    const outcome = report.outcome === "pulled" ? "committed" : report.outcome;
    await writeGithubOutput(context.env, { ...report, outcome }, context.space);
  }
  context.terminal.document(report);
  return printExitCause(context, exitCause(report, flags));
}

async function pulled(context: CommandContext, flags: PullFlags, config: Config): Promise<PullReport> {
  const { signal, workingFolder, env } = context;
  const { dryRun, replace, from } = flags;
  const onProgress = showProgress(context);
  if (config.output.store !== undefined) {
    const place = storeAddressText(config.output.store);
    if (from !== undefined) {
      const hint = "Leave --from out: `offprint pull` brings what is there to this machine.";
      throw new OffprintError("USAGE", `The snapshot of this configuration lies in ${place}, not in a folder.`, {
        hint,
      });
    }
    if (replace) {
      const hint = "Leave --replace out: `offprint pull` brings what is there now.";
      throw new OffprintError("USAGE", `Of ${place} this machine has copies alone: nothing is to be replaced.`, {
        hint,
      });
    }
    return pullStore({ config, output: openOutput(config.output), dryRun, signal, onProgress });
  }
  const source = await openSource(from, { config, cwd: workingFolder(), env });
  const output = openOutput({ dir: config.output.dir });
  return pullFolder({ config, source, output, dryRun, replace, signal, onProgress });
}

const stageTexts: Readonly<Record<PullProgress["stage"], string>> = {
  compare: "Comparing with what is here",
  fetch: "Fetching",
  export: "Rendering content",
};

function showProgress({ terminal }: CommandContext): (progress: PullProgress) => void {
  let stage: PullProgress["stage"] | undefined;
  let startedMs = 0;
  let drawnMs = 0;
  return (progress) => {
    if (!terminal.drawsProgress) return;
    const nowMs = performance.now();
    if (progress.stage !== stage) startedMs = nowMs;
    else if (nowMs - drawnMs < drawIntervalMs) return;
    stage = progress.stage;
    drawnMs = nowMs;
    const amount =
      progress.stage === "fetch" ? { done: progress.fetched.bytes, total: progress.of.bytes, shown: size } : undefined;
    const text = stageTexts[progress.stage];
    terminal.progress((width) => progressLine({ text, amount, elapsedMs: nowMs - startedMs }, width));
  };
}

function printReport({ terminal }: CommandContext, report: PullReport): void {
  const { outcome, generation, fetched, present, content, plan } = report;
  if (plan !== undefined) {
    const { fetch, fetchBytes, replaces } = plan;
    for (const { name, bytes } of fetch) terminal.detail(`  ${name}  ${size(bytes)}`);
    terminal.say(
      `Generation ${generation}${replaces === null ? "" : ` in place of ${replaces}`}: ${plural(fetch.length, "file")} to fetch (${size(fetchBytes)}); ${grouped(plan.present.files)} are here (${size(plan.present.bytes)}). Nothing was written.`,
    );
    return;
  }
  const mark = report.problems.length === 0 ? terminal.paint("green", "✔") : terminal.paint("yellow", "!");
  const cv = report.cv === null ? "" : ` (cv ${report.cv})`;
  const rendered =
    content.written + content.removed === 0 ? "" : `, ${plural(content.written, "content file")} written`;
  if (outcome === "pulled") {
    const reused = present.files === 0 ? "" : `, ${grouped(present.files)} were here`;
    const took = duration(report.durationMs);
    terminal.say(
      `${mark} Generation ${generation}${cv}: ${plural(fetched.files, "file")} fetched (${size(fetched.bytes)})${reused}${rendered}; ${took}.`,
    );
    return;
  }
  const repaired = fetched.files === 0 ? "" : `, ${plural(fetched.files, "file")} fetched again (missing or damaged)`;
  const said = outcome === "kept" ? "stays" : "is the current one";
  terminal.say(`${mark} Generation ${generation}${cv} ${said}${repaired}${rendered}.`);
}

function exitCause(report: PullReport, { exitCode }: PullFlags): ExitCause | undefined {
  const incomplete = incompleteness(report.problems, { onFailure: "keep" });
  if (incomplete !== undefined) return incomplete;
  const isSame = report.outcome === "unchanged" || report.outcome === "kept";
  return exitCode && isSame ? unchanged("There is no newer generation.") : undefined;
}
