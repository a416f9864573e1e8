import { createHash } from "node:crypto";
import { parts as partNames } from "../../snapshot/layout.js";
import type { Stage } from "../../snapshot/write/stage.js";
import type { CrawlContext, CrawlStart } from "./crawl-context.js";
import { wasRead } from "./due.js";
import type { Workspace } from "./run/workspace.js";
import type { StoryLedger } from "./stories/story-ledger.js";

/** Whether what an interrupted sync left serves this one: the same base and settings, and no less to read. */
export function serves(stage: Stage, context: CrawlContext): boolean {
  const covers = coverOf(context);
  return (
    stage.base === (context.previous?.generation ?? null) &&
    stage.settings === settingsOf(context) &&
    (!context.full || stage.full === true) &&
    stage.covers.every((covered) => covers.includes(covered))
  );
}

/** What a crawl leaves for a later sync that goes on from it; the workspace must have been folded. */
export function stageOf(run: {
  context: CrawlContext;
  began: CrawlStart;
  workspace: Workspace;
  ledgers: readonly StoryLedger[];
  tried: NonNullable<Stage["tried"]>;
}): Stage {
  const { context, began, workspace, ledgers, tried } = run;
  const stages = ledgers.map((ledger) => ({ ledger, stage: ledger.toStage() }));
  // A later sync compares its tags with those that the staged stories were read with. Where these were read with none, it
  // has to find none, so that it asks for the stories again.
  const { parts } = workspace;
  const tagParts = ledgers.map(({ version, tags }) => {
    const part = partNames.tags(version);
    return [part, tags.isUntagged ? undefined : (tags.baseline ?? parts[part])] as const;
  });
  const staged = Object.entries({ ...parts, ...Object.fromEntries(tagParts) });
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

/** What a stage depends on: also which editions were there to start from, because damaged ones are left out. */
function settingsOf({ specs, config, previous }: CrawlContext): string {
  const shape = [
    config.source.url,
    config.output.shardBytes,
    ...specs.map((spec) => `${spec.name}=${spec.settings} ${wasRead(spec, previous) !== undefined}`),
  ];
  return createHash("sha256").update(JSON.stringify(shape)).digest("hex");
}

/** What a crawl reads. A stage serves a later one that reads at least that: nothing half read would be taken as whole. */
function coverOf({ due }: CrawlContext): string[] {
  return [...(due.published.length > 0 ? ["published"] : []), ...(due.unpinned ? ["unpinned"] : [])];
}
