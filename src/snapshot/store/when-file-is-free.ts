import { setTimeout as sleep } from "node:timers/promises";
import { isOutOfFiles, tooManyOpenFiles } from "../../lib/errors.js";

/** Between two attempts, and in all, in milliseconds. */
const pauseMs = 20;
const patienceMs = 10_000;

/**
 * Opens a file. Where this process or machine may not open another one, it waits until one is closed.
 *
 * @param open May be called again: it has done nothing when it fails with `EMFILE` or `ENFILE`.
 * @throws what `open` throws; OffprintError `TOO_MANY_OPEN_FILES` after ten seconds of waiting
 */
export async function whenFileIsFree<T>(open: () => Promise<T>): Promise<T> {
  for (let waitedMs = 0; ; waitedMs += pauseMs) {
    try {
      return await open();
    } catch (error) {
      if (!isOutOfFiles(error)) throw error;
      if (waitedMs >= patienceMs) throw tooManyOpenFiles("A file cannot be opened", error);
      await sleep(pauseMs);
    }
  }
}
