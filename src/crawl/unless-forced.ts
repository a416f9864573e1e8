import type { OffprintError } from "../errors.js";
import type { OnProgress } from "./progress.js";

/**
 * Stops a sync that would take much away, or, told to go on, says what it goes on in spite of.
 * @param stop why the sync stops; its message tells what would happen
 * @throws OffprintError `stop`, unless `forceRemove`.
 */
export function unlessForced(
  { forceRemove, onProgress }: { forceRemove: boolean; onProgress: OnProgress },
  stop: OffprintError,
): void {
  if (!forceRemove) throw stop;
  onProgress({ kind: "note", message: `going on because of --force-remove: ${stop.message}` });
}
