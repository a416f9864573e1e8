import { parts as partNames } from "../../snapshot/layout.js";
import type { PartEntry } from "../../snapshot/manifest.js";
import { kindOf } from "../../snapshot/part-kinds.js";
import type { Stage } from "../../snapshot/write/stage.js";
import type { CrawlContext, CrawlStart } from "./crawl-context.js";
import { serves } from "./crawl-stage.js";
import { wasRead } from "./due.js";
import type { OtherParts } from "./parts/other-parts.js";
import { type CrawlRules, crawlRules } from "./rules.js";
import { type BatchSize, createBatchSize } from "./run/batch-size.js";
import type { EditionSpec } from "./run/editions.js";
import { roundsAtMost } from "./run/interval.js";
import type { Pin } from "./run/pin.js";
import { type PinnedUpstream, retryVariation } from "./run/pinned-upstream.js";
import { createWorkspace, type Workspace } from "./run/workspace.js";
import { storiesPerPage } from "./spending.js";
import type { RelationReader } from "./stories/related-stories.js";
import { StoryLedger } from "./stories/story-ledger.js";

/** One crawl while it runs. What its rounds find out stands in the workspace, the ledgers and the other parts. */
export interface CrawlRun {
  readonly context: CrawlContext & { readonly rules: CrawlRules };
  readonly began: CrawlStart;
  readonly workspace: Workspace;
  /** One for each version that is configured, read now or not. */
  readonly ledgers: readonly StoryLedger[];
  /** How many stories a request asks for; an answer that is too large makes it smaller. */
  readonly batchSize: BatchSize;
  /** What is beside the stories, as last read; undefined before. */
  parts: OtherParts | undefined;
  /** Who names whom, where `source.include.related` asks; undefined before. */
  relations: Promise<RelationReader> | undefined;
  /** The space's own version after the last round that was clean so far; undefined where it was not asked for. */
  closingVersion: number | null | undefined;
  /** The rounds that were taken at the last cv, with those of the syncs before. */
  tried: { cv: number | null; rounds: number };
}

/** One round of a crawl. */
export interface Round {
  /** Rounds before this one. It varies the addresses, so that no edge answers twice with the same old copy. */
  number: number;
  pin: Pin;
  pinned: PinnedUpstream;
}

/** Starts from the previous generation, or from what an interrupted sync with the same base and settings left. */
export function openRun(context: CrawlContext, found: Stage | undefined): CrawlRun {
  const { previous, config, probe } = context;
  const stage = found !== undefined && serves(found, context) ? found : undefined;
  // What a reading of an interval could not settle stands in its stage alone: without it everything is asked for.
  const isUnsettled = previous?.editions.some(({ level }) => level === "interval") === true;
  const full = context.full || stage?.full === true || (stage === undefined && isUnsettled);
  const rules = { ...crawlRules, ...context.rules };
  const nowS = Math.floor((probe.dateMs ?? Date.now()) / 1000);
  const tried = rules.roundsTried(stage?.tried, probe.cv);
  const readsAgain = previous !== undefined && (context.full || context.due.recheck);
  const workspace = createWorkspace(context.store, stage?.parts ?? basePart(context, full), config.output.shardBytes);
  return {
    context: { ...context, rules },
    began: {
      cv: stage === undefined ? probe.cv : stage.cv,
      at: stage?.startedAt ?? new Date(probe.dateMs ?? Date.now()).toISOString(),
      variation: readsAgain || tried > 0 ? nowS : 0,
      partsVariation: found === undefined ? 0 : retryVariation(nowS),
      // Others than the rounds before have used. Each step costs two rows a page: a reading of everything can spare more.
      sweepVariation: (readsAgain ? roundsAtMost + spread(nowS, context.full ? 100 : 20) : 0) + (tried % triedAtMost),
      tried,
    },
    workspace,
    ledgers: config.source.versions.map((version) => {
      const editions = editionsOf(context, version);
      const first = isFirst(context, version);
      return new StoryLedger({
        version,
        editions,
        due: version === "draft" || context.due.published.length > 0,
        first,
        full,
        backlogs: first || full ? new Map() : backlogsOf(context, editions, stage),
        staged: {
          pending: stage?.pending?.[version] ?? [],
          tagDelta: stage?.tagDelta?.[version] ?? {},
          read: stage?.read?.[version] === undefined ? [] : stage.read[version],
        },
        looks: context.looks,
        auditCursor: context.auditCursor[version],
        workspace,
        include: config.source.include,
        rules,
      });
    }),
    batchSize: createBatchSize(storiesPerPage(config), (message) => context.onProgress({ kind: "note", message })),
    parts: undefined,
    relations: undefined,
    closingVersion: undefined,
    tried: { cv: probe.cv, rounds: tried },
  };
}

/** Rounds without a clean one after which the sizes of index pages begin again: each step costs two rows a page. */
const triedAtMost = 100;

/** A number below `count` that differs from one time to the next, also where they lie a fixed number of seconds apart. */
function spread(seconds: number, count: number): number {
  return (Math.imul(seconds, 2_654_435_761) >>> 8) % count;
}

/** Editions that no index shows. */
export function releaseEditions({ specs }: CrawlContext): EditionSpec[] {
  return specs.filter(({ release }) => release !== null);
}

function editionsOf({ specs }: CrawlContext, version: string): EditionSpec[] {
  return specs.filter((spec) => spec.version === version && spec.release === null);
}

function isFirst(context: CrawlContext, version: string): boolean {
  return editionsOf(context, version).every((edition) => wasRead(edition, context.previous) === undefined);
}

/** The editions that are still to be read in full beside others that were, with the uuid up to which they were read. */
function backlogsOf(
  { previous }: CrawlContext,
  editions: readonly EditionSpec[],
  stage: Stage | undefined,
): Map<string, string> {
  const backlogs = new Map<string, string>();
  for (const edition of editions) {
    if (wasRead(edition, previous) !== undefined) continue;
    const readUntil = stage?.editions[edition.name]?.readUntil;
    if (readUntil !== null) backlogs.set(edition.name, readUntil ?? "");
  }
  return backlogs;
}

/** The parts that the new generation starts from: all of the old one, without what has to be read anew. */
function basePart(context: CrawlContext, full: boolean): Record<string, PartEntry> {
  const { specs, previous, config } = context;
  const base: Record<string, PartEntry> = {};
  const stories = new Set(
    specs.filter((spec) => wasRead(spec, previous) !== undefined).map(({ name }) => partNames.stories(name)),
  );
  const versions = config.source.versions.filter((version) => !full && !isFirst(context, version));
  const links = new Set(versions.map((version) => partNames.links(version)));
  for (const [part, entry] of Object.entries(previous?.parts ?? {})) {
    if (kindOf(part) === "stories" && !stories.has(part)) continue;
    if (kindOf(part) === "links" && !links.has(part)) continue;
    base[part] = entry;
  }
  return base;
}
