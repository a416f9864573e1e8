import { assetJournalFile, leaseNoteFile, stageFile } from "./layout.js";
import type { Store } from "./store/store.js";

/**
 * Forgets what a folder has staged: the objects that it names may have been removed, or lie elsewhere.
 * @param local the folder, where no sync runs
 */
export async function forgetStaged(local: Store): Promise<void> {
  await local.remove(stageFile);
  await local.remove(assetJournalFile);
}

/**
 * Forgets what a sync into a bucket has staged, where that was the last one in the folder: the objects lie there, and not here.
 * A sync into a bucket forgets what another place has staged by the same note.
 */
export async function forgetStagedElsewhere(local: Store): Promise<void> {
  if ((await local.get(leaseNoteFile)) === undefined) return;
  await forgetStaged(local);
  await local.remove(leaseNoteFile);
}
