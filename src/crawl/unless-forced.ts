import type { OffprintError } from "../errors.js";
import type { OnProgress } from "./progress.js";

/**
 * Stops a sync that would remove much. With `--force-remove` it reports the reason and goes on.
 * @param stop Why the sync stops; its message says what would happen.
 * @throws OffprintError `stop`, unless `forceRemove`.
 */
export function unlessForced(
  { forceRemove, onProgress }: { forceRemove: boolean; onProgress: OnProgress },
  stop: OffprintError,
): void {
  if (!forceRemove) throw stop;
  onProgress({ kind: "note", message: `going on because of --force-remove: ${stop.message}` });
}
