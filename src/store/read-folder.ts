import { lstat, readdir } from "node:fs/promises";
import { fileError, isAbsent } from "./file-error.js";
import type { StoreEntry } from "./store.js";
import { isTemporary } from "./temporary-name.js";
import { whenFileIsFree } from "./when-file-is-free.js";

/**
 * The names of the files and folders in one folder, without files under a temporary name; none when the folder is missing.
 *
 * @param folder its name in the store, which begins the names of what it holds
 * @throws OffprintError `OUTPUT_UNUSABLE` when it cannot be read
 */
export async function readFolder(path: string, folder: string): Promise<{ files: string[]; subfolders: string[] }> {
  let children: Awaited<ReturnType<typeof readChildren>>;
  try {
    children = await readChildren(path);
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

/** Size and time of a file; undefined where it went while its folder was read. */
export async function lookAt(path: string, name: string): Promise<StoreEntry | undefined> {
  const found = await lstat(path).catch(() => undefined);
  return found && { name, size: found.size, modifiedMs: Math.trunc(found.mtimeMs) };
}

function readChildren(path: string) {
  return whenFileIsFree(() => readdir(path, { withFileTypes: true }));
}
