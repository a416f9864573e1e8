import type { Config } from "../config/config.js";
import { readShapeNote, type ShapeNote } from "../content/check/shape-note.js";
import { exportMemory } from "../content/tree/export-memory.js";
import { isContentCurrent } from "../content/tree/is-content-current.js";
import { countProblems, errorCodes, isOffprintError, OffprintError, type Problem } from "../lib/errors.js";
import { printable } from "../lib/printable.js";
import { ago, plural } from "../lib/quantity-text.js";
import { usableMemory } from "../lib/usable-memory.js";
import { parts as partNames } from "../snapshot/layout.js";
import type { EditionEntry, Manifest } from "../snapshot/manifest.js";
import type { State } from "../snapshot/state.js";
import { openSource } from "../sync/open-source.js";
import { consumerLines, standingConsumers } from "./consumers.js";
import type { CommandContext } from "./context.js";
import { compareDeployed } from "./deployed.js";
import { incompleteness, printExitCause, unchanged } from "./exit-cause.js";
import { keptGenerations, keptLine } from "./kept-generations.js";
import { leanStart } from "./lean-start.js";
import { snapshotState } from "./missing-snapshot.js";
import { openDemo } from "./open-demo.js";
import { listedProblems, listProblems } from "./report-failure.js";
import { nameTold } from "./told-problems.js";

/** The command that ends the hold of a generation. */
const release = "`offprint rollback --release`";

interface Upstream {
  /** `unknown`: it was not asked, could not be reached, or has no cv. */
  state: "same" | "newer" | "unknown";
  cv: number | null;
  problem?: Problem;
}

export interface StatusFlags {
  offline?: boolean;
  /** A generation, or the file or address of a deployed `index.json`. */
  since?: string;
  exitCode?: boolean;
  /** A table of all spaces. */
  all?: boolean;
  /** Limits the table to spaces whose copy is too old, or that need a person. */
  stale?: boolean;
  failed?: boolean;
}

/** `offprint status`: all details of one space, or a table of several. */
export async function runStatus(context: CommandContext, flags: StatusFlags): Promise<number> {
  const isOfOne = context.flags.space?.length === 1 && !flags.all;
  const asksNothing = flags.offline === true || flags.all === true;
  const fleet = await context.spaces({ tokenOptional: asksNothing || (isOfOne ? false : "of-several") });
  const [first] = fleet.spaces;
  if (flags.since !== undefined && (flags.all || (fleet.isFleet && !isOfOne))) {
    throw new OffprintError("USAGE", "--since works on one space.", { hint: "Name it with --space." });
  }
  if (flags.all || first === undefined || (fleet.isFleet && !isOfOne)) {
    return (await import("./status-table.js")).printStatusTable(context, fleet, flags);
  }
  return printStatus(context, first.config, flags);
}

