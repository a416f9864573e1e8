import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { mapBounded } from "../map-bounded.js";
import { fileError, isAbsent } from "./file-error.js";
import type { StoreEntry } from "./store.js";
import { isTemporary } from "./temporary-name.js";
import { whenFileIsFree } from "./when-file-is-free.js";

/** How many files are looked at at the same time. */
const openFiles = 16;

/**
 * The files and folders in one folder, without files under a temporary name; none when the folder is missing.
 *
 * @param folder its name in the store, which begins the names of what it holds
 * @throws OffprintError `OUTPUT_UNUSABLE` when it cannot be read
 */
export async function readFolder(path: string, folder: string): Promise<{ files: StoreEntry[]; subfolders: string[] }> {
  let children: Awaited<ReturnType<typeof readChildren>>;
  try {
    children = await readChildren(path);
  } catch (error) {
    if (isAbsent(error)) return { files: [], subfolders: [] };
    throw fileError(error, path);
  }
  const nameOf = (child: string) => (folder === "" ? child : `${folder}/${child}`);
  const files = await mapBounded(
    children.filter((child) => child.isFile() && !isTemporary(child.name)),
    openFiles,
    async (child) => {
      // A file may go while its folder is read.
      const found = await lstat(join(path, child.name)).catch(() => undefined);
      return found === undefined
        ? []
        : [{ name: nameOf(child.name), size: found.size, modifiedMs: Math.trunc(found.mtimeMs) }];
    },
  );
  return {
    files: files.flat(),
    subfolders: children.filter((child) => child.isDirectory()).map((child) => nameOf(child.name)),
  };
}

function readChildren(path: string) {
  return whenFileIsFree(() => readdir(path, { withFileTypes: true }));
}
