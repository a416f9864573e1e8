import { createHash } from "node:crypto";
import { lstat, readdir, readFile, rename, unlink, utimes } from "node:fs/promises";
import { join, resolve } from "node:path";
import { contentHash, hashOfPieces } from "../../lib/content-hash.js";
import { fileError, isAbsent, whenFileIsFree } from "./file-error.js";
import { readByPieces } from "./file-reads.js";
import { isTemporary, newTemporaryName, TemporaryFile, writeAside } from "./file-writes.js";
import { Folders, parentOf } from "./folders.js";
import type { StoredBytes } from "./store.js";

/** Evicts down to this share of the limit, so that not every new file evicts one. */
export const keptShare = 0.9;
/** Precision of a file's last-used time, in milliseconds. */
const usedMs = 3600_000;
const abandonedMs = 3600_000;

export interface ObjectCacheOptions {
  maxBytes: number;
  /** Called on the first failed write; reading continues without caching. */
  onFailure(error: unknown): void;
  now?(): number;
}

export interface Spool {
  readonly size: number;
  write(bytes: Uint8Array): Promise<void>;
  /** Ends the file. @returns the hexadecimal SHA-256 of all of it */
  end(): Promise<string>;
  /** Reads the ended file; may be called again. */
  open(): AsyncIterable<Uint8Array>;
  keep(name: string): Promise<void>;
  discard(): Promise<void>;
}

/** Immutable objects; removes wrong copies, and the least recently used. Several processes may share the folder. */
export class ObjectCache {
  readonly dir: string;
  readonly #options: ObjectCacheOptions;
  readonly #folders: Folders;
  /** Files whose hash was checked, with their state at that time. */
  readonly #checked = new Map<string, string>();
  #bytes: Promise<number> | undefined;
  #failed = false;

  constructor(dir: string, options: ObjectCacheOptions) {
    this.dir = resolve(dir);
    this.#options = options;
    this.#folders = new Folders(this.dir);
  }

