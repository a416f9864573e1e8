import { openReadable } from "../snapshot/open-readable.js";
import type { OpenSnapshotOptions } from "./snapshot.js";
import { pointerFile, pointerState, snapshotSettings, storeIntervalMs } from "./snapshot-settings.js";

export interface SnapshotWatch {
  /**
   * Absolute path of the pointer, the file that every commit replaces, for a framework to watch.
   * For a store, a local file that is replaced when a newer generation is found.
   */
  file: string;
  close(): void;
}

export interface WatchSnapshotOptions extends Pick<OpenSnapshotOptions, "config" | "store"> {
  /** How often to look, in milliseconds; default 500 for a folder, 10,000 for a store. */
  intervalMs?: number;
}

/**
 * Calls back for every generation committed from now on: for a development server, which opens it
 * with `generation: "latest"`. May skip all but the last of several commits at once. Does not keep
 * the process alive.
 * @param dir the output folder, or a store address; default: as in `openSnapshot`. The snapshot may
 *   not exist yet
 * @param onGeneration a returned promise is awaited before the next call. A failure becomes a
 *   process warning, and watching continues
 * @throws OffprintError `CONFIG_MISSING`, `CONFIG_INVALID`
 */
export async function watchSnapshot(
  dir: string | undefined,
  onGeneration: (generation: number) => unknown,
  options: WatchSnapshotOptions = {},
): Promise<SnapshotWatch> {
  const settings = await snapshotSettings(dir, options);
  const { store } = settings.config.output;
  const file = pointerFile(settings);
  const snapshot = openReadable(settings.config.output);
  /** For a store, asking for its generation shows its state. */
  const stateOfFolder = async () => (store === undefined ? pointerState(file) : undefined);
  let seen: string | undefined = await stateOfFolder().catch(() => undefined);
  // Ignores a damaged pointer, or one just being replaced. An unreachable store is asked again.
  const currentGeneration = async () => (await snapshot.current().catch(() => undefined))?.generation;
  let last = await currentGeneration();
  let isLooking = false;
  let isClosed = false;
  const look = async (): Promise<void> => {
    const state = await stateOfFolder();
    if (state !== undefined && state === seen) return;
    const found = await currentGeneration();
    if (found === undefined || isClosed) return;
    seen = state;
    if (found === last) return;
    last = found;
    await onGeneration(found);
  };
  const tick = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    await look().catch(warn);
    isLooking = false;
  };
  const timer = setInterval(
    () => void tick(),
    options.intervalMs ?? (store === undefined ? 500 : storeIntervalMs),
  ).unref();
  const close = (): void => {
    isClosed = true;
    clearInterval(timer);
  };
  return { file, close };
}

function warn(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : String(error));
}
