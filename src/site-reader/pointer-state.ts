import { stat } from "node:fs/promises";

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
