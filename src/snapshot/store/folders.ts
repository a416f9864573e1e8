import { lstat, mkdir, open, rmdir, stat } from "node:fs/promises";
import { dirname, join, parse, sep } from "node:path";
import { mapBounded } from "../../lib/concurrency/map-bounded.js";
import { OffprintError } from "../../lib/errors.js";
import { errnoOf, unlessMissing, whenFileIsFree } from "./file-error.js";

/** Folders synced at a time. */
const openFolders = 16;

/** The folders below one root: created on demand, checked for links, removed when empty. */
export class Folders {
  readonly #root: string;
  readonly #known = new Set<string>();
  readonly #dirty = new Set<string>();

  constructor(root: string) {
    this.#root = root;
  }

  /** Creates a folder and its parents. @throws OffprintError `OUTPUT_UNUSABLE` for a link */
  async ensure(folder: string): Promise<void> {
    if (!this.#known.has("")) {
      await checkRoot(this.#root);
      await makeFolder(this.#root);
      this.#known.add("");
    }
    for (const path of pathsTo(folder)) {
      if (this.#known.has(path)) continue;
      try {
        await mkdir(join(this.#root, path));
      } catch (error) {
        if (errnoOf(error) !== "EEXIST") throw error;
        await isFolder(this.#root, path);
      }
      // A process may have been killed before it synced the parent.
      this.#dirty.add(parentOf(path));
      this.#known.add(path);
    }
  }

  /** @throws OffprintError `OUTPUT_UNUSABLE` if it or a parent is a link */
  async exists(folder: string): Promise<boolean> {
    for (const path of ["", ...pathsTo(folder)]) {
      if (this.#known.has(path)) continue;
      if (path === "") await checkRoot(this.#root);
      if (!(await isFolder(this.#root, path))) return false;
      this.#known.add(path);
    }
    return true;
  }

  /** Marks a folder's names as changed, for {@link takeChanged}. */
  changed(folder: string): void {
    this.#dirty.add(folder);
  }

  /** Removes a folder and its parents below the root while they are empty. */
  async removeEmpty(folder: string): Promise<void> {
    for (let path = folder; path !== ""; path = parentOf(path)) {
      try {
        await rmdir(join(this.#root, path));
      } catch (error) {
        if (errnoOf(error) === "ENOENT") continue;
        return;
      }
      this.#known.delete(path);
      this.#dirty.delete(path);
      this.#dirty.add(parentOf(path));
    }
  }

  /** Forgets which folders exist: another process may have removed some. */
  forget(): void {
    this.#known.clear();
  }

  /** The folders whose names changed since it was called last. */
  takeChanged(): string[] {
    const folders = [...this.#dirty];
    this.#dirty.clear();
    return folders;
  }

  /** Makes the names in these folders durable. */
  async sync(folders: readonly string[]): Promise<void> {
    await mapBounded(folders, openFolders, (folder) => syncFolder(join(this.#root, folder)));
  }
}

/** The folder of a store's name: `a/b` for `a/b/c.json`, `""` for `c.json`. */
export function parentOf(name: string): string {
  return name.slice(0, Math.max(0, name.lastIndexOf("/")));
}

/** `a`, `a/b`, `a/b/c` for `a/b/c`. */
function pathsTo(folder: string): string[] {
  if (folder === "") return [];
  const segments = folder.split("/");
  return segments.map((_, index) => segments.slice(0, index + 1).join("/"));
}

/** One at a time: Node's recursive `mkdir` blocks forever below a folder such as /proc. */
async function makeFolder(path: string): Promise<void> {
  const make = async () => {
    try {
      await mkdir(path);
      await syncFolder(dirname(path));
    } catch (error) {
      if (errnoOf(error) !== "EEXIST") throw error;
    }
  };
  try {
    await make();
  } catch (error) {
    if (errnoOf(error) !== "ENOENT" || dirname(path) === path) throw error;
    await makeFolder(dirname(path));
    await make();
  }
}

async function checkRoot(root: string): Promise<void> {
  if (root.slice(parse(root).root.length).split(sep).includes(".git")) {
    throw unusable(root, "is inside a .git folder", "Choose an output folder outside of .git.");
  }
  await isFolder(root, "");
}

/** Whether the folder exists. @throws OffprintError `OUTPUT_UNUSABLE` for a link or a file */
async function isFolder(root: string, path: string): Promise<boolean> {
  const full = join(root, path);
  const found = await unlessMissing(lstat(full));
  if (found === undefined) return false;
  if (found.isDirectory()) return true;
  if (found.isSymbolicLink()) throw unusable(full, "is a link", "Name the folder that it points to, or remove it.");
  throw unusable(full, "is a file, not a folder", "Move the file, or choose another folder.");
}

function unusable(path: string, what: string, hint: string): OffprintError {
  return new OffprintError("OUTPUT_UNUSABLE", `${path} ${what}.`, { hint });
}

/** Makes a folder's names durable. Windows has no such call, and needs none. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await unlessMissing(whenFileIsFree(() => open(path, "r")));
  if (handle === undefined) return;
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** By device, inode and birth time, so that a copy, or one restored from a CI cache, differs. */
export async function folderIdentity(path: string): Promise<string | undefined> {
  const found = await stat(path, { bigint: true }).catch(() => undefined);
  return found?.isDirectory() ? `${found.dev}:${found.ino}:${found.birthtimeNs}` : undefined;
}
