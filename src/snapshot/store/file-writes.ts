import { constants, fstatSync, lstatSync } from "node:fs";
import { type FileHandle, link, open, unlink } from "node:fs/promises";
import { errnoOf, isAbsent, isWithoutLinks, shortWrite } from "./file-error.js";
import { whenFileIsFree } from "./when-file-is-free.js";

/** Creates a file that must not exist, and checks that all bytes were written: a full disk may not report it. */
export async function writeWhole(path: string, bytes: Uint8Array, sync: boolean): Promise<void> {
  const handle = await whenFileIsFree(() => open(path, "wx"));
  try {
    await handle.writeFile(bytes);
    // Of an open file this is at hand; asking another thread for it takes longer.
    const { size } = fstatSync(handle.fd);
    if (size !== bytes.length) throw shortWrite(size, bytes.length);
    if (sync) await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Whether a regular file with exactly these bytes is there. */
export async function holds(path: string, bytes: Uint8Array): Promise<boolean> {
  let handle: FileHandle;
  try {
    // Of most files nothing is there yet, which takes ten times as long to learn by opening them.
    const there = lstatSync(path, { throwIfNoEntry: false });
    if (there === undefined || !there.isFile() || there.size !== bytes.length) return false;
    handle = await whenFileIsFree(() => open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)));
  } catch (error) {
    // A symbolic link in the place of an object is replaced, not followed.
    if (isAbsent(error) || errnoOf(error) === "ELOOP") return false;
    throw error;
  }
  try {
    const found = await handle.stat();
    if (!found.isFile() || found.size !== bytes.length) return false;
    return (await handle.readFile()).equals(bytes);
  } finally {
    await handle.close();
  }
}

/** Gives the complete file its final name, unless that exists. Without hard links the file is written a second time. */
export async function linkExclusively(interim: string, path: string, bytes: Uint8Array): Promise<boolean> {
  try {
    await link(interim, path);
    return true;
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return false;
    if (!isWithoutLinks(error)) throw error;
  }
  try {
    await writeWhole(path, bytes, true);
    return true;
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return false;
    await unlink(path).catch(() => undefined);
    throw error;
  }
}

/** Makes the bytes of a file durable. */
export async function syncFile(path: string): Promise<void> {
  // Windows syncs only what is open for writing.
  const handle = await whenFileIsFree(() => open(path, "r+"));
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
