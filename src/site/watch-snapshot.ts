import { openReadable } from "../snapshot/open-readable.js";
import { pointerFile, pointerState, storeIntervalMs } from "./pointer-state.js";
import type { OpenSnapshotOptions } from "./snapshot.js";
import { snapshotSettings } from "./snapshot-settings.js";

/** A snapshot that is watched. */
export interface SnapshotWatch {
  /**
   * Absolute path of the pointer, the file that every commit replaces: for the watcher of a framework. Of a store, a file of
   * this machine, which is replaced when a newer generation is found.
   */
  file: string;
  /** Stops watching. */
  close(): void;
}

export interface WatchSnapshotOptions extends Pick<OpenSnapshotOptions, "config" | "store"> {
  /**
   * How often the pointer's date is looked at, or a store is asked whether its pointer is the same, in milliseconds; default
   * 500 for a folder, 10,000 for a store.
   */
  intervalMs?: number;
}

/**
 * Calls back for every generation that is committed from now on: for a development server, which opens it with
 * `generation: "latest"`. Of several commits at once only the last may be told. Keeps no process alive.
 *
 * @param dir the output folder, or the address of a store; default: as in `openSnapshot`. There need not be a snapshot yet
 * @param onGeneration a promise that it returns is awaited before the next call. Where it fails, the error is a warning of
 * the process, and watching goes on
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
  /** Of a store the answer of the last request tells, which the look at its generation sends. */
  const stateOfFolder = async () => (store === undefined ? pointerState(file) : undefined);
  let seen: string | undefined = await stateOfFolder().catch(() => undefined);
  // A damaged pointer, or one that is just replaced, is no news. A store that cannot be reached is asked again.
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