async function printStatus(context: CommandContext, config: Config, flags: StatusFlags): Promise<number> {
  const { output, manifest, state } = await snapshotState(config);
  if (flags.exitCode === true && flags.since === undefined) {
    throw new OffprintError("USAGE", "--exit-code needs --since with the deployed generation.", {
      hint: "`offprint status --since https://www.example.com/content/index.json --exit-code`",
    });
  }
  const deployed =
    flags.since === undefined ? undefined : await compareDeployed(context, config, output, manifest, flags.since);
  const consumers = await standingConsumers(config, output.store, manifest);
  const upstream: Upstream = flags.offline
    ? { state: "unknown", cv: null }
    : await askUpstream(context, config, state.cv ?? manifest.cv);
  const contentIsCurrent = await isContentCurrent(config, manifest);
  const found = [
    ...state.spaceProblems,
    ...state.contentProblems,
    ...(upstream.problem === undefined ? [] : [upstream.problem]),
  ];

  const next = nextSync(manifest, config, found, upstream.problem);
  const fatal = new Set(next.because.map(problemName));
  const isFatal = (problem: Problem) => fatal.has(problemName(problem));
  const told = listedProblems(context, found, isFatal);
  const problems = await nameTold(context, { store: output.store, config }, found, told);

  printManifest(context, manifest);
  const kept = await keptGenerations(output.store);
  context.terminal.data(keptLine(kept));
  const { terminal } = context;
  for (const line of stateLines(manifest, state, upstream, contentIsCurrent, terminal.verbose))
    terminal.data(context.spelled(line));
  for (const line of memoryLines(config, manifest)) terminal.data(line);
  listProblems(context, problems, isFatal);
  const recordShape = await readShapeNote(output.store);
  for (const line of recordShape === undefined ? [] : shapeLines(recordShape)) terminal.data(context.spelled(line));
  for (const line of consumerLines(consumers)) terminal.data(line);
  if (deployed !== undefined) terminal.data(`deployed     ${deployed.text}`);
  const hasFailed = consumers.some(({ failures }) => failures !== undefined);
  terminal.data(context.spelled(`next sync    ${nextSyncText(next, hasFailed)}`));
  const { parts: _, checksum: __, ...about } = manifest;
  terminal.document({
    schema: 1,
    ...about,
    kept,
    confirmedAtMs: state.confirmedAtMs,
    checkedMs: state.checkedMs,
    upstream,
    contentIsCurrent,
    damaged: state.damaged,
    problems,
    nextSync: next,
    runs: state.runs,
    consumers,
    recordShape: recordShape ?? null,
    ...(deployed === undefined ? {} : { deployed }),
  });
  if (flags.exitCode !== true || deployed?.isCurrent !== true) return 0;
  return printExitCause(context, unchanged("There is nothing to deploy."));
}

/** Compares the generation with the upstream, the disk and the content tree. */
function stateLines(
  { held }: Manifest,
  state: State,
  upstream: Upstream,
  contentIsCurrent: boolean,
  verbose: boolean,
): string[] {
  const nowMs = Date.now();
  const sync = held ? `${release}, then \`offprint sync\`` : "`offprint sync`";
  const upstreamTexts = {
    same: "the same",
    newer: `newer (cv ${upstream.cv}): run ${sync}`,
    unknown: "unknown",
  };
  // A rollback commits a generation that no sync has compared with the space.
  const unconfirmed = held ? "not while it is held" : "not yet: run `offprint sync`";
  const confirmed = state.confirmedAtMs === null ? unconfirmed : ago(state.confirmedAtMs, nowMs);
  const partsMs = state.checkedMs.parts;
  return [
    ...(held ? [`held         sync does not replace it: run ${release} first`] : []),
    `confirmed    ${confirmed}${state.cv === null ? "" : ` at cv ${state.cv}`}`,
    ...(partsMs === undefined || !verbose
      ? []
      : [`other parts  datasources, tags, experiments and the space read ${ago(partsMs, nowMs)}`]),
    `upstream     ${upstreamTexts[upstream.state]}`,
    ...state.damaged.map((name) => `damaged      ${printable(name)}`),
    ...(state.damaged.length > 0 ? [`             run ${sync} to read it again`] : []),
    `content      ${contentIsCurrent ? "current" : "not current: run `offprint export`"}`,
  ];
}

/** Says so where an export of every file may be killed for want of memory. */
function memoryLines(config: Config, manifest: Manifest): string[] {
  const { bytes, stories } = exportMemory(config, manifest);
  const [memory, needed] = [usableMemory(), bytes].map((size) => Math.round(size / 2 ** 20));
  if (needed! <= memory!) return [];
  return [`memory       ${memory} MB may be used; an export of all ${stories} stories may take ${needed} MB`];
}

/** At most this many differences are shown. */
const mostDifferences = 3;

/** Records that differ from the described API. They cause no failure. */
function shapeLines({ generation, differences }: ShapeNote): string[] {
  const shown = differences.slice(0, mostDifferences).map((text) => `             ${printable(text)}`);
  const more = differences.length - shown.length;
  const count = plural(differences.length, "difference");
  return [
    `interface    ${count} in the records of generation ${generation}, as \`offprint check\` found`,
    ...shown,
    ...(more > 0 ? [`             … and ${more} more: \`offprint check\``] : []),
  ];
}

