import { lstatSync, type Stats } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { mapBounded } from "../map-bounded.js";
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

/** Files that are looked at in one go, and how long that may take where the disk is at hand; in milliseconds. */
const slice = { files: 100, ms: 10 };

/**
 * Sizes and times of files; those are missing that went meanwhile. Where the disk is at hand, asking it a hundred times in
 * one go takes a third of what asking other threads takes; where it is far away, many files are asked for at the same time.
 * @param parallel so many at most
 * @param now a clock in milliseconds: it tells how far away the disk is
 */
export async function lookAtFiles(
  names: readonly string[],
  pathOf: (name: string) => string,
  parallel: number,
  now: () => number = () => performance.now(),
): Promise<StoreEntry[]> {
  const entries: (StoreEntry | undefined)[] = [];
  let isAtHand = true;
  while (entries.length < names.length && isAtHand) {
    const startedMs = now();
    for (const name of names.slice(entries.length, entries.length + slice.files)) {
      entries.push(entryOf(name, lookNow(pathOf(name))));
    }
    isAtHand = now() - startedMs < slice.ms;
    await new Promise(setImmediate);
  }
  const rest = await mapBounded(names.slice(entries.length), parallel, async (name) =>
    entryOf(name, await lstat(pathOf(name)).catch(() => undefined)),
  );
  return [...entries, ...rest].filter((entry) => entry !== undefined);
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

function readChildren(path: string) {
  return whenFileIsFree(() => readdir(path, { withFileTypes: true }));
}
