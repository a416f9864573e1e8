import { randomBytes } from "node:crypto";
import { constants, fstatSync, lstatSync } from "node:fs";
import { type FileHandle, link, lstat, open, unlink } from "node:fs/promises";
import { basename } from "node:path";
import { hashOfPieces } from "../../lib/content-hash.js";
import { errnoOf, isAbsent, isWithoutLinks, shortWrite, unlessMissing, whenFileIsFree } from "./file-error.js";

/** A unique hidden name: `.0123456789abcdef.offprint-tmp`. */
export function newTemporaryName(): string {
  return `.${randomBytes(8).toString("hex")}.offprint-tmp`;
}

export function isTemporary(file: string): boolean {
  return /^\.[0-9a-f]{16}\.offprint-tmp$/.test(basename(file));
}

/** A file written in pieces before it gets its name. */
export class TemporaryFile {
  readonly path: string;
  readonly #handle: FileHandle;
  #written = 0;
  #closed: Promise<void> | undefined;

  private constructor(path: string, handle: FileHandle) {
    this.path = path;
    this.#handle = handle;
  }

  /** Fails if the file exists. */
  static async create(path: string): Promise<TemporaryFile> {
    return new TemporaryFile(path, await whenFileIsFree(() => open(path, "wx")));
  }

  async append(bytes: Uint8Array): Promise<void> {
    await this.#handle.appendFile(bytes);
    this.#written += bytes.length;
  }

  /** @throws Error with the code `ENOSPC` if the file has fewer bytes than were written */
  close(): Promise<void> {
    this.#closed ??= this.#end();
    return this.#closed;
  }

  /** Closes and removes it, unless it already has its name or was removed. */
  async discard(): Promise<void> {
    await this.close().catch(() => undefined);
    await unlink(this.path).catch(() => undefined);
  }

  async #end(): Promise<void> {
    try {
      const { size } = await this.#handle.stat();
      if (size !== this.#written) throw shortWrite(size, this.#written);
    } finally {
      await this.#handle.close();
    }
  }
}

/** Writes a temporary file, and has `place` name it. A failure leaves nothing behind. */
export async function writeAside<T>(
  path: string,
  bytes: Uint8Array,
  sync: boolean,
  place: () => Promise<T>,
): Promise<T> {
  try {
    await writeWhole(path, bytes, sync);
    return await place();
  } catch (error) {
    await unlink(path).catch(() => undefined);
    throw error;
  }
}

/** Creates a new file, and checks its size: a full disk may not report a short write. */
async function writeWhole(path: string, bytes: Uint8Array, sync: boolean): Promise<void> {
  const handle = await whenFileIsFree(() => open(path, "wx"));
  try {
    await handle.writeFile(bytes);
    // Synchronous: asking another thread takes longer for an open file.
    const { size } = fstatSync(handle.fd);
    if (size !== bytes.length) throw shortWrite(size, bytes.length);
    if (sync) await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Whether a regular file has exactly these bytes. */
export async function holds(path: string, bytes: Uint8Array): Promise<boolean> {
  let handle: FileHandle;
  try {
    // Most files do not exist yet; opening them to find out takes ten times as long.
    const there = lstatSync(path, { throwIfNoEntry: false });
    if (there === undefined || !there.isFile() || there.size !== bytes.length) return false;
    handle = await whenFileIsFree(() => open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)));
  } catch (error) {
    // A symbolic link in place of an object is replaced, not followed.
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

/** Names a complete file. @param copy creates it if there are no hard links @returns false if the name exists */
export async function linkExclusively(interim: string, path: string, copy: () => Promise<void>): Promise<boolean> {
  try {
    await link(interim, path).catch((error: unknown) => {
      if (!isWithoutLinks(error)) throw error;
      return copy();
    });
    return true;
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return false;
    throw error;
  }
}

/** Writes a new file durably. A failure leaves nothing behind. */
export async function createWhole(path: string, bytes: Uint8Array): Promise<void> {
  try {
    await writeWhole(path, bytes, true);
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") await unlink(path).catch(() => undefined);
    throw error;
  }
}

export async function syncFile(path: string): Promise<void> {
  // Windows syncs only files open for writing.
  const handle = await whenFileIsFree(() => open(path, "r+"));
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Whether `path` is a regular file with the same bytes as `of`. */
export async function holdsSameBytes(path: string, of: string): Promise<boolean> {
  const found = await unlessMissing(lstat(path));
  if (found === undefined || !found.isFile() || found.size !== (await lstat(of)).size) return false;
  return (await hashOfFile(path)) === (await hashOfFile(of));
}

async function hashOfFile(path: string): Promise<string> {
  const handle = await whenFileIsFree(() => open(path, "r"));
  return hashOfPieces(handle.createReadStream());
}
