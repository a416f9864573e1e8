import type { OffprintError } from "../lib/errors.js";
import type { OnProgress } from "./crawl/run/progress.js";

/**
 * Stops a sync that would remove much. With `--force-remove` it reports the reason and goes on.
 * @param stop Why the sync stops; its message says what would happen.
 * @throws OffprintError `stop`, unless removals are forced.
 */
export type Brake = (stop: OffprintError) => void;

export function createBrake(forceRemove: boolean, onProgress: OnProgress): Brake {
  return (stop) => {
    if (!forceRemove) throw stop;
    onProgress({ kind: "note", message: `going on because of --force-remove: ${stop.message}` });
  };
}
