import { type FileHandle, open, stat } from "node:fs/promises";
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

/** The first bytes of a file of the file system, at most so many; undefined if it is no regular file, as a device is. */
export async function readBeginning(path: string, mostBytes: number): Promise<Uint8Array | undefined> {
  const found = await stat(path);
  if (!found.isFile()) return undefined;
  const file = await whenFileIsFree(() => open(path));
  return readOnce(file, { start: 0, end: Math.min(found.size, mostBytes) });
}

/** A range of up to so many bytes is one piece. */
const pieceBytes = 256 * 1024;

/** A range as one piece, which takes a third of the time that a stream takes. Closes the file. */
async function readOnce(file: FileHandle, { start, end }: { start: number; end: number }): Promise<Uint8Array> {
  try {
    const bytes = Buffer.allocUnsafeSlow(end - start);
    let filled = 0;
    for (let read = -1; read !== 0 && filled < bytes.length; filled += read) {
      read = (await file.read(bytes, filled, bytes.length - filled, start + filled)).bytesRead;
    }
    return bytes.subarray(0, filled);
  } finally {
    await file.close();
  }
}

async function* piecesOf(path: string, range?: { start: number; end: number }): AsyncGenerator<Uint8Array> {
  if (range !== undefined && range.end <= range.start) return;
  // `end` of a stream is inclusive.
  const part = range === undefined ? {} : { start: range.start, end: range.end - 1 };
  try {
    const file = await whenFileIsFree(() => open(path));
    if (range !== undefined && range.end - range.start <= pieceBytes) {
      yield await readOnce(file, range);
      return;
    }
    for await (const piece of file.createReadStream(part)) yield piece as Uint8Array;
  } catch (error) {
    throw fileError(error, path);
  }
}
