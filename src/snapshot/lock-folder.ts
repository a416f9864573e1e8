import { isOffprintError } from "../lib/errors.js";
import { assetJournalFile, leaseNoteFile, lockFile, stageFile, temporaryFolder, workFolder } from "./layout.js";
import { removeTemporaryFiles } from "./store/file-store.js";
import { Folders } from "./store/folders.js";
import { acquireLock, type Lock } from "./store/lock.js";
import type { Store } from "./store/store.js";

/** Write options for every output folder. */
export const folderOptions = { temporary: { folder: temporaryFolder } };

export function lockFolder(dir: string): Promise<Lock> {
  return new FolderLock(dir).take();
}

export class FolderLock {
  readonly #dir: string;
  #held: Lock | undefined;

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** @throws OffprintError `LOCKED` if another process has taken over a lock of ours */
  async assertHeld(): Promise<void> {
    await this.#held?.assertHeld();
  }

  /** Also removes incomplete files of a killed process. @throws OffprintError `LOCKED` with the process that writes */
  async take(): Promise<Lock> {
    const lock = await acquireLock(this.#dir, lockFile);
    const removeIncomplete = () => removeTemporaryFiles(this.#dir, folderOptions);
    try {
      await removeIncomplete();
    } catch (error) {
      await lock.release();
      throw error;
    }
    this.#held = lock;
    const release = async () => {
      this.#held = undefined;
      // An empty folder for temporary files would block removing the lock's folder.
      const tidy = lock.assertHeld().then(removeIncomplete);
      await tidy.catch(() => undefined);
      await lock.release();
    };
    return { ...lock, release };
  }

  /** Removes what a killed process left, by taking the lock. Quiet while another one writes. */
  async tidy(take: () => Promise<Lock> = () => this.take()): Promise<void> {
    if (!(await new Folders(this.#dir).exists(workFolder))) return;
    try {
      await (await take()).release();
    } catch (error) {
      if (!isOffprintError(error, "LOCKED")) throw error;
    }
  }
}

/** Forgets staged work, whose objects may be gone or elsewhere. @param local no sync runs */
export async function forgetStaged(local: Store): Promise<void> {
  await local.remove(stageFile);
  await local.remove(assetJournalFile);
}

/** Forgets work staged by a sync into a bucket, if that was the folder's last: its objects are there. */
export async function forgetStagedElsewhere(local: Store): Promise<void> {
  if ((await local.get(leaseNoteFile)) === undefined) return;
  await forgetStaged(local);
  await local.remove(leaseNoteFile);
}
