import { constants } from "node:fs";
import { access, lstat, mkdir, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { OffprintError } from "../lib/errors.js";
import { errnoOf } from "../snapshot/store/file-error.js";

export async function exists(path: string): Promise<boolean> {
  try {
    await access(path, constants.F_OK);
    return true;
  } catch {
    return false;
  }
}

/** With its byte order mark; undefined if missing. @throws OffprintError `FOLDER_UNUSABLE`, also if it is not UTF-8 */
export async function readText(path: string): Promise<string | undefined> {
  const bytes = await readBytes(path);
  if (bytes === undefined) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new OffprintError("FOLDER_UNUSABLE", `${path} is not UTF-8; nothing was written.`, {
      hint: "Save it as UTF-8, and run the same command again.",
      cause,
    });
  }
}

async function readBytes(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (cause) {
    if (["ENOENT", "ENOTDIR"].includes(errnoOf(cause) ?? "")) return undefined;
    throw new OffprintError("FOLDER_UNUSABLE", `${path} cannot be read (${errnoOf(cause)}).`, {
      hint: "Move what has this name, or make it readable, and run the same command again.",
      cause,
    });
  }
}

/** Refuses names that a link leads outside: projects come from anywhere. @throws OffprintError `FOLDER_UNUSABLE` */
export async function assertInside(folder: string, names: readonly string[]): Promise<void> {
  const root = await realpath(folder);
  for (const name of names) {
    let there = join(folder, name);
    while (there !== folder && !(await isThere(there))) there = dirname(there);
    const real = await realpath(there).catch(() => undefined);
    if (real !== undefined && (real === root || real.startsWith(root.endsWith(sep) ? root : root + sep))) continue;
    throw new OffprintError("FOLDER_UNUSABLE", `${there} is a link that leads out of the project, or nowhere.`, {
      hint: "Remove the link, and run the same command again. Nothing was written.",
    });
  }
}

/** True if the name exists, even as a dangling link. */
async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** @throws OffprintError as {@link assertInside}; `NO_SPACE` or `FOLDER_UNUSABLE` if it cannot be written */
export async function write(folder: string, name: string, text: string): Promise<void> {
  await assertInside(folder, [name]);
  const path = join(folder, name);
  await orRefuse(path, async () => {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  });
}

/** Replaces a file atomically; a link stays a link. @throws OffprintError as {@link write} does */
export async function rewrite(folder: string, name: string, text: string): Promise<void> {
  await assertInside(folder, [name]);
  const path = join(folder, name);
  await orRefuse(path, async () => {
    const target = await realpath(path);
    const { mode } = await stat(target);
    const beside = join(dirname(target), `.offprint-${process.pid}.tmp`);
    try {
      await writeFile(beside, text, { mode });
      await rename(beside, target);
    } catch (error) {
      await rm(beside, { force: true });
      throw error;
    }
  });
}

/** Refuses a file that is marked read-only, even if this process could write it. */
export async function assertWritable(path: string): Promise<void> {
  const { mode } = await stat(path);
  if ((mode & 0o222) !== 0) return;
  throw new OffprintError("FOLDER_UNUSABLE", `${path} is read-only.`, {
    hint: "Make it writable, and run the same command again. Nothing was written.",
  });
}

async function orRefuse(path: string, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (cause) {
    const errno = errnoOf(cause);
    if (errno === "ENOSPC" || errno === "EDQUOT") {
      const hint = "Free some space, and run the same command again: files that are there are kept.";
      throw new OffprintError("NO_SPACE", `No space left to write ${path} (${errno}).`, { hint, cause });
    }
    throw new OffprintError(
      "FOLDER_UNUSABLE",
      `${path} cannot be written${errno === undefined ? "" : ` (${errno})`}.`,
      {
        hint: "Run the command in a folder that belongs to you, on a disk that is not mounted read-only.",
        cause,
      },
    );
  }
}
