import { stat } from "node:fs/promises";
import { join } from "node:path";
import { manifestFile, seenPointer } from "../snapshot/layout.js";
import type { SnapshotSettings } from "./snapshot-settings.js";

/** How often a store is asked for a new pointer, in milliseconds. */
export const storeIntervalMs = 10_000;

/** Absolute path of the pointer; for a store, of the local file with its last known state. */
export function pointerFile({ dir, config: { output } }: SnapshotSettings): string {
  return join(dir, output.store === undefined ? manifestFile : seenPointer);
}

/** Changes with every commit; "": no file. Read it before the pointer, so no commit is missed. */
export async function pointerState(file: string): Promise<string> {
  try {
    const { ino, mtimeMs, size } = await stat(file);
    return `${ino} ${mtimeMs} ${size}`;
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")) return "";
    throw error;
  }
}
