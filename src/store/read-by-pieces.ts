import { open, stat } from "node:fs/promises";
import { fileError, isAbsent } from "./file-error.js";
import type { StoredBytes } from "./store.js";
import { whenFileIsFree } from "./when-file-is-free.js";

/**
 * A file of the file system, piece by piece; undefined when there is none.
 * @throws OffprintError `OUTPUT_UNUSABLE` when it cannot be read; its pieces throw that too
 */
export async function readByPieces(path: string): Promise<StoredBytes | undefined> {
  try {
    const found = await stat(path);
    if (!found.isFile()) return undefined;
    return { size: found.size, pieces: (range) => piecesOf(path, range) };
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw fileError(error, path);
  }
}

async function* piecesOf(path: string, range?: { start: number; end: number }): AsyncGenerator<Uint8Array> {
  if (range !== undefined && range.end <= range.start) return;
  // `end` of a stream is inclusive.
  const part = range === undefined ? {} : { start: range.start, end: range.end - 1 };
  try {
    const file = await whenFileIsFree(() => open(path));
    for await (const piece of file.createReadStream(part)) yield piece as Uint8Array;
  } catch (error) {
    throw fileError(error, path);
  }
}
