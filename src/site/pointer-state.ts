import { stat } from "node:fs/promises";
import { join } from "node:path";
import { manifestFile, seenPointer } from "../snapshot/layout.js";
import type { SnapshotSettings } from "./snapshot-settings.js";

/** How often a store is asked whether its pointer is the same, in milliseconds. */
export const storeIntervalMs = 10_000;

/** Absolute path of a snapshot's pointer; of a store, of the file that has what was seen of it last. */
export function pointerFile({ dir, config: { output } }: SnapshotSettings): string {
  return join(dir, output.store === undefined ? manifestFile : seenPointer);
}

/**
 * The file system's record of a snapshot's pointer: another text after every commit, and the empty one where there is no
 * such file. Taken before the pointer is read, what is committed in between is found the next time.
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
