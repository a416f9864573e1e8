import { isOffprintError } from "../lib/errors.js";
import { assetJournalFile, leaseNoteFile, lockFile, stageFile, temporaryFolder, workFolder } from "./layout.js";
import { removeTemporaryFiles } from "./store/file-store.js";
import { Folders } from "./store/folders.js";
import { acquireLock, type Lock } from "./store/lock.js";
import type { Store } from "./store/store.js";

/** How files are written below an output folder. */
export const folderOptions = { temporary: { folder: temporaryFolder } };

/**
 * Takes the lock of an output folder. Whoever holds it is the only writer there: incomplete files are left from a process that was
 * killed, and are removed.
 * @param dir absolute
 * @throws OffprintError `LOCKED` naming the process that writes there
 */
export async function lockFolder(dir: string): Promise<Lock> {
  const lock = await acquireLock(dir, lockFile);
  try {
    await removeTemporaryFiles(dir, folderOptions);
  } catch (error) {
    await lock.release();
    throw error;
  }
  return {
    ...lock,
    async release() {
      // An empty folder for temporary files would keep the lock's own folder from being removed.
      const tidy = async () => {
        await lock.assertHeld();
        await removeTemporaryFiles(dir, folderOptions);
      };
      await tidy().catch(() => undefined);
      await lock.release();
    },
  };
}

/** The lock of an output folder, for whoever opens it: has it or not. */
export class FolderLock {
  readonly #dir: string;
  #held: Lock | undefined;

  /** @param dir absolute */
  constructor(dir: string) {
    this.#dir = dir;
  }

  /** @throws OffprintError `LOCKED` where it was taken, and another process has taken it over */
  async assertHeld(): Promise<void> {
    await this.#held?.assertHeld();
  }

  /** @throws OffprintError as {@link lockFolder} */
  async take(): Promise<Lock> {
    const lock = await lockFolder(this.#dir);
    this.#held = lock;
    const release = async () => {
      this.#held = undefined;
      await lock.release();
    };
    return { ...lock, release };
  }

  /** Removes what a process that was killed at its very end has left, by taking the lock; quiet while another one writes. */
  async tidy(take: () => Promise<Lock> = () => this.take()): Promise<void> {
    if (!(await new Folders(this.#dir).exists(workFolder))) return;
    try {
      await (await take()).release();
    } catch (error) {
      if (!isOffprintError(error, "LOCKED")) throw error;
    }
  }
}

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
