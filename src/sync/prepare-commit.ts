import type { Config } from "../config/config.js";
import { breaks, differenceText } from "../content/model/content-lock.js";
import type { ShownDifference } from "../content/model/lock-file.js";
import { hasContent } from "../content/tree/content-folder.js";
import { OffprintError, type Problem } from "../lib/errors.js";
import {
  compareStories,
  countNewStories,
  noChanges,
  type StoryChanges,
  sameGeneration,
} from "../snapshot/compare-stories.js";
import { type EntryChange, entryChanges } from "../snapshot/entry-changes.js";
import { assetJournalFile } from "../snapshot/layout.js";
import type { Manifest } from "../snapshot/manifest.js";
import { commit, type ManifestDraft } from "../snapshot/write/commit.js";
import { rebaseStage, removeStage } from "../snapshot/write/stage.js";
import { type Base, comparisonBase } from "./base.js";
import { type BroughtAssets, bringAssets, usesToCount } from "./bring-assets.js";
import type { CrawlResult } from "./crawl/crawl.js";
import type { RemovalStop } from "./crawl/run/progress.js";
import {
  createBrake,
  droppedLanguages,
  emptiedEditions,
  emptiedLists,
  emptyRepair,
  excessiveRemovals,
} from "./removals.js";
import type { HeldLock, SyncContext } from "./sync-context.js";

export interface Prepared {
  changes: StoryChanges;
  /** How many stories are new, if all are and the changes do not list them. */
  added: number | undefined;
  /** The entries of datasources that differ; none for a first generation. */
  entries: EntryChange[];
  /** How the content's shape differs from its lock, if that is a warning. */
  drift: Problem[];
  assets: BroughtAssets;
}

/** Adds the assets' part to `draft`. @throws OffprintError `REMOVAL_BRAKE`, `UPSTREAM_EMPTY`, `CONTENT_DRIFT` */
export async function prepareCommit(
  context: SyncContext,
  base: Base,
  reading: CrawlResult,
  draft: ManifestDraft,
): Promise<Prepared> {
  const { config, output, options, onProgress } = context;
  const uses = await usesToCount(base);
  const from = await comparisonBase(output, base);
  // All stories of a first generation are new: list them only if something uses the list.
  const isListed = from !== undefined || options.onCommit !== undefined || hasContent(config);
  const known = { count: uses, noted: reading.changes };
  const changes = isListed ? await compareStories(output.store, from, draft, known) : noChanges();
  const added = isListed ? undefined : await countNewStories(output.store, draft, known);
  const brake = createBrake(options, onProgress);
  for (const stop of stopsOf(context, base, draft, changes)) brake(stop);
  const drift = await guardShape(context, draft);
  const entries = from === undefined ? [] : await entryChanges(output.store, from, draft);
  return { changes, added, entries, drift, assets: await bringAssets(context, base, { draft, uses, reading }) };
}

function stopsOf({ config }: SyncContext, base: Base, draft: ManifestDraft, changes: StoryChanges): RemovalStop[] {
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

/** If it differs. After an unclean reading, the stage is rebased on it. @throws OffprintError `LOCKED` */
export async function commitDraft(
  { output, onProgress }: SyncContext,
  { head, previous, damaged }: Base,
  { draft, reading, lock, nowMs }: { draft: ManifestDraft; reading: CrawlResult; lock: HeldLock; nowMs: number },
): Promise<{ manifest: Manifest; isNew: boolean }> {
  const { store } = output;
  const same = previous !== undefined && sameGeneration(previous, draft) ? previous : undefined;
  if (same === undefined) {
    await lock.assertHeld();
    onProgress({ kind: "stage", stage: "commit" });
  }
  const manifest = same ?? (await commit(store, draft, { base: head }));
  // Damaged objects that were read again are back under their names, in the same generation.
  if (same !== undefined && damaged.length > 0) await store.flush();
  await store.remove(assetJournalFile);
  if (reading.outcome === "clean") await removeStage(store);
  else await rebaseStage(store, manifest, reading.outcome === "interval" ? new Date(nowMs).toISOString() : undefined);
  return { manifest, isNew: same === undefined };
}

const hint =
  "Check the site's code. To accept the change, set check.drift: warn for one sync, then run `offprint check --write-lock`.";

/** Compares with the lock of the content's shape (`check.drift`). @throws OffprintError `CONTENT_DRIFT` */
async function guardShape({ config, output }: SyncContext, draft: ManifestDraft): Promise<Problem[]> {
  const { drift } = config.check;
  if (drift === "evolve") return [];
  const { contentDrift } = await import("../content/model/lock-file.js");
  const differences = await contentDrift(output.store, draft, config);
  if (differences === undefined) return [unlocked(config.check)];
  const breaking = differences.filter(breaks);
  const [first] = breaking;
  if (drift === "freeze" && first !== undefined) {
    const more = breaking.length === 1 ? "" : ` And ${breaking.length - 1} more.`;
    throw new OffprintError("CONTENT_DRIFT", `${messageOf(first)}${more}`, { hint });
  }
  return differences.map((difference) => ({ code: "CONTENT_DRIFTED", message: messageOf(difference), hint }));
}

function unlocked({ drift, lock }: Config["check"]): Problem {
  return {
    code: "CONTENT_UNLOCKED",
    message: `check.drift is ${drift}, but ${lock} does not exist: the shape of the content is not checked.`,
    hint: "Run `offprint check --write-lock`, and add the file to version control.",
  };
}

function messageOf(difference: ShownDifference): string {
  const { example } = difference;
  const text = differenceText(difference);
  return example === null ? text : `${text} For example in story ${JSON.stringify(example.slug)} (${example.edition}).`;
}
