import { unwatchFile, watchFile } from "node:fs";
import { join } from "node:path";
import { currentManifest } from "../snapshot/current-manifest.js";
import { manifestFile } from "../snapshot/layout.js";
import { openFileStore } from "../store/file-store.js";
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
 * `generation: "latest"`. Keeps no process alive.
 *
 * @param dir the output folder; default: as in `openSnapshot`. There need not be a snapshot yet
 * @throws OffprintError `CONFIG_MISSING`, `CONFIG_INVALID`
 */
export async function watchSnapshot(
  dir: string | undefined,
  onGeneration: (generation: number) => void,
  options: WatchSnapshotOptions = {},
): Promise<SnapshotWatch> {
  const settings = await snapshotSettings(dir, options);
  const file = join(settings.dir, manifestFile);
  const generation = async () => {
    // A damaged pointer, or one that is just replaced, is no news.
    const manifest = await currentManifest(openFileStore(settings.dir)).catch(() => undefined);
    return manifest?.generation;
  };
  let last = await generation();
  const look = async (): Promise<void> => {
    const found = await generation();
    if (found === undefined || found === last) return;
    last = found;
    onGeneration(found);
  };
  const listener = () => void look();
  watchFile(file, { persistent: false, interval: options.intervalMs ?? 500 }, listener);
  return { file, close: () => unwatchFile(file, listener) };
}
