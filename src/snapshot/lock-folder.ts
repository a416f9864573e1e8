import { lockFile, temporaryFolder } from "./layout.js";
import { removeTemporaryFiles } from "./store/file-store.js";
import { acquireLock, type Lock } from "./store/lock.js";

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
