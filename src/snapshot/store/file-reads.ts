import { type Dirent, lstatSync, type Stats } from "node:fs";
import { type FileHandle, lstat, open, readdir, stat } from "node:fs/promises";
import { mapBounded } from "../../lib/concurrency/map-bounded.js";
import { fileError, isAbsent, whenFileIsFree } from "./file-error.js";
import { isTemporary } from "./file-writes.js";
import type { StoredBytes, StoreEntry } from "./store.js";

/** @throws OffprintError `OUTPUT_UNUSABLE` if it cannot be read, also from its pieces */
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

/** The first bytes of a regular file, at most so many; undefined for anything else. */
export async function readBeginning(path: string, mostBytes: number): Promise<Uint8Array | undefined> {
  const found = await stat(path);
  if (!found.isFile()) return undefined;
  const file = await whenFileIsFree(() => open(path));
  return readOnce(file, { start: 0, end: Math.min(found.size, mostBytes) });
}

/** A range up to this size is one piece. */
const pieceBytes = 256 * 1024;

/** A range as one piece: takes a third of a stream's time. Closes the file. */
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
  // A stream's `end` is inclusive.
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

/** Without temporary files; empty if the folder is missing. @param folder its name in the store */
export async function readFolder(path: string, folder: string): Promise<{ files: string[]; subfolders: string[] }> {
  let children: Dirent[];
  try {
    children = await whenFileIsFree(() => readdir(path, { withFileTypes: true }));
  } catch (error) {
    if (isAbsent(error)) return { files: [], subfolders: [] };
    throw fileError(error, path);
  }
  const nameOf = ({ name }: { name: string }) => (folder === "" ? name : `${folder}/${name}`);
  return {
    files: children.filter((child) => child.isFile() && !isTemporary(child.name)).map(nameOf),
    subfolders: children.filter((child) => child.isDirectory()).map(nameOf),
  };
}

/** Files per synchronous slice, and the time that a nearby disk takes for it, in milliseconds. */
const slice = { files: 100, ms: 10 };

/** After a slow slice, this many times as many files go to other threads. */
const backOff = 8;

/** Synchronous slices take a third of the time on a nearby disk; elsewhere `parallel` files are requested at once. */
export async function lookAtFiles(
  names: readonly string[],
  pathOf: (name: string) => string,
  parallel: number,
  now: () => number = () => performance.now(),
): Promise<StoreEntry[]> {
  const entries: (StoreEntry | undefined)[] = [];
  const next = (files: number) => names.slice(entries.length, entries.length + files);
  let aside = 0;
  while (entries.length < names.length) {
    const startedMs = now();
    for (const name of next(slice.files)) entries.push(entryOf(name, lookNow(pathOf(name))));
    const isAtHand = now() - startedMs < slice.ms;
    aside = isAtHand ? 0 : Math.max(slice.files, aside * backOff);
    await new Promise(setImmediate);
    const looked = await mapBounded(next(aside), parallel, async (name) =>
      entryOf(name, await lstat(pathOf(name)).catch(() => undefined)),
    );
    for (const entry of looked) entries.push(entry);
  }
  return entries.filter((entry) => entry !== undefined);
}

function lookNow(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function entryOf(name: string, found: Stats | undefined): StoreEntry | undefined {
  return found && { name, size: found.size, modifiedMs: Math.trunc(found.mtimeMs) };
}
