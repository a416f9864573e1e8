import { createHash } from "node:crypto";
import type { Version } from "../config/config.js";
import type { Problem } from "../errors.js";
import { parts as partNames } from "../snapshot/layout.js";
import type { PartEntry } from "../snapshot/manifest.js";
import type { Stage } from "../snapshot/stage.js";
import { type BatchSize, createBatchSize } from "./batch-size.js";
import type { CrawlContext } from "./crawl-context.js";
import { wasRead } from "./due.js";
import type { EditionSpec } from "./editions.js";
import type { Index, IndexRow } from "./index-row.js";
import type { KnownRows } from "./known-rows.js";
import type { SyncPlan } from "./plan.js";
import type { PartReadings, SpaceReading } from "./read-parts.js";
import { storiesPerPage } from "./spending.js";
import { createWorkspace, type Workspace } from "./workspace.js";

/** How far an edition has come that is read for the first time while its version's index lines are known already. */
export interface Backlog {
  /** All uuids up to this one were asked for, in code-unit order. */
  readUntil: string;
  /** Uuids beyond it that were asked for. */
  done: Set<string>;
}

/** One version of the stories, in all its languages. */
export interface VersionRun {
  version: Version;
  editions: EditionSpec[];
  due: boolean;
  /** True when no line is known: everything is asked for, and neighbours need no second look. */
  first: boolean;
}

/** What one crawl knows while it runs; rounds add to it. */
export interface CrawlRun {
  readonly context: CrawlContext;
  readonly workspace: Workspace;
  readonly versions: VersionRun[];
  /** Editions that no index shows: releases. */
  readonly unindexed: EditionSpec[];
  /** True once everything is confirmed anew: asked for, or an audit found what no index line showed. */
  full: boolean;
  /**
   * Seconds since the epoch where everything is confirmed at a cv that may have been read at before, which makes every
   * address a new one to the edges; else 0.
   */
  readonly variation: number;
  /** How many stories a request asks for. */
  readonly batchSize: BatchSize;
  /** True for an upstream without a links listing. */
  derived: boolean;
  readonly index: Map<Version, Index>;
  /** By version: the index lines of a state of their part. */
  readonly known: Map<Version, KnownRows>;
  readonly backlog: Map<string, Backlog>;
  /** The parts beside the stories as last read, and the cv at which they were. */
  partReadings: { cv: number | null; readings: PartReadings; space: SpaceReading | undefined } | undefined;
  /** The tags that the staged stories of a version were read with, where newer ones are not yet accounted for. */
  readonly tagBaseline: Map<Version, PartEntry>;
  /** Versions whose stories may have been read before the tags were. */
  readonly untagged: Set<Version>;
  /**
   * Stories whose line was taken away so that the next round asks for them. What is staged of them stays: should the
   * index have lost them by then, nothing else would show that they have to go.
   */
  readonly unlined: Map<Version, Set<string>>;
  /** By version: stories of this round whose answer may be of another moment, with the line that they get if it was clean. */
  readonly doubtful: Map<Version, Map<string, string>>;
  /** What was doubtful in this run, by uuid. */
  readonly doubted: Map<string, string>;
  /** By id of a story: which stories name it in their alternates, as far as this run read them. */
  readonly namedBy: Map<number, Set<string>>;
  /** By version and tag: how many more of the staged stories carry it than of those that the tag baseline belongs to. */
  readonly tagDelta: Map<Version, Map<string, number>>;
  /** Everything that is staged was read at this cv or a later one. */
  readonly sinceCv: number | null;
  /** Edition name → kinds of change that its index did not show. */
  readonly blind: Map<string, Set<string>>;
  plan: SyncPlan | undefined;
  problems: Problem[];
  auditCursor: Record<string, string>;
  /** Whether stories that nothing points to were asked for too. */
  audited: boolean;
  readonly startedAt: string;
}

/** Starts from the previous generation, or from what an interrupted sync with the same base and settings left. */
export async function openRun(context: CrawlContext, found: Stage | undefined): Promise<CrawlRun> {
  const { previous, specs, config } = context;
  const stage = found !== undefined && fits(found, context) ? found : undefined;
  // What a mixed generation could not settle stands in its stage alone: without it everything is asked for.
  const isMixed = previous?.editions.some(({ level }) => level === "mixed") === true;
  const full = context.full || stage?.full === true || (stage === undefined && isMixed);
  const versions = config.source.versions.map((version): VersionRun => {
    const editions = specs.filter((spec) => spec.version === version && spec.release === null);
    return {
      version,
      editions,
      due: version === "draft" || context.due.published.length > 0,
      first: editions.every((edition) => wasRead(edition, previous) === undefined),
    };
  });
  const base = stage?.parts ?? basePart(context, versions, full);
  const backlog = new Map<string, Backlog>();
  for (const { editions, first } of versions) {
    for (const edition of editions) {
      if (first || full || wasRead(edition, previous) !== undefined) continue;
      const readUntil = stage?.editions[edition.name]?.readUntil;
      if (readUntil !== null) backlog.set(edition.name, { readUntil: readUntil ?? "", done: new Set() });
    }
  }
  return {
    context,
    workspace: createWorkspace(context.store, base, config.output.shardBytes),
    versions,
    unindexed: specs.filter(({ release }) => release !== null),
    full,
    variation: context.full && previous !== undefined ? Math.floor((context.probe.dateMs ?? Date.now()) / 1000) : 0,
    batchSize: createBatchSize(storiesPerPage(config), (message) => context.onProgress({ kind: "note", message })),
    derived: false,
    index: new Map(),
    known: new Map(),
    backlog,
    partReadings: undefined,
    tagBaseline: new Map(),
    untagged: new Set(),
    doubtful: new Map(versions.map(({ version }) => [version, new Map()])),
    doubted: new Map(),
    namedBy: new Map(),
    tagDelta: new Map(
      versions.map(({ version }) => [version, new Map(Object.entries(stage?.tagDelta?.[version] ?? {}))]),
    ),
    sinceCv: stage === undefined ? context.probe.cv : stage.cv,
    unlined: new Map(versions.map(({ version }) => [version, new Set(stage?.unlined?.[version] ?? [])])),
    blind: new Map(),
    plan: undefined,
    problems: [],
    auditCursor: { ...context.auditCursor },
    audited: false,
    startedAt: stage?.startedAt ?? new Date(context.probe.dateMs ?? Date.now()).toISOString(),
  };
}

