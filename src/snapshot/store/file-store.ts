import { readFileSync } from "node:fs";
import { readdir, readFile, rename, unlink } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import { mapBounded } from "../../lib/concurrency/map-bounded.js";
import { errnoOf, fileError, isAbsent } from "./file-error.js";
import { holds, linkExclusively, syncFile, writeWhole } from "./file-writes.js";
import { openFolders, parentOf } from "./folders.js";
import { holdsSameBytes, openPartialFile } from "./partial-file.js";
import { readBeginning, readByPieces } from "./read-by-pieces.js";
import { lookAtFiles, readFolder } from "./read-folder.js";
import type { Store } from "./store.js";
import { checkFolderName, checkName } from "./store-name.js";
import { isTemporary, newTemporaryName } from "./temporary-name.js";
import { whenFileIsFree } from "./when-file-is-free.js";

/** How many files are synced at the same time. */
const openFiles = 16;

export interface FileStoreOptions {
  /**
   * Where incomplete files lie: hidden beside the file that they become (the default, for a root that others use
   * too), or in a folder of the root, which has to be on the same device.
   */
  temporary?: "beside" | { folder: string };
  /**
   * Which files can be made again. `replace` does not sync them; the next {@link Store.flush} does, many at a time. A
   * file that is written after that flush has to say that they are whole. Default: none.
   */
  rebuildable?: (name: string) => boolean;
}

/**
 * Files below a folder of the file system, which the first write creates. No write follows a symbolic link below the
 * root, and the root itself must not be one, or lie in a `.git` folder. A file is written under another name, checked
 * for its size, and renamed: no reader sees a part of it.
 *
 * After a failed fsync every further write is refused: the system may have dropped the data, and a second fsync would
 * succeed nevertheless.
 */
