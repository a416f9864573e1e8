import { constants } from "node:fs";
import { copyFile, readdir, readFile, rename, stat, unlink, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { contentHash } from "../../lib/content-hash.js";
import { OffprintError } from "../../lib/errors.js";
import { errnoOf, fileError, shortWrite, unlessMissing, whenFileIsFree } from "./file-error.js";
import { linkExclusively } from "./file-writes.js";
import { Folders, parentOf } from "./folders.js";
import {
  isGone,
  isNeighbour,
  isRunning,
  type LockOwner,
  newOwner,
  ownerText,
  parseOwner,
  pidNamespace,
} from "./lock-owner.js";
import { checkName } from "./store.js";

/** The right to write, for one process at a time. */
export interface Lock {
  readonly owner: LockOwner;
  /** Call before every commit. @throws OffprintError `LOCKED` if the lock was lost */
  assertHeld(): Promise<void>;
  /** Releases the lock if still ours, and removes its folder if empty. */
  release(): Promise<void>;
}

/** An owner on another host is dead after this time without a touch, in milliseconds. */
const foreignStaleMs = 30 * 60_000;
/** The same for another container of this host. Shorter, because containers restart. */
const containerStaleMs = 5 * 60_000;
/** A lock file without an owner counts as left by a crash after this time, in milliseconds. */
const unreadableStaleMs = 60_000;
const signOfLifeMs = 60_000;
/** How often the file may vanish before it is read: other processes release it then. */
const mostAttempts = 1000;

/** Also takes over an ended owner's. @throws OffprintError `LOCKED` with the owner, `OUTPUT_UNUSABLE`, `NO_SPACE` */
export async function acquireLock(root: string, name: string): Promise<Lock> {
  checkName(name);
  const base = resolve(root);
  const file = join(base, ...name.split("/"));
  const folders = new Folders(base);
  try {
    const { owner, skewMs } = await acquire(file, () => {
      folders.forget();
      return folders.ensure(parentOf(name));
    });
    await removeLeftovers(file, skewMs);
    const timer = setInterval(() => void giveSignOfLife(file, owner, skewMs), signOfLifeMs);
    timer.unref();
    return {
      owner,
      async assertHeld() {
        const found = await readLock(file);
        if (found?.owner?.nonce !== owner.nonce) throw lost(file, found?.owner);
      },
      async release() {
        clearInterval(timer);
        try {
          if ((await readLock(file))?.owner?.nonce === owner.nonce) await unlink(file);
          await folders.removeEmpty(parentOf(name));
        } catch (error) {
          // Must not hide why the run failed: the next run takes over an ended process's lock.
          if (errnoOf(error) === undefined) throw error;
        }
      },
    };
  } catch (error) {
    throw fileError(error, file);
  }
}

/** Creates the lock file; `skewMs` is the file system's clock minus ours. */
async function acquire(file: string, ensureFolder: () => Promise<void>): Promise<{ owner: LockOwner; skewMs: number }> {
  const owner = await newOwner();
  const candidate = `${file}.${candidateMark(owner.pid)}.${owner.nonce}.new`;
  const text = `${JSON.stringify(owner)}\n`;
  await writeCandidate(candidate, text, ensureFolder);
  try {
    const { mtimeMs, size } = await stat(candidate);
    if (size !== Buffer.byteLength(text)) throw shortWrite(size, Buffer.byteLength(text));
    const skewMs = mtimeMs - Date.now();
    // Without hard links, the file is empty for a moment.
    const copy = () => copyFile(candidate, file, constants.COPYFILE_EXCL);
    for (let attempt = 1; !(await linkExclusively(candidate, file, copy)); attempt++) {
      const found = await readLock(file);
      // Just released; or a dangling symbolic link, which exists but cannot be read.
      if (found === undefined && attempt === mostAttempts) throw unusableLock(file);
      if (found === undefined) continue;
      if (!(await isStale(found, skewMs))) throw heldBy(file, found.owner);
      if (await takeOver(file, found, candidate, ensureFolder)) break;
    }
    return { owner, skewMs };
  } finally {
    await unlink(candidate).catch(() => undefined);
  }
}

/** Writes the candidate. The previous owner may remove the new empty folder before we write. */
async function writeCandidate(candidate: string, text: string, ensureFolder: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    await ensureFolder();
    try {
      await whenFileIsFree(() => writeFile(candidate, text, { flag: "wx" }));
      return;
    } catch (error) {
      if (errnoOf(error) !== "ENOENT" || attempt === 10) throw error;
    }
  }
}

