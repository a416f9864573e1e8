import { setTimeout as sleep } from "node:timers/promises";
import { isOutOfFiles, tooManyOpenFiles } from "../../lib/errors.js";

/** Between two attempts, and in total, in milliseconds. */
const pauseMs = 20;
const patienceMs = 10_000;

/** Waits while too many files are open. @param open may be called again: on failure, it must have done nothing */
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
