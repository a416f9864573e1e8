import { readFileSync } from "node:fs";
import { readdir, readFile, rename, unlink } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import { mapBounded } from "../../lib/concurrency/map-bounded.js";
import { errnoOf, fileError, isAbsent, unlessMissing, whenFileIsFree } from "./file-error.js";
import { lookAtFiles, readBeginning, readByPieces, readFolder } from "./file-reads.js";
import {
  createWhole,
  holds,
  holdsSameBytes,
  isTemporary,
  linkExclusively,
  newTemporaryName,
  syncFile,
  TemporaryFile,
  writeAside,
} from "./file-writes.js";
import { flushFileSystem } from "./flush-file-system.js";
import { Folders, parentOf } from "./folders.js";
import {
  checkFolderName,
  checkName,
  type ObjectWriter,
  type Store,
  type StoredBytes,
  type StoreEntry,
} from "./store.js";

/** Files synced at a time. */
const openFiles = 16;
/** From so many files and folders on, the whole file system is flushed. That also waits for what other programs wrote. */
const worthFileSystem = 100;
/** So many names wait for a flush: a tree may have hundreds of thousands. */
const mostUnsynced = 20_000;

export interface FileStoreOptions {
  /** Incomplete files are beside the final one (default), or in a folder, on the same device. */
  temporary?: "beside" | { folder: string };
  /** True if all files can be made again: the next {@link Store.flush} syncs them, not `replace`. */
  rebuildable?: boolean;
}

/**
 * Files below a folder, which the first write creates. Writes follow no symbolic link below the
 * root; the root itself must not be a link, or inside a `.git` folder. A file is written under
 * another name, checked for its size, and renamed, so readers never see part of it. After a failed
 * fsync, all further writes are refused: the system may have dropped the data, and another fsync
 * would still succeed.
 */
export function openFileStore(root: string, options: FileStoreOptions = {}): Store & Required<Pick<Store, "getNow">> {
  return new FileStore(root, options);
}

class FileStore implements Store {
  readonly folder: string;
  readonly #temporary: NonNullable<FileStoreOptions["temporary"]>;
  readonly #rebuildable: boolean;
  readonly #folders: Folders;
  /** The prefix of paths in the folder. */
  readonly #start: string;
  /** Files that the next flush makes durable. */
  readonly #unsynced = new Set<string>();
  #failedSync: unknown;

  constructor(root: string, { temporary = "beside", rebuildable = false }: FileStoreOptions) {
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
      // A process killed before its flush may have left the file: sync it too.
      this.#placed(name);
    });
    if (this.#unsynced.size >= mostUnsynced) await this.flush();
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
      await unlessMissing(unlink(this.#pathOf(name)));
      this.#unsynced.delete(name);
      this.#folders.changed(parentOf(name));
      await this.#folders.removeEmpty(parentOf(name));
    });
  }

  async flush(): Promise<void> {
    if (this.#failedSync !== undefined) throw this.#failedSync;
    const [names, folders] = [[...this.#unsynced], this.#folders.takeChanged()];
    this.#unsynced.clear();
    await this.#syncing(async () => {
      if (names.length + folders.length >= worthFileSystem && (await this.#flushTogether(names, folders))) return;
      await mapBounded(names, openFiles, (name) => syncFile(this.#pathOf(name)));
      await this.#folders.sync(folders);
    });
    if (this.#temporary !== "beside") await this.#folders.removeEmpty(this.#temporary.folder);
  }

  #flushTogether(names: readonly string[], folders: readonly string[]): Promise<boolean> {
    // `advance` may have synced a folder before its files.
    const paths = [...new Set([...names.map(parentOf), ...folders])].map((folder) => this.#pathOf(folder));
    return flushFileSystem(this.folder, paths);
  }

  async advance(name: string, bytes: Uint8Array): Promise<boolean> {
    checkName(name);
    const created = await this.#writing(name, () =>
      this.#write(name, bytes, true, async (interim) => {
        const path = this.#pathOf(name);
        const first = await linkExclusively(interim, path, () => createWhole(path, bytes));
        await unlink(interim).catch(() => undefined);
        return first;
      }),
    );
    if (created) await this.#syncing(() => this.#folders.sync(this.#folders.takeChanged()));
    return created;
  }

  async replace(name: string, bytes: Uint8Array): Promise<void> {
    checkName(name);
    await this.#writing(name, () =>
      this.#write(name, bytes, !this.#rebuildable, (interim) => rename(interim, this.#pathOf(name))),
    );
    if (this.#rebuildable) this.#unsynced.add(name);
  }

  /** Not path.join: normalizing costs a sixth of the time, and names contain no `..`. */
  #pathOf(name: string): string {
    if (name === "") return this.folder;
    return this.#start + (sep === "/" ? name : name.replaceAll("/", sep));
  }

  #temporaryName(name: string): string {
    const folder = this.#temporary === "beside" ? parentOf(name) : this.#temporary.folder;
    return folder === "" ? newTemporaryName() : `${folder}/${newTemporaryName()}`;
  }

  /** Runs a write, creates a removed folder again, and turns failures into reportable errors. */
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

  /** Writes a temporary file and passes it to `place`, which gives it its name. */
  async #write<T>(name: string, bytes: Uint8Array, sync: boolean, place: (path: string) => Promise<T>): Promise<T> {
    const interim = this.#temporaryName(name);
    await this.#folders.ensure(parentOf(interim));
    await this.#folders.ensure(parentOf(name));
    const path = this.#pathOf(interim);
    const result = await writeAside(path, bytes, sync, () => place(path));
    this.#folders.changed(parentOf(name));
    return result;
  }

  /** Names a finished file, unless the same bytes already have the name. */
  async #finish(file: TemporaryFile, name: string): Promise<void> {
    await file.close();
    if (await holdsSameBytes(this.#pathOf(name), file.path)) await unlink(file.path);
    else {
      await this.#folders.ensure(parentOf(name));
      await rename(file.path, this.#pathOf(name));
    }
    this.#placed(name);
  }

  /** The next flush makes its bytes and name durable. */
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

  /** Returns undefined for a missing file; throws a reportable error for other failed reads. */
  #unread(error: unknown, name: string): undefined {
    if (isAbsent(error)) return undefined;
    throw fileError(error, this.#pathOf(name));
  }
}

/** For the holder of the lock: also removes those of a running writer. `beside` searches the whole tree. */
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
