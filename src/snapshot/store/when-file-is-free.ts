import { setTimeout as sleep } from "node:timers/promises";
import { isOutOfFiles, tooManyOpenFiles } from "../../lib/errors.js";

/** Between two attempts, and in total, in milliseconds. */
const pauseMs = 20;
const patienceMs = 10_000;

/**
 * Opens a file. If this process or machine has too many open files, waits until one is closed.
 * @param open May be called again after `EMFILE` or `ENFILE`, so it must then have done nothing.
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
