import { lstat, mkdir, open, rmdir, stat } from "node:fs/promises";
import { dirname, join, parse, sep } from "node:path";
import { OffprintError } from "../../lib/errors.js";
import { errnoOf } from "./file-error.js";
import { whenFileIsFree } from "./when-file-is-free.js";

/** The folders below one root: created, checked for links, made durable, removed when empty. Nothing is created before it is needed. */
export class Folders {
  readonly #root: string;
  readonly #known = new Set<string>();
  readonly #dirty = new Set<string>();

  /** @param root an absolute path */
  constructor(root: string) {
    this.#root = root;
  }

  /**
   * Creates a folder (`""`: the root) with its parents.
   * @throws OffprintError `OUTPUT_UNUSABLE` where one is a link.
   */
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
      // An existing folder may come from a process that was killed before it synced the parent.
      this.#dirty.add(parentOf(path));
      this.#known.add(path);
    }
  }

  /** Whether a folder is there. @throws OffprintError `OUTPUT_UNUSABLE` where it or a parent is a link. */
  async exists(folder: string): Promise<boolean> {
    for (const path of ["", ...pathsTo(folder)]) {
      if (this.#known.has(path)) continue;
      if (path === "") await checkRoot(this.#root);
      if (!(await isFolder(this.#root, path))) return false;
      this.#known.add(path);
    }
    return true;
  }

  /** Notes that names in a folder changed, so that {@link sync} makes them durable. */
  changed(folder: string): void {
    this.#dirty.add(folder);
  }

  /** Removes a folder and its parents below the root, as far as they are empty. */
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

  /** Makes all changed folders durable. */
  async sync(): Promise<void> {
    const folders = [...this.#dirty];
    this.#dirty.clear();
    for (const folder of folders) await syncFolder(join(this.#root, folder));
  }
}

/** The folder part of a store's name: `a/b` of `a/b/c.json`, `""` of `c.json`. */
export function parentOf(name: string): string {
  return name.slice(0, Math.max(0, name.lastIndexOf("/")));
}

/** `a`, `a/b`, `a/b/c` of `a/b/c`. */
function pathsTo(folder: string): string[] {
  if (folder === "") return [];
  const segments = folder.split("/");
  return segments.map((_, index) => segments.slice(0, index + 1).join("/"));
}

/**
 * Creates a folder with its parents, durably, one at a time. The recursive form of Node's `mkdir` blocks forever
 * below a folder in which nothing can be created, such as /proc.
 */
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
    throw unusable(root, "lies inside a .git folder", "Choose an output folder outside of .git.");
  }
  await isFolder(root, "");
}

/** Whether the folder exists. @throws OffprintError `OUTPUT_UNUSABLE` for a symbolic link or a file in its place */
async function isFolder(root: string, path: string): Promise<boolean> {
  const full = join(root, path);
  try {
    const found = await lstat(full);
    if (found.isDirectory()) return true;
    if (found.isSymbolicLink()) throw unusable(full, "is a link", "Name the folder that it points to, or remove it.");
    throw unusable(full, "is a file where a folder has to be", "Move it away, or choose another folder.");
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return false;
    throw error;
  }
}

function unusable(path: string, what: string, hint: string): OffprintError {
  return new OffprintError("OUTPUT_UNUSABLE", `${path} ${what}.`, { hint });
}

/** Makes the names in a folder durable. Windows has no such call and needs none. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  let handle: Awaited<ReturnType<typeof open>>;
  try {
    handle = await whenFileIsFree(() => open(path, "r"));
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return;
    throw error;
  }
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Tells a folder from another one that later has its path: its device, number and birth. A copy, and what a cache brings back, is
 * another folder.
 *
 * @returns undefined where there is no such folder
 */
export async function folderIdentity(path: string): Promise<string | undefined> {
  const found = await stat(path, { bigint: true }).catch(() => undefined);
  return found?.isDirectory() ? `${found.dev}:${found.ino}:${found.birthtimeNs}` : undefined;
}
