import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { copyFile, link, readdir, readFile, rename, stat, unlink, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { OffprintError } from "../errors.js";
import { errnoOf, fileError, isWithoutLinks, shortWrite } from "./file-error.js";
import { openFolders, parentOf } from "./folders.js";
import { isGone, isNeighbour, isRunning, type LockOwner, newOwner, parseOwner, pidNamespace } from "./lock-owner.js";
import { checkName } from "./store-name.js";

/** The right to write, held by one process at a time. */
export interface Lock {
  readonly owner: LockOwner;
  /** @throws OffprintError `LOCKED` when the lock is no longer ours; to be called before every commit. */
  assertHeld(): Promise<void>;
  /** Gives the lock back, if it is still ours, and removes its folder when that is empty. */
  release(): Promise<void>;
}

/** An owner on another host is believed dead after this time without a sign of life, in milliseconds. */
const foreignStaleMs = 30 * 60_000;
/** One in another container of this host, whose clock is ours, after this time: as soon as a restarted one may need. */
const containerStaleMs = 5 * 60_000;
/** A lock file that names no owner is the rest of a crash once it is this old, in milliseconds. */
const unreadableStaleMs = 60_000;
const signOfLifeMs = 60_000;
/** So often a lock may be there and then not be there to read: as often as other processes give it back between the two. */
const mostAttempts = 1000;

/**
 * Takes the lock that the file `name` below `root` stands for, or the lock of an owner that is gone: a process of this
 * host that does not run any more, one in another container that gave no sign of life for 5 minutes, or one of another host that gave none for 30.
 * @throws OffprintError `LOCKED` naming the owner that holds it, `OUTPUT_UNUSABLE` or `NO_SPACE` when the file cannot be written.
 */
export async function acquireLock(root: string, name: string): Promise<Lock> {
  checkName(name);
  const base = resolve(root);
  const file = join(base, ...name.split("/"));
  const folders = openFolders(base);
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
          // Must not hide why the run failed; the lock of a process that has ended is taken over.
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
    for (let attempt = 1; !(await linkIfAbsent(candidate, file)); attempt++) {
      const found = await readLock(file);
      // Its owner has just given it back; or it is a link to nothing, which is there and cannot be read.
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

/** The owner before us may remove the folder, empty for a moment, between our making it and our writing to it. */
async function writeCandidate(candidate: string, text: string, ensureFolder: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    await ensureFolder();
    try {
      await writeFile(candidate, text, { flag: "wx" });
      return;
    } catch (error) {
      if (errnoOf(error) !== "ENOENT" || attempt === 10) throw error;
    }
  }
}

/**
 * Puts our lock in the place of a stale one. Only the holder of a second lock, named after the stale one, may do that:
 * so there is one winner, and a latecomer that saw the stale lock does not rename over the winner's. The second lock
 * may itself be left by a crash; it is then taken over in the same way. False: someone else was faster.
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

/** Names the writer of a candidate that was killed before it wrote anything into it: host, set of pids, and pid. */
function candidateMark(pid: number | string): string {
  const host = `${hostname()} ${pidNamespace() ?? ""}`;
  return `${createHash("sha256").update(host).digest("hex").slice(0, 8)}-${pid}`;
}

/** Whether a candidate's name tells that its writer, a process of this host, is gone. */
function isAbandoned(name: string): boolean {
  const [, mark, pid] = /\.([0-9a-f]{8}-(\d+))\.[0-9a-f]{16}\.new$/.exec(name) ?? [];
  return pid !== undefined && mark === candidateMark(pid) && !isRunning(Number(pid));
}

/** Removes the candidates and second locks of processes that were killed in the act. */
async function removeLeftovers(file: string, skewMs: number): Promise<void> {
  const start = `${basename(file)}.`;
  for (const name of await namesIn(dirname(file))) {
    if (!name.startsWith(start)) continue;
    const leftover = join(dirname(file), name);
    const found = await readLock(leftover);
    if (found !== undefined && (isAbandoned(name) || (await isStale(found, skewMs))))
      await unlink(leftover).catch(() => undefined);
  }
}

/** None where the folder is gone: another process took this lock over meanwhile, which {@link Lock.assertHeld} tells. */
async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return [];
    throw error;
  }
}

function unusableLock(file: string): OffprintError {
  return new OffprintError("OUTPUT_UNUSABLE", `The lock ${file} is there, but cannot be read.`, {
    hint: "Remove it where no other process writes to the folder, and run the same command again.",
  });
}

interface FoundLock {
  /** undefined when the file names none. */
  owner: LockOwner | undefined;
  /** Last sign of life, by the clock of the file system. */
  modifiedMs: number;
}

async function readLock(file: string): Promise<FoundLock | undefined> {
  try {
    const text = await readFile(file, "utf8");
    return { owner: parseOwner(text), modifiedMs: (await stat(file)).mtimeMs };
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

async function isStale({ owner, modifiedMs }: FoundLock, skewMs: number): Promise<boolean> {
  const ageMs = Date.now() + skewMs - modifiedMs;
  if (owner === undefined) return ageMs > unreadableStaleMs;
  if (isNeighbour(owner)) return isGone(owner);
  return ageMs > (owner.host === hostname() ? containerStaleMs : foreignStaleMs);
}

/** Without hard links the file is created exclusively too, but for a moment it names no owner yet. */
async function linkIfAbsent(candidate: string, file: string): Promise<boolean> {
  try {
    await link(candidate, file);
    return true;
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return false;
    if (!isWithoutLinks(error)) throw error;
  }
  try {
    await copyFile(candidate, file, constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return false;
    throw error;
  }
}

async function giveSignOfLife(file: string, owner: LockOwner, skewMs: number): Promise<void> {
  try {
    if ((await readLock(file))?.owner?.nonce !== owner.nonce) return;
    const now = new Date(Date.now() + skewMs);
    await utimes(file, now, now);
  } catch {
    // A lost lock shows in assertHeld, before anything is committed.
  }
}

function heldBy(file: string, owner: LockOwner | undefined): OffprintError {
  return new OffprintError("LOCKED", `${file} is held by ${nameOf(owner)}.`, {
    hint: "Wait until that run has ended; the lock of a process that is gone is taken over without further ado.",
  });
}

function lost(file: string, owner: LockOwner | undefined): OffprintError {
  return new OffprintError("LOCKED", `${file} was taken over by ${nameOf(owner)}; nothing was committed here.`, {
    hint: "This run was paused for too long, or its lock was removed. Run it again.",
  });
}

function nameOf(owner: LockOwner | undefined): string {
  if (owner === undefined) return "an unknown process";
  return `process ${owner.pid} on ${owner.host} since ${owner.since}`;
}