/**
 * Under a second lock, named after the stale one: only one of several processes replaces it, and none replaces that
 * one's lock. One left by a crash is taken over the same way. @returns false if another was faster
 */
async function takeOver(
  file: string,
  stale: FoundLock,
  candidate: string,
  ensureFolder: () => Promise<void>,
): Promise<boolean> {
  const claim = `${file}.${stale.owner?.nonce ?? "unreadable"}`;
  await acquire(claim, ensureFolder);
  try {
    const now = await readLock(file);
    if (now === undefined || now.owner?.nonce !== stale.owner?.nonce) return false;
    await rename(candidate, file);
    return true;
  } finally {
    await unlink(claim);
  }
}

/** A candidate's writer, in its name, because a crash may leave it empty: host, namespace, pid. */
function candidateMark(pid: number | string): string {
  const host = `${hostname()} ${pidNamespace() ?? ""}`;
  return `${contentHash(host).slice(0, 8)}-${pid}`;
}

/** Whether a candidate's writer, by its name, was a process of this host that has ended. */
function isAbandoned(name: string): boolean {
  const [, mark, pid] = /\.([0-9a-f]{8}-(\d+))\.[0-9a-f]{16}\.new$/.exec(name) ?? [];
  return pid !== undefined && mark === candidateMark(pid) && !isRunning(Number(pid));
}

/** Removes candidates and second locks of processes killed while taking the lock. */
async function removeLeftovers(file: string, skewMs: number): Promise<void> {
  const start = `${basename(file)}.`;
  // The folder may have been removed by a takeover, which {@link Lock.assertHeld} reports.
  for (const name of (await unlessMissing(readdir(dirname(file)))) ?? []) {
    if (!name.startsWith(start)) continue;
    const leftover = join(dirname(file), name);
    const found = await readLock(leftover);
    if (found !== undefined && (isAbandoned(name) || (await isStale(found, skewMs))))
      await unlink(leftover).catch(() => undefined);
  }
}

function unusableLock(file: string): OffprintError {
  return new OffprintError("OUTPUT_UNUSABLE", `The lock file ${file} exists, but cannot be read.`, {
    hint: "If no other process writes to the folder, remove the file and run the same command again.",
  });
}

interface FoundLock {
  /** Undefined if the file names none. */
  owner: LockOwner | undefined;
  /** The owner's last touch, by the file system's clock. */
  modifiedMs: number;
}

function readLock(file: string): Promise<FoundLock | undefined> {
  const read = async () => {
    const text = await whenFileIsFree(() => readFile(file, "utf8"));
    return { owner: parseOwner(text), modifiedMs: (await stat(file)).mtimeMs };
  };
  return unlessMissing(read());
}

async function isStale({ owner, modifiedMs }: FoundLock, skewMs: number): Promise<boolean> {
  const ageMs = Date.now() + skewMs - modifiedMs;
  if (owner === undefined) return ageMs > unreadableStaleMs;
  if (isNeighbour(owner)) return isGone(owner);
  return ageMs > (owner.host === hostname() ? containerStaleMs : foreignStaleMs);
}

async function giveSignOfLife(file: string, owner: LockOwner, skewMs: number): Promise<void> {
  try {
    if ((await readLock(file))?.owner?.nonce !== owner.nonce) return;
    const now = new Date(Date.now() + skewMs);
    await utimes(file, now, now);
  } catch {
    // assertHeld reports a lost lock before any commit.
  }
}

function heldBy(file: string, owner: LockOwner | undefined): OffprintError {
  return new OffprintError("LOCKED", `${file} is held by ${nameOf(owner)}.`, {
    hint: "Wait until that run has ended. The lock of a dead process is taken over automatically.",
  });
}

function lost(file: string, owner: LockOwner | undefined): OffprintError {
  return new OffprintError("LOCKED", `${file} was taken over by ${nameOf(owner)}. This run committed nothing.`, {
    hint: "This run was paused for too long, or its lock was removed. Run it again.",
  });
}

function nameOf(owner: LockOwner | undefined): string {
  return owner === undefined ? "an unknown process" : ownerText(owner);
}
