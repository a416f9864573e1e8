import { parts as partNames } from "../../snapshot/layout.js";
import type { AskedVersion } from "./ask-version.js";
import { type CrawlRun, releaseEditions } from "./crawl-run.js";
import { countStories } from "./index/index-row.js";
import { itemsOf, planRound, type RoundCounts, type SyncPlan } from "./plan.js";
import { variantEditions } from "./read-variants.js";
import type { Pin } from "./run/pin.js";
import { storiesPerPage, waysToSpend } from "./spending.js";
import { sizeOf } from "./stories/batches.js";
import type { StoryLedger } from "./stories/story-ledger.js";

/** Counts what a round has read and will read, for its plan. */
export function countRound(
  run: CrawlRun,
  pin: Pin,
  sweeps: RoundCounts["sweeps"],
  asked: readonly AskedVersion[],
): RoundCounts {
  const { context, ledgers, workspace, parts } = run;
  const space = parts?.space;
  const listed = ({ index }: StoryLedger) => (index.isSwept ? countStories(index.rows) : (context.probe.total ?? 0));
  const drafts = ledgers.find(({ version }) => version === "draft");
  const draftStories = drafts === undefined ? (context.probe.total ?? 0) : listed(drafts);
  return {
    cv: pin.cv,
    sweeps,
    parts: [...(parts?.items ?? []), ...(space === undefined ? [] : [{ what: "space", requests: space.requests }])],
    versions: ledgers
      .filter(({ due }) => due)
      .map((ledger) => ({
        version: ledger.version,
        languages: ledger.editions.length,
        stories: listed(ledger),
        derived: ledger.derived,
        asked: asked.find((one) => one.ledger === ledger),
      })),
    releases: releaseEditions(context).map(({ name }) => ({
      name,
      stories: workspace.parts[partNames.stories(name)]?.records ?? draftStories,
    })),
    variants: variantEditions(run).map(({ name }) => name),
    askedForAssets: context.askedForAssets,
    question: { now: context.taxonomies.requests, full: fullQuestion(context) },
    closes: pin.used,
    comparesVersion: pin.used && comparesVersion(run, pin),
  };
}

/** A first sync is a full one, and asks; a later one knows that the space has terms. */
function fullQuestion({ config, taxonomies: { kind, requests } }: CrawlRun["context"]): number {
  if (!config.source.include.taxonomies || kind === "terms") return requests;
  return kind === "refused" ? 2 : 1;
}

/** True to compare the space's version at the end: it equalled the cv, and something may lag. */
export function comparesVersion({ context, parts }: CrawlRun, { cv }: Pick<Pin, "cv">): boolean {
  return context.settleMs > 0 && cv !== null && parts?.space?.record.me?.version === cv;
}

export function billOf({ context, batchSize }: CrawlRun, counts: RoundCounts): SyncPlan {
  const { config, due } = context;
  return planRound(counts, {
    reasons: due.published,
    size: batchSize.stories,
    fullSize: storiesPerPage(config),
    ways: waysToSpend(config, (size) => itemsOf(counts, size)),
  });
}

export function storiesIn(asked: readonly AskedVersion[]): number {
  return asked.flatMap(({ batches }) => batches).reduce((sum, batch) => sum + sizeOf(batch), 0);
}
