import { contentHash } from "../../lib/content-hash.js";
import { parts as partNames } from "../../snapshot/layout.js";
import type { PartEntry } from "../../snapshot/manifest.js";
import { kindOf } from "../../snapshot/part-kinds.js";
import type { Stage } from "../../snapshot/write/stage.js";
import type { CrawlContext, CrawlRun } from "./crawl-run.js";
import { wasRead } from "./due.js";
import { crawlRules } from "./rules.js";
import { createBatchSize } from "./run/batch-size.js";
import type { EditionSpec } from "./run/editions.js";
import { roundsAtMost } from "./run/interval.js";
import { retryVariation } from "./run/pinned-upstream.js";
import { Workspace } from "./run/workspace.js";
import { storiesPerPage } from "./spending.js";
import { StoryLedger } from "./stories/story-ledger.js";

/** Starts from the previous generation, or from a stage with the same base and settings. */
export function openRun(context: CrawlContext, found: Stage | undefined): CrawlRun {
  const { previous, config, probe } = context;
  const stage = found !== undefined && serves(found, context) ? found : undefined;
  // Only its stage knows what an interval reading left unsettled: without it, request everything.
  const isUnsettled = previous?.editions.some(({ level }) => level === "interval") === true;
  const full = context.full || stage?.full === true || (stage === undefined && isUnsettled);
  const rules = { ...crawlRules, ...context.rules };
  const nowS = Math.floor((probe.dateMs ?? Date.now()) / 1000);
  const tried = rules.roundsTried(stage?.tried, probe.cv);
  const readsAgain = previous !== undefined && (context.full || context.due.recheck);
  const workspace = new Workspace(context.store, stage?.parts ?? basePart(context, full), config.output.shardBytes);
  return {
    context: { ...context, rules },
    began: {
      cv: stage === undefined ? probe.cv : stage.cv,
      at: stage?.startedAt ?? new Date(probe.dateMs ?? Date.now()).toISOString(),
      variation: readsAgain || tried > 0 ? nowS : 0,
      partsVariation: found === undefined ? 0 : retryVariation(nowS),
      // Unlike earlier rounds. Each step costs two rows a page: a full reading can spare more.
      sweepVariation: (readsAgain ? roundsAtMost + spread(nowS, context.full ? 100 : 20) : 0) + (tried % triedAtMost),
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
    termsBaseline: workspace.parts[partNames.terms],
    closingVersion: undefined,
    tried: { cv: probe.cv, rounds: tried },
  };
}

/** Unclean rounds after which the index page sizes repeat. */
const triedAtMost = 100;

/** A number below `count` that varies, even if the times are a fixed number of seconds apart. */
function spread(seconds: number, count: number): number {
  return (Math.imul(seconds, 2_654_435_761) >>> 8) % count;
}

function editionsOf({ specs }: CrawlContext, version: string): EditionSpec[] {
  return specs.filter((spec) => spec.version === version && spec.release === null);
}

function isFirst(context: CrawlContext, version: string): boolean {
  return editionsOf(context, version).every((edition) => wasRead(edition, context.previous) === undefined);
}

/** The editions to read in full although others were, with the uuid up to which they were read. */
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

/** The parts that the new generation starts from: the old ones, without those to read again. */
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

/** True if the stage is usable: the same base and settings, and no less to read. */
function serves(stage: Stage, context: CrawlContext): boolean {
  const covers = coverOf(context);
  return (
    stage.base === (context.previous?.generation ?? null) &&
    stage.settings === settingsOf(context) &&
    (!context.full || stage.full === true) &&
    stage.covers.every((covered) => covers.includes(covered))
  );
}

export function stageOf({ context, began, workspace, ledgers, tried, termsBaseline }: CrawlRun): Stage {
  const stages = ledgers.map((ledger) => ({ ledger, stage: ledger.toStage() }));
  // A later sync compares with the tags of the staged stories; if there were none, it requests them again.
  const { parts } = workspace;
  const tagParts = ledgers.map(({ version, tags }) => {
    const part = partNames.tags(version);
    return [part, tags.isUntagged ? undefined : (tags.baseline ?? parts[part])] as const;
  });
  const baselines = { ...Object.fromEntries(tagParts), ...(termsBaseline && { [partNames.terms]: termsBaseline }) };
  const staged = Object.entries({ ...parts, ...baselines });
  return {
    base: context.previous?.generation ?? null,
    settings: settingsOf(context),
    full: ledgers.some(({ full }) => full),
    startedAt: began.at,
    cv: began.cv,
    parts: Object.fromEntries(staged.flatMap(([part, entry]) => (entry === undefined ? [] : [[part, entry]]))),
    editions: Object.assign({}, ...stages.map(({ stage }) => stage.editions)),
    tagDelta: Object.fromEntries(stages.map(({ ledger, stage }) => [ledger.version, stage.tagDelta])),
    pending: Object.fromEntries(stages.map(({ ledger, stage }) => [ledger.version, stage.pending])),
    read: Object.fromEntries(stages.map(({ ledger, stage }) => [ledger.version, stage.read])),
    covers: coverOf(context),
    tried,
  };
}

/** What a stage depends on, with the editions to start from: damaged ones are left out. */
function settingsOf({ specs, config, previous }: CrawlContext): string {
  const shape = [
    config.source.url,
    config.output.shardBytes,
    ...specs.map((spec) => `${spec.name}=${spec.settings} ${wasRead(spec, previous) !== undefined}`),
  ];
  return contentHash(JSON.stringify(shape));
}

/** What a crawl reads. Its stage only serves crawls that read at least that. */
function coverOf({ due }: CrawlContext): string[] {
  return [...(due.published.length > 0 ? ["published"] : []), ...(due.unpinned ? ["unpinned"] : [])];
}
