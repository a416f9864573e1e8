import { stat } from "node:fs/promises";
import { join } from "node:path";
import { manifestFile, seenPointer } from "../snapshot/layout.js";
import type { SnapshotSettings } from "./snapshot-settings.js";

/** How often a store is asked for a new pointer, in milliseconds. */
export const storeIntervalMs = 10_000;

/**
 * Absolute path of a snapshot's pointer; for a store, of the local file with its last known state.
 */
export function pointerFile({ dir, config: { output } }: SnapshotSettings): string {
  return join(dir, output.store === undefined ? manifestFile : seenPointer);
}

/**
 * The pointer's file state: changes with every commit, "" if there is no file. Read it before the
 * pointer, so that a commit in between is found the next time.
 */
export async function pointerState(file: string): Promise<string> {
  try {
    const { ino, mtimeMs, size } = await stat(file);
    return `${ino} ${mtimeMs} ${size}`;
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")) return "";
    throw error;
  }
}
