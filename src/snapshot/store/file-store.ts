import { readFileSync } from "node:fs";
import { readdir, readFile, rename, unlink } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import { mapBounded } from "../../lib/concurrency/map-bounded.js";
import { errnoOf, fileError, isAbsent } from "./file-error.js";
import { lookAtFiles, readBeginning, readByPieces, readFolder } from "./file-reads.js";
import {
  holds,
  holdsSameBytes,
  isTemporary,
  linkExclusively,
  newTemporaryName,
  syncFile,
  TemporaryFile,
  writeAside,
} from "./file-writes.js";
import { Folders, parentOf } from "./folders.js";
import {
  checkFolderName,
  checkName,
  type ObjectWriter,
  type Store,
  type StoredBytes,
  type StoreEntry,
} from "./store.js";
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
  return new FileStore(root, options);
}

class FileStore implements Store {
  readonly folder: string;
  readonly #temporary: NonNullable<FileStoreOptions["temporary"]>;
  readonly #rebuildable: NonNullable<FileStoreOptions["rebuildable"]>;
  readonly #folders: Folders;
  /** The folder as paths in it begin. */
  readonly #start: string;
  /** Names of files that the next flush makes durable. */
  readonly #unsynced = new Set<string>();
  #failedSync: unknown;

  constructor(root: string, { temporary = "beside", rebuildable = () => false }: FileStoreOptions) {
    this.folder = resolve(root);
    this.#temporary = temporary;
    this.#rebuildable = rebuildable;
    this.#folders = new Folders(this.folder);
    this.#start = join(this.folder, sep);
  }

