import { join } from "node:path";
import { currentManifest } from "../snapshot/current-manifest.js";
import { manifestFile } from "../snapshot/layout.js";
import { openFileStore } from "../store/file-store.js";
import { pointerState } from "./pointer-state.js";
import type { OpenSnapshotOptions } from "./snapshot.js";
import { snapshotSettings } from "./snapshot-settings.js";

/** A snapshot that is watched. */
export interface SnapshotWatch {
  /** Absolute path of the pointer, the file that every commit replaces: for the watcher of a framework. */
  file: string;
  /** Stops watching. */
  close(): void;
}

export interface WatchSnapshotOptions extends Pick<OpenSnapshotOptions, "config"> {
  /** How often the pointer's date is looked at, in milliseconds; default 500. */
  intervalMs?: number;
}

/**
 * Calls back for every generation that is committed from now on: for a development server, which opens it with
 * `generation: "latest"`. Of several commits at once only the last may be told. Keeps no process alive.
 *
 * @param dir the output folder; default: as in `openSnapshot`. There need not be a snapshot yet
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
  const file = join(settings.dir, manifestFile);
  let seen: string | undefined = await pointerState(file).catch(() => undefined);
  let last = await currentGeneration(settings.dir);
  let isLooking = false;
  let isClosed = false;
  const look = async (): Promise<void> => {
    const state = await pointerState(file);
    if (state === seen) return;
    const found = await currentGeneration(settings.dir);
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
  const timer = setInterval(() => void tick(), options.intervalMs ?? 500).unref();
  const close = (): void => {
    isClosed = true;
    clearInterval(timer);
  };
  return { file, close };
}

/** Undefined where there is none. A damaged pointer, or one that is just replaced, is no news either. */
async function currentGeneration(dir: string): Promise<number | undefined> {
  const manifest = await currentManifest(openFileStore(dir)).catch(() => undefined);
  return manifest?.generation;
}

function warn(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : String(error));
}