  /** An object's bytes, or undefined. @param hash hexadecimal SHA-256, or its beginning */
  async get(name: string, hash: string): Promise<Uint8Array | undefined> {
    try {
      const bytes = await whenFileIsFree(() => readFile(this.#pathOf(name)));
      if (!contentHash(bytes).startsWith(hash)) {
        await this.remove(name);
        return undefined;
      }
      await this.#use(name);
      return bytes;
    } catch {
      return undefined;
    }
  }

  /** {@link get} in pieces. Reads the whole file once before the first piece. */
  async read(name: string, hash: string): Promise<StoredBytes | undefined> {
    try {
      const path = this.#pathOf(name);
      const mark = await markOf(path);
      if (mark === undefined) return undefined;
      if (this.#checked.get(name) !== mark) {
        const whole = await readByPieces(path);
        if (whole === undefined || !(await hashOfPieces(whole.pieces())).startsWith(hash)) {
          await this.remove(name);
          return undefined;
        }
        this.#checked.set(name, mark);
      }
      await this.#use(name);
      return await readByPieces(path);
    } catch {
      return undefined;
    }
  }

  async put(name: string, bytes: Uint8Array): Promise<void> {
    try {
      await this.#ensure(parentOf(name));
      const interim = this.#pathOf(`${parentOf(name)}/${newTemporaryName()}`);
      await writeAside(interim, bytes, false, () => rename(interim, this.#pathOf(name)));
      await this.#grow(bytes.length);
    } catch (error) {
      this.noteFailure(error);
    }
  }

  /** @throws OffprintError `NO_SPACE`, `OUTPUT_UNUSABLE`, as its methods do */
  async spool(): Promise<Spool> {
    const path = this.#pathOf(newTemporaryName());
    const doing = async <T>(work: () => Promise<T>): Promise<T> => {
      try {
        return await work();
      } catch (error) {
        throw fileError(error, this.dir);
      }
    };
    const file = await doing(async () => {
      await this.#ensure("");
      return TemporaryFile.create(path);
    });
    const sha = createHash("sha256");
    let size = 0;
    return {
      get size() {
        return size;
      },
      write: (bytes) =>
        doing(async () => {
          const copy = new Uint8Array(bytes);
          await file.append(copy);
          sha.update(copy);
          size += copy.length;
        }),
      async end() {
        await doing(() => file.close());
        return sha.digest("hex");
      },
      async *open() {
        yield* (await readByPieces(path))?.pieces() ?? [];
      },
      keep: (name) =>
        doing(async () => {
          await this.#ensure(parentOf(name));
          await rename(path, this.#pathOf(name));
          await this.#grow(size);
        }),
      discard: () => file.discard(),
    };
  }

  async remove(name: string): Promise<void> {
    this.#checked.delete(name);
    await unlink(this.#pathOf(name)).catch(() => undefined);
    await this.#folders.removeEmpty(parentOf(name)).catch(() => undefined);
  }

  async #ensure(folder: string): Promise<void> {
    // Another process may have removed the folder with its last file.
    this.#folders.forget();
    await this.#folders.ensure(folder);
  }

  #pathOf(name: string): string {
    return join(this.dir, ...name.split("/"));
  }

  /** Reports the first failed write, for callers that go on without the cache. */
  noteFailure(error: unknown): undefined {
    if (this.#failed) return undefined;
    this.#failed = true;
    this.#options.onFailure(fileError(error, this.dir));
    return undefined;
  }

  /** Marks a file as used, about once an hour. */
  async #use(name: string): Promise<void> {
    const path = this.#pathOf(name);
    const nowMs = this.#now();
    const found = await lstat(path);
    if (nowMs - found.mtimeMs < usedMs) return;
    const now = new Date(nowMs);
    await utimes(path, now, now).catch(() => undefined);
    this.#checked.delete(name);
  }

  /** Evicts the least recently used files if a new one exceeds the limit. */
  async #grow(bytes: number): Promise<void> {
    this.#bytes = this.#bytes === undefined ? this.#sum() : this.#bytes.then((sum) => sum + bytes);
    if ((await this.#bytes) <= this.#options.maxBytes) return;
    this.#bytes = this.#shrink();
    await this.#bytes;
  }

  async #sum(): Promise<number> {
    const files = await this.#files();
    return files.reduce((sum, { size }) => sum + size, 0);
  }

  async #shrink(): Promise<number> {
    const files = (await this.#files()).sort((a, b) => a.usedMs - b.usedMs);
    let sum = files.reduce((total, { size }) => total + size, 0);
    for (const { name, size } of files) {
      if (sum <= this.#options.maxBytes * keptShare) break;
      await this.remove(name);
      sum -= size;
    }
    return sum;
  }

  /** The cached files; removes abandoned temporary ones. */
  async #files(): Promise<{ name: string; size: number; usedMs: number }[]> {
    const files: { name: string; size: number; usedMs: number }[] = [];
    const entries = await readdir(this.dir, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
      if (isAbsent(error)) return [];
      throw error;
    });
    for (const entry of entries) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      const found = await lstat(path).catch(() => undefined);
      if (found === undefined) continue;
      if (!isTemporary(entry.name)) {
        const name = path.slice(this.dir.length + 1).replaceAll("\\", "/");
        files.push({ name, size: found.size, usedMs: found.mtimeMs });
      } else if (this.#now() - found.mtimeMs > abandonedMs) await unlink(path).catch(() => undefined);
    }
    return files;
  }

  #now(): number {
    return this.#options.now?.() ?? Date.now();
  }
}

/** A file's state in the file system; undefined if there is none. */
async function markOf(path: string): Promise<string | undefined> {
  const found = await lstat(path).catch(() => undefined);
  return found?.isFile() ? `${found.ino} ${found.size} ${found.mtimeMs} ${found.ctimeMs}` : undefined;
}

/** Marks an object's copy as used. Quiet if there is none. */
export async function noteUsed(folder: string, name: string): Promise<void> {
  const now = new Date();
  await utimes(join(folder, ...name.split("/")), now, now).catch(() => undefined);
}
