import { hasContent } from "../content/tree/content-folder.js";
import type { OffprintError, Problem } from "../lib/errors.js";
import { compareStories, countNewStories, noChanges, type StoryChanges } from "../snapshot/compare-stories.js";
import type { ManifestDraft } from "../snapshot/write/commit.js";
import { type Base, comparisonBase } from "./base.js";
import { createBrake } from "./brake.js";
import { type BroughtAssets, bringAssets, usesToCount } from "./bring-assets.js";
import type { CrawlResult } from "./crawl/crawl.js";
import { guardShape } from "./guard-shape.js";
import { droppedLanguages, emptiedEditions, emptiedLists, emptyRepair, excessiveRemovals } from "./removals.js";
import type { SyncContext } from "./sync-context.js";

/** What a commit needs to know beside its draft. */
export interface Prepared {
  changes: StoryChanges;
  /** How many stories are new, where all are, and the changes do not list them. */
  added: number | undefined;
  /** In what content has another shape than its lock, where that is a warning. */
  drift: Problem[];
  assets: BroughtAssets;
}

/**
 * What stands between the reading and its commit: which stories differ, whether so much may go, whether content
 * still has the shape that was agreed upon, and the assets. Adds
 * the part that lists them to `draft`, in place.
 *
 * @throws OffprintError `REMOVAL_BRAKE`, `UPSTREAM_EMPTY`, `CONTENT_DRIFT`; of the assets where `assets.onFailure` is `fail`
 */
export async function prepareCommit(
  context: SyncContext,
  base: Base,
  reading: CrawlResult,
  draft: ManifestDraft,
): Promise<Prepared> {
  const { config, output, options, onProgress } = context;
  const uses = await usesToCount(base);
  const from = await comparisonBase(output, base);
  // Of a first generation all stories are new: the list of a large space is made only for whoever reads it.
  const isListed = from !== undefined || options.onCommit !== undefined || hasContent(config);
  const known = { count: uses, noted: reading.changes };
  const changes = isListed ? await compareStories(output.store, from, draft, known) : noChanges();
  const added = isListed ? undefined : await countNewStories(output.store, draft, known);
  const brake = createBrake(options.forceRemove === true, onProgress);
  for (const stop of stopsOf(context, base, draft, changes)) brake(stop);
  const drift = await guardShape(context, draft);
  return { changes, added, drift, assets: await bringAssets(context, base, { draft, uses, reading }) };
}

function stopsOf({ config }: SyncContext, base: Base, draft: ManifestDraft, changes: StoryChanges): OffprintError[] {
  const { previous, repairs } = base;
  const stops = repairs.length > 0 ? emptyRepair(previous, draft) : [];
  if (previous === undefined) return stops;
  return [
    ...stops,
    ...emptiedEditions(previous, draft),
    ...emptiedLists(previous, draft),
    ...droppedLanguages(previous, draft, config),
    ...excessiveRemovals(changes, previous, draft, config.safety.maxRemoveShare),
  ];
}