/** The parts that the new generation starts from: all of the old one, without what has to be read anew. */
function basePart(context: CrawlContext, versions: readonly VersionRun[], full: boolean): Record<string, PartEntry> {
  const base: Record<string, PartEntry> = {};
  const stories = new Set(
    context.specs.filter((spec) => wasRead(spec, context.previous)).map(({ name }) => partNames.stories(name)),
  );
  const links = new Set(versions.filter(({ first }) => !first && !full).map(({ version }) => partNames.links(version)));
  for (const [part, entry] of Object.entries(context.previous?.parts ?? {})) {
    if (part.startsWith(partNames.stories("")) && !stories.has(part)) continue;
    if (part.startsWith(partNames.links("")) && !links.has(part)) continue;
    base[part] = entry;
  }
  return base;
}

function fits(stage: Stage, context: CrawlContext): boolean {
  const cover = coverOf(context);
  return (
    stage.base === (context.previous?.generation ?? null) &&
    stage.settings === settingsOf(context) &&
    (!context.full || stage.full === true) &&
    stage.covers.every((covered) => cover.includes(covered))
  );
}

/** What a stage depends on: also which editions were there to start from, because damaged ones are left out. */
function settingsOf({ specs, config, previous }: CrawlContext): string {
  const shape = [
    config.source.url,
    config.output.shardBytes,
    ...specs.map((spec) => `${spec.name}=${spec.settings} ${wasRead(spec, previous) !== undefined}`),
  ];
  return createHash("sha256").update(JSON.stringify(shape)).digest("hex");
}

/** The run as a stage that a later sync can go on from; the workspace must have been folded. */
export function stageOf(run: CrawlRun): Stage {
  const editions: Stage["editions"] = {};
  for (const { editions: specs } of run.versions) {
    for (const spec of specs) {
      const backlog = run.backlog.get(spec.name);
      editions[spec.name] = {
        settings: spec.settings,
        readUntil: backlog === undefined ? null : readUntil(run, spec, backlog),
      };
    }
  }
  return {
    base: run.context.previous?.generation ?? null,
    settings: settingsOf(run.context),
    full: run.full,
    startedAt: run.startedAt,
    cv: run.sinceCv,
    parts: { ...run.workspace.parts, ...baselines(run) },
    editions,
    tagDelta: Object.fromEntries([...run.tagDelta].map(([version, delta]) => [version, Object.fromEntries(delta)])),
    unlined: Object.fromEntries([...run.unlined].map(([version, uuids]) => [version, [...uuids].sort()])),
    covers: coverOf(run.context),
  };
}

/** A later sync compares its tags with those that the staged stories were read with. */
function baselines(run: CrawlRun): Record<string, PartEntry> {
  return Object.fromEntries([...run.tagBaseline].map(([version, entry]) => [partNames.tags(version), entry]));
}

/** What the run reads. A stage serves a later run that reads at least that: nothing half read would be taken as whole. */
function coverOf({ due }: CrawlContext): string[] {
  return [...(due.published.length > 0 ? ["published"] : []), ...(due.unpinned ? ["unpinned"] : [])];
}

/** The last uuid before the first one that was not asked for. */
function readUntil(run: CrawlRun, spec: EditionSpec, backlog: Backlog): string {
  let until = backlog.readUntil;
  for (const uuid of storyUuids(run.index.get(spec.version) ?? new Map())) {
    if (uuid <= until) continue;
    if (!backlog.done.has(uuid)) break;
    until = uuid;
  }
  return until;
}

/** The stories of a version that are staged without their line. */
export function unlinedOf({ unlined }: CrawlRun, version: Version): Set<string> {
  return unlined.get(version) ?? new Set();
}

/** The stories of a version whose line waits for a clean round. */
export function doubtfulOf({ doubtful }: CrawlRun, version: Version): Map<string, string> {
  return doubtful.get(version) ?? new Map();
}

/** Uuids of the stories that an index shows, in code-unit order. */
function storyUuids(index: Index): string[] {
  return storyRows(index)
    .map(({ uuid }) => uuid)
    .sort();
}

/** The lines of an index that are no folders. */
export function storyRows(index: Index): IndexRow[] {
  return [...index.values()].filter(({ isFolder }) => !isFolder);
}

/** Whether a part beside the stories was asked for and could not be read. */
export function isMissing(run: CrawlRun, part: string): boolean {
  const reading = run.partReadings?.readings.readings.find((candidate) => candidate.part === part);
  return reading !== undefined && reading.lines === undefined;
}
