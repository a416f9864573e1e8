import { sameGeneration } from "../snapshot/compare-stories.js";
import { assetJournalFile } from "../snapshot/layout.js";
import type { Manifest } from "../snapshot/manifest.js";
import { commit, type ManifestDraft } from "../snapshot/write/commit.js";
import { rebaseStage, removeStage } from "../snapshot/write/stage.js";
import type { Base } from "./base.js";
import type { CrawlResult } from "./crawl/crawl.js";
import type { HeldLock, SyncContext } from "./sync-context.js";

/**
 * Commits the draft where it differs from the generation before, and leaves the stage as the next sync needs it: gone
 * after a clean reading, else on top of what is committed now.
 *
 * @param nowMs The server's time in milliseconds since the epoch.
 * @returns the generation that is current now, and whether it is a new one
 * @throws OffprintError `LOCKED` when another process has taken over
 */
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
  // Damaged objects that were read again are in their old place, under the same generation.
  if (same !== undefined && damaged.length > 0) await store.flush();
  await store.remove(assetJournalFile);
  if (reading.outcome === "clean") await removeStage(store);
  else await rebaseStage(store, manifest, reading.outcome === "interval" ? new Date(nowMs).toISOString() : undefined);
  return { manifest, isNew: same === undefined };
}