  async put(name: string, bytes: Uint8Array): Promise<void> {
    checkName(name);
    await this.#writing(name, async () => {
      const path = this.#pathOf(name);
      if (!(await holds(path, bytes))) await this.#write(name, bytes, false, (interim) => rename(interim, path));
      // A process that was killed before its flush may have left the file: it has to be synced too.
      this.#placed(name);
    });
  }

  async begin(): Promise<ObjectWriter> {
    const interim = this.#temporaryName("");
    const file = await this.#writing(interim, async () => {
      await this.#folders.ensure(parentOf(interim));
      return TemporaryFile.create(this.#pathOf(interim));
    });
    return {
      write: (bytes) => this.#writing(interim, () => file.append(bytes)),
      finish: async (name) => {
        checkName(name);
        await this.#writing(name, () => this.#finish(file, name));
      },
      discard: () => file.discard(),
    };
  }

  async get(name: string, mostBytes?: number): Promise<Uint8Array | undefined> {
    checkName(name);
    try {
      if (mostBytes !== undefined) return await readBeginning(this.#pathOf(name), mostBytes + 1);
      return await whenFileIsFree(() => readFile(this.#pathOf(name)));
    } catch (error) {
      return this.#unread(error, name);
    }
  }

  getNow(name: string): Uint8Array | undefined {
    checkName(name);
    try {
      return readFileSync(this.#pathOf(name));
    } catch (error) {
      return this.#unread(error, name);
    }
  }

  async read(name: string): Promise<StoredBytes | undefined> {
    checkName(name);
    return readByPieces(this.#pathOf(name));
  }

  async list(folder: string): Promise<StoreEntry[]> {
    return lookAtFiles(await this.names(folder), (name) => this.#pathOf(name), openFiles);
  }

  async names(folder: string): Promise<string[]> {
    checkFolderName(folder);
    const names: string[] = [];
    const open = [folder];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { files, subfolders } = await readFolder(this.#pathOf(next), next);
      for (const file of files) names.push(file);
      for (const subfolder of subfolders) open.push(subfolder);
    }
    return names.sort();
  }

  async remove(name: string): Promise<void> {
    checkName(name);
    await this.#writing(name, async () => {
      if (!(await this.#folders.exists(parentOf(name)))) return;
      try {
        await unlink(this.#pathOf(name));
      } catch (error) {
        if (errnoOf(error) !== "ENOENT") throw error;
      }
      this.#unsynced.delete(name);
      this.#folders.changed(parentOf(name));
      await this.#folders.removeEmpty(parentOf(name));
    });
  }

  async flush(): Promise<void> {
    if (this.#failedSync !== undefined) throw this.#failedSync;
    const names = [...this.#unsynced];
    this.#unsynced.clear();
    await this.#syncing(async () => {
      await mapBounded(names, openFiles, (name) => syncFile(this.#pathOf(name)));
      await this.#folders.sync();
    });
    if (this.#temporary !== "beside") await this.#folders.removeEmpty(this.#temporary.folder);
  }

  async advance(name: string, bytes: Uint8Array): Promise<boolean> {
    checkName(name);
    const created = await this.#writing(name, () =>
      this.#write(name, bytes, true, async (interim) => {
        const first = await linkExclusively(interim, this.#pathOf(name), bytes);
        await unlink(interim).catch(() => undefined);
        return first;
      }),
    );
    if (created) await this.#syncing(() => this.#folders.sync());
    return created;
  }

  async replace(name: string, bytes: Uint8Array): Promise<void> {
    checkName(name);
    const isSyncedLater = this.#rebuildable(name);
    await this.#writing(name, () =>
      this.#write(name, bytes, !isSyncedLater, (interim) => rename(interim, this.#pathOf(name))),
    );
    if (isSyncedLater) this.#unsynced.add(name);
  }

  /** Joining segments would look for `..` in each, which no name has: of ten thousand files, a sixth of looking at them. */
  #pathOf(name: string): string {
    if (name === "") return this.folder;
    return this.#start + (sep === "/" ? name : name.replaceAll("/", sep));
  }

  #temporaryName(name: string): string {
    const folder = this.#temporary === "beside" ? parentOf(name) : this.#temporary.folder;
    return folder === "" ? newTemporaryName() : `${folder}/${newTemporaryName()}`;
  }

  /** Runs one write, and turns its failure into an error to report. A folder that was removed meanwhile is created again. */
  async #writing<T>(name: string, run: () => Promise<T>): Promise<T> {
    if (this.#failedSync !== undefined) throw this.#failedSync;
    try {
      try {
        return await run();
      } catch (error) {
        if (errnoOf(error) !== "ENOENT") throw error;
        this.#folders.forget();
        return await run();
      }
    } catch (error) {
      throw fileError(error, this.#pathOf(name));
    }
  }

  /** Writes the bytes under a temporary name and hands them to `place`, which gives them their name. */
  async #write<T>(name: string, bytes: Uint8Array, sync: boolean, place: (path: string) => Promise<T>): Promise<T> {
    const interim = this.#temporaryName(name);
    await this.#folders.ensure(parentOf(interim));
    await this.#folders.ensure(parentOf(name));
    const path = this.#pathOf(interim);
    const result = await writeAside(path, bytes, sync, () => place(path));
    this.#folders.changed(parentOf(name));
    return result;
  }

  /** Gives a file that was written piece by piece its name, unless the same bytes have it. */
  async #finish(file: TemporaryFile, name: string): Promise<void> {
    await file.close();
    if (await holdsSameBytes(this.#pathOf(name), file.path)) await unlink(file.path);
    else {
      await this.#folders.ensure(parentOf(name));
      await rename(file.path, this.#pathOf(name));
    }
    this.#placed(name);
  }

  /** Its bytes and its name are durable after the next flush. */
  #placed(name: string): void {
    this.#folders.changed(parentOf(name));
    this.#unsynced.add(name);
  }

  async #syncing(run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      this.#failedSync = fileError(error, this.folder);
      throw this.#failedSync;
    }
  }

  /** What came of a read that failed: there is no such file, or the error to report. */
  #unread(error: unknown, name: string): undefined {
    if (isAbsent(error)) return undefined;
    throw fileError(error, this.#pathOf(name));
  }
}

/**
 * Removes files that an interrupted process left under a temporary name. Only for the holder of the lock, because the
 * files of a running writer are removed too. With `temporary: "beside"` the whole tree is searched.
 */
export async function removeTemporaryFiles(root: string, options: FileStoreOptions = {}): Promise<void> {
  const base = resolve(root);
  const { temporary = "beside" } = options;
  const folders = new Folders(base);
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