/** The exit code of the next sync if nothing changes until then, and the problems that cause it. */
interface NextSync {
  exitCode: number;
  because: readonly Problem[];
}

function nextSync(
  { held }: Manifest,
  { assets }: Config,
  problems: readonly Problem[],
  upstreamProblem: Problem | undefined,
): NextSync {
  if (held) return { exitCode: 0, because: [] };
  if (upstreamProblem !== undefined) {
    return { exitCode: errorCodes[upstreamProblem.code].exit, because: [upstreamProblem] };
  }
  const cause = incompleteness(problems, { onFailure: assets.onFailure });
  return { exitCode: cause?.exitCode ?? 0, because: cause?.problems ?? [] };
}

function nextSyncText({ exitCode, because }: NextSync, hasFailed: boolean): string {
  if (exitCode === 0) return hasFailed ? "exit code 0, or 3 if a command fails again" : "exit code 0";
  const codes = [...new Set(because.map(({ code }) => code))].join(", ");
  return `exit code ${exitCode}, because of what is marked ✖ (${plural(countProblems(because), "problem")}, ${codes}): ${because[0]?.hint}`;
}

/** Two problems are the same if code and message are. */
function problemName({ code, message }: Problem): string {
  return `${code} ${message}`;
}

function printManifest({ terminal }: CommandContext, manifest: Manifest): void {
  const { space, generation, level, committedAt, cv } = manifest;
  terminal.data(`space        ${space.name ?? "unnamed"} (${space.id ?? "id unknown"}) from ${space.source}`);
  terminal.data(`generation   ${generation}, ${level}, cv ${cv ?? "unknown"}, committed ${committedAt}`);
  if (manifest.confirmed === false)
    terminal.data("             not confirmed yet: a sync in a minute or later confirms it");
  terminal.data(
    `newest story published ${newestText(manifest, "newestPublishedAt")}, updated ${newestText(manifest, "newestUpdatedAt")}`,
  );
  for (const edition of manifest.editions) {
    const stories = manifest.parts[partNames.stories(edition.name)]?.records ?? 0;
    const confirmed =
      edition.confirmedSince === null ? "" : `, every record confirmed since cv ${edition.confirmedSince}`;
    const level = `${edition.level}${intervalText(edition)}`;
    terminal.data(`  ${edition.name.padEnd(22)} ${plural(stories, "story", "stories")}, ${level}${confirmed}`);
  }
  for (const { part, reason } of manifest.notIncluded) terminal.data(`  not included: ${part}: ${reason}`);
}

/** The age of the newest date of all editions. */
function newestText({ editions }: Manifest, field: "newestPublishedAt" | "newestUpdatedAt"): string {
  const dates = editions.map((edition) => Date.parse(edition[field] ?? "")).filter((ms) => !Number.isNaN(ms));
  return dates.length === 0 ? "at an unknown time" : ago(Math.max(...dates), Date.now());
}

/** The cv range in which the edition was read, if the space changed during the sync. */
function intervalText({ interval }: EditionEntry): string {
  return interval === undefined ? "" : ` from cv ${interval.from ?? "unknown"} to ${interval.to ?? "unknown"}`;
}

async function askUpstream(context: CommandContext, config: Config, known: number | null): Promise<Upstream> {
  const demo = await openDemo(context, config);
  const url = demo?.url ?? config.source.url;
  const source = openSource({
    config,
    url,
    env: context.env,
    openAgent: leanStart(),
    signal: context.signal,
    onProgress: () => {},
  });
  try {
    const { cv } = await source.upstream.probe();
    if (cv === null || known === null) return { state: "unknown", cv };
    return { state: cv === known ? "same" : "newer", cv };
  } catch (error) {
    if (!isOffprintError(error) || context.signal.aborted) throw error;
    return { state: "unknown", cv: null, problem: error.toProblem() };
  } finally {
    await source.close();
    await demo?.close();
  }
}
