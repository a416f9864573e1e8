import { type FileHandle, lstat, open } from "node:fs/promises";
import { errnoOf, shortWrite } from "./file-error.js";
import { whenFileIsFree } from "./when-file-is-free.js";

/** A file that is written piece by piece. */
export interface PartialFile {
  /** Adds bytes at the end. */
  append(bytes: Uint8Array): Promise<void>;
  /**
   * Checks that all bytes were written, and closes the file. A second call gives the result of the first.
   * @throws Error with the code `ENOSPC` when the file holds fewer bytes than were written
   */
  close(): Promise<void>;
}

/** Creates a file that must not exist yet. */
export async function openPartialFile(path: string): Promise<PartialFile> {
  const handle = await whenFileIsFree(() => open(path, "wx"));
  let written = 0;
  let closed: Promise<void> | undefined;
  const end = async () => {
    try {
      const { size } = await handle.stat();
      if (size !== written) throw shortWrite(size, written);
    } finally {
      await handle.close();
    }
  };
  return {
    async append(bytes) {
      await handle.appendFile(bytes);
      written += bytes.length;
    },
    close() {
      closed ??= end();
      return closed;
    },
  };
}

const pieceBytes = 65_536;

/** Whether `path` is a regular file with the bytes of the file at `of`; holds a piece of both in memory. */
export async function holdsSameBytes(path: string, of: string): Promise<boolean> {
  const found = await lstat(path).catch((error: unknown) => {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw error;
  });
  if (found === undefined || !found.isFile() || found.size !== (await lstat(of)).size) return false;
  const handles = [await whenFileIsFree(() => open(path, "r"))];
  try {
    handles.push(await whenFileIsFree(() => open(of, "r")));
    return await equal(handles);
  } finally {
    for (const handle of handles) await handle.close();
  }
}

async function equal(handles: readonly FileHandle[]): Promise<boolean> {
  for (let at = 0; ; at += pieceBytes) {
    const [left, right] = await Promise.all(handles.map((handle) => pieceAt(handle, at)));
    if (left === undefined || right === undefined || !left.equals(right)) return false;
    if (left.length < pieceBytes) return true;
  }
}

/** A whole piece, or what is left of the file. */
async function pieceAt(handle: FileHandle, at: number): Promise<Buffer> {
  const piece = Buffer.allocUnsafe(pieceBytes);
  let filled = 0;
  while (filled < pieceBytes) {
    const { bytesRead } = await handle.read(piece, filled, pieceBytes - filled, at + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return piece.subarray(0, filled);
}