export function openFileStore(root: string, options: FileStoreOptions = {}): Store {
  const base = resolve(root);
  const { temporary = "beside", rebuildable = () => false } = options;
  const folders = openFolders(base);
  const unsynced = new Set<string>();
  let failedSync: unknown;

  const start = join(base, sep);
  // Joining segments would look for `..` in each, which no name has: of ten thousand files, a sixth of looking at them.
  const pathOf = (name: string) => (name === "" ? base : start + (sep === "/" ? name : name.replaceAll("/", sep)));
  const temporaryName = (name: string) => {
    const folder = temporary === "beside" ? parentOf(name) : temporary.folder;
    return folder === "" ? newTemporaryName() : `${folder}/${newTemporaryName()}`;
  };

  /**
   * Runs one write, and turns its failure into an error to report. A folder that was removed meanwhile is created
   * again.
   */
  const writing = async <T>(name: string, run: () => Promise<T>): Promise<T> => {
    if (failedSync !== undefined) throw failedSync;
    try {
      try {
        return await run();
      } catch (error) {
        if (errnoOf(error) !== "ENOENT") throw error;
        folders.forget();
        return await run();
      }
    } catch (error) {
      throw fileError(error, pathOf(name));
    }
  };
  /** Writes the bytes under a temporary name and hands them to `place`, which gives them their name. */
  const write = async <T>(name: string, bytes: Uint8Array, sync: boolean, place: (path: string) => Promise<T>) => {
    const interim = temporaryName(name);
    await folders.ensure(parentOf(interim));
    await folders.ensure(parentOf(name));
    const path = pathOf(interim);
    try {
      await writeWhole(path, bytes, sync);
      const result = await place(path);
      folders.changed(parentOf(name));
      return result;
    } catch (error) {
      await unlink(path).catch(() => undefined);
      throw error;
    }
  };
  /** The files below a folder, in code-unit order. */
  const allNames = async (folder: string): Promise<string[]> => {
    const names: string[] = [];
    const open = [folder];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { files, subfolders } = await readFolder(pathOf(next), next);
      for (const file of files) names.push(file);
      for (const subfolder of subfolders) open.push(subfolder);
    }
    return names.sort();
  };
  const syncing = async (run: () => Promise<void>) => {
    try {
      await run();
    } catch (error) {
      failedSync = fileError(error, base);
      throw failedSync;
    }
  };

  return {
    folder: base,

    async put(name, bytes) {
      checkName(name);
      await writing(name, async () => {
        if (!(await holds(pathOf(name), bytes))) {
          await write(name, bytes, false, (interim) => rename(interim, pathOf(name)));
        }
        // A process that was killed before its flush may have left the file: it has to be synced too.
        folders.changed(parentOf(name));
        unsynced.add(name);
      });
    },

    async begin() {
      const interim = temporaryName("");
      const path = pathOf(interim);
      const file = await writing(interim, async () => {
        await folders.ensure(parentOf(interim));
        return openPartialFile(path);
      });
      return {
        write: (bytes) => writing(interim, () => file.append(bytes)),
        async finish(name) {
          checkName(name);
          await writing(name, async () => {
            await file.close();
            if (await holdsSameBytes(pathOf(name), path)) await unlink(path);
            else {
              await folders.ensure(parentOf(name));
              await rename(path, pathOf(name));
            }
            folders.changed(parentOf(name));
            unsynced.add(name);
          });
        },
        async discard() {
          await file.close().catch(() => undefined);
          await unlink(path).catch(() => undefined);
        },
      };
    },

    async get(name, mostBytes) {
      checkName(name);
      try {
        if (mostBytes !== undefined) return await readBeginning(pathOf(name), mostBytes + 1);
        return await whenFileIsFree(() => readFile(pathOf(name)));
      } catch (error) {
        if (isAbsent(error)) return undefined;
        throw fileError(error, pathOf(name));
      }
    },

    getNow(name) {
      checkName(name);
      try {
        return readFileSync(pathOf(name));
      } catch (error) {
        if (isAbsent(error)) return undefined;
        throw fileError(error, pathOf(name));
      }
    },

    async read(name) {
      checkName(name);
      return readByPieces(pathOf(name));
    },

    async list(folder) {
      checkFolderName(folder);
      return lookAtFiles(await allNames(folder), pathOf, openFiles);
    },

    async names(folder) {
      checkFolderName(folder);
      return allNames(folder);
    },

    async remove(name) {
      checkName(name);
      await writing(name, async () => {
        if (!(await folders.exists(parentOf(name)))) return;
        try {
          await unlink(pathOf(name));
        } catch (error) {
          if (errnoOf(error) !== "ENOENT") throw error;
        }
        unsynced.delete(name);
        folders.changed(parentOf(name));
        await folders.removeEmpty(parentOf(name));
      });
    },

    async flush() {
      if (failedSync !== undefined) throw failedSync;
      const names = [...unsynced];
      unsynced.clear();
      await syncing(async () => {
        await mapBounded(names, openFiles, (name) => syncFile(pathOf(name)));
        await folders.sync();
      });
      if (temporary !== "beside") await folders.removeEmpty(temporary.folder);
    },

    async advance(name, bytes) {
      checkName(name);
      const created = await writing(name, () =>
        write(name, bytes, true, async (interim) => {
          const first = await linkExclusively(interim, pathOf(name), bytes);
          await unlink(interim).catch(() => undefined);
          return first;
        }),
      );
      if (created) await syncing(() => folders.sync());
      return created;
    },

    async replace(name, bytes) {
      checkName(name);
      await writing(name, () => write(name, bytes, !rebuildable(name), (interim) => rename(interim, pathOf(name))));
      if (rebuildable(name)) unsynced.add(name);
    },
  };
}

/**
 * Removes files that an interrupted process left under a temporary name. Only for the holder of the lock, because the
 * files of a running writer are removed too. With `temporary: "beside"` the whole tree is searched.
 */
export async function removeTemporaryFiles(root: string, options: FileStoreOptions = {}): Promise<void> {
  const base = resolve(root);
  const { temporary = "beside" } = options;
  const folders = openFolders(base);
  if (temporary !== "beside") {
    if (!(await folders.exists(temporary.folder))) return;
    const { emptyDir } = await import("fs-extra/esm");
    await emptyDir(join(base, ...temporary.folder.split("/")));
    await folders.removeEmpty(temporary.folder);
    return;
  }
  const entries = await whenFileIsFree(() => readdir(base, { recursive: true, withFileTypes: true })).catch(() => []);
  for (const entry of entries) {
    if (entry.isFile() && isTemporary(entry.name)) await unlink(join(entry.parentPath, entry.name));
  }
}
