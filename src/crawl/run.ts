import { createHash } from "node:crypto";
import type { Version } from "../config/config.js";
import type { Problem } from "../errors.js";
import { parts as partNames } from "../snapshot/layout.js";
import type { PartEntry } from "../snapshot/manifest.js";
import type { Stage } from "../snapshot/stage.js";
import type { CrawlContext } from "./crawl.js";
import { wasRead } from "./due.js";
import type { EditionSpec } from "./editions.js";
import type { Index } from "./index-row.js";
import type { SyncPlan } from "./plan.js";
import type { PartReadings, SpaceReading } from "./read-parts.js";
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
  /** Versions of which an audit found that everything has to be asked for in the next round. */
  auditFull: Version[];
  /** True for an upstream without a links listing. */
  derived: boolean;
  readonly index: Map<Version, Index>;
  readonly backlog: Map<string, Backlog>;
  /** The parts beside the stories as last read, and the cv at which they were. */
  partReadings: { cv: number | null; readings: PartReadings; space: SpaceReading | undefined } | undefined;
  /** Edition name → kinds of change that its index did not show. */
  readonly blind: Map<string, Set<string>>;
  plan: SyncPlan | undefined;
  problems: Problem[];
  auditCursor: Record<string, string>;
  readonly startedAt: string;
}

/** Starts from the previous generation, or from what an interrupted sync with the same base and settings left. */
export async function openRun(context: CrawlContext, found: Stage | undefined): Promise<CrawlRun> {
  const { previous, specs, config } = context;
  const stage = found !== undefined && fits(found, context) ? found : undefined;
  const full = context.full || stage?.full === true;
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
    auditFull: [],
    derived: false,
    index: new Map(),
    backlog,
    partReadings: undefined,
    blind: new Map(),
    plan: undefined,
    problems: [],
    auditCursor: { ...context.auditCursor },
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
  return stage.base === (context.previous?.generation ?? null) && stage.settings === settingsOf(context);
}

function settingsOf({ specs, config }: CrawlContext): string {
  const shape = [
    config.source.url,
    config.output.shardBytes,
    ...specs.map(({ name, settings }) => `${name}=${settings}`),
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
    cv: run.context.probe.cv,
    parts: { ...run.workspace.parts },
    editions,
    checked: {},
  };
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

/** Uuids of the stories that an index shows, in code-unit order. */
export function storyUuids(index: Index): string[] {
  const uuids: string[] = [];
  for (const row of index.values()) {
    if (!row.isFolder) uuids.push(row.uuid);
  }
  return uuids.sort();
}
