import { randomBytes } from "node:crypto";
import { link, lstat, open, rename, rm, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errnoOf } from "../../snapshot/store/file-error.js";
import { type Finding, finding } from "./diagnosis-finding.js";

/** Results of a trial write to the output's disk. */
export interface DiskFacts {
  /** The output folder, or its nearest existing parent. */
  folder: string;
  /** Bytes that this user may still write. Undefined if unknown. */
  free: number | undefined;
  /** Files and folders that can still be created. Undefined if unknown or unlimited. */
  freeFiles?: number | undefined;
  /** The file system's magic number. Undefined if unknown. */
  kind: number | undefined;
  /** `EACCES` if a file could not be written, synced and renamed. Undefined on success. */
  failure: string | undefined;
  hasLinks: boolean;
  ignoresCase: boolean;
}

/** Writes a small file to the output's disk, syncs it, renames it and removes it. */
export async function gatherDisk(outputDir: string): Promise<DiskFacts> {
  const folder = await nearestFolder(outputDir);
  const stats = await statfs(folder).catch(() => undefined);
  const free = stats === undefined ? undefined : stats.bavail * stats.bsize;
  const tried = await tryFile(join(folder, `.offprint-doctor-${randomBytes(4).toString("hex")}`));
  // A file system without an inode table reports a total of 0.
  const freeFiles = stats === undefined || stats.files === 0 ? undefined : stats.ffree;
  return { folder, free, freeFiles, kind: stats?.type, ...tried };
}

type Tried = Pick<DiskFacts, "failure" | "hasLinks" | "ignoresCase">;

async function tryFile(path: string): Promise<Tried> {
  const [first, second, linked] = [`${path}-a`, `${path}-b`, `${path}-c`];
  try {
    const handle = await open(first, "wx");
    try {
      await handle.writeFile("This file may be removed.\n");
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(first, second);
    const hasLinks = await link(second, linked).then(
      () => true,
      () => false,
    );
    const ignoresCase = await lstat(second.replace(/-b$/, "-B")).then(
      () => true,
      () => false,
    );
    return { failure: undefined, hasLinks, ignoresCase };
  } catch (error) {
    return { failure: errnoOf(error) ?? "unknown error", hasLinks: true, ignoresCase: false };
  } finally {
    for (const name of [first, second, linked]) await rm(name, { force: true }).catch(() => undefined);
  }
}

async function nearestFolder(path: string): Promise<string> {
  const found = await lstat(path).catch(() => undefined);
  if (found?.isDirectory() || dirname(path) === path) return path;
  // Another check reports a file in place of the folder.
  return nearestFolder(dirname(path));
}

const full = new Set(["ENOSPC", "EDQUOT"]);
const MB = 1024 * 1024;
const GB = 1024 * MB;
const littleRoom = 200 * MB;
/** A content tree has at least one file per story. */
const fewFiles = 1_000;
/** On these file systems a server or process may answer late, cache, or skip fsync. */
const remoteKinds = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xff534d42, "CIFS"],
  [0xfe534d42, "SMB"],
  [0x65735546, "FUSE"],
  [0x01021997, "9P"],
  [0x5346414f, "AFS"],
  [0x00c36400, "Ceph"],
]);

/** @param snapshotBytes size of the existing snapshot; 0 without one */
export function checkDisk({ folder, free, freeFiles, kind, ...tried }: DiskFacts, snapshotBytes: number): Finding[] {
  if (tried.failure !== undefined) return [unwritable(folder, tried.failure)];
  const wanted = Math.max(littleRoom, 2 * snapshotBytes);
  const room = free === undefined ? "" : ` There are ${size(free)} left.`;
  const name = kind === undefined ? undefined : remoteKinds.get(kind >>> 0);
  const warnings = [
    ...(free !== undefined && free < wanted
      ? [finding("DISK_LOW", `${size(free)} are left at ${folder}; ${size(wanted)} are safe.`, "Free some space.")]
      : []),
    ...(freeFiles !== undefined && freeFiles < fewFiles ? [withFewFiles(folder, freeFiles)] : []),
    ...(name === undefined ? [] : [network(folder, name)]),
  ];
  return [
    ...(warnings.length > 0 ? warnings : [finding("DISK_OK", `${folder} can be written to.${room}`)]),
    ...(tried.hasLinks ? [] : [finding("DISK_WITHOUT_LINKS", `The disk of ${folder} has no hard links.`)]),
    ...(tried.ignoresCase ? [ignoringCase(folder)] : []),
  ];
}

function unwritable(folder: string, errno: string): Finding {
  if (full.has(errno)) {
    const hint = "Free some space or files (`df -h`, `df -i`).";
    return finding("DISK_FULL", `No space is left at ${folder} (${errno}).`, hint);
  }
  const hint = "Give the folder to this user, mount the disk writable, or set output.dir to another folder.";
  return finding("DISK_NOT_WRITABLE", `Nothing can be written to ${folder} (${errno}).`, hint);
}

function withFewFiles(folder: string, left: number): Finding {
  const hint = "Remove files that nobody needs (`df -i` counts them), or use another disk: bytes do not help.";
  return finding("DISK_FEW_FILES", `${left} more files can be made at ${folder}.`, hint);
}

function network(folder: string, name: string): Finding {
  const hint = "A disk of this machine is faster, and keeps its word on fsync. Never let two machines sync into it.";
  return finding("DISK_NETWORK", `${folder} lies on ${name}.`, hint);
}

function ignoringCase(folder: string): Finding {
  const what = `The disk of ${folder} takes A and a for one name: languages that differ in that only would share a folder.`;
  return finding("DISK_IGNORES_CASE", what);
}

function size(bytes: number): string {
  const [unit, name] = bytes < 10 * GB ? [MB, "MB"] : [GB, "GB"];
  return `${Math.floor(bytes / unit)} ${name}`;
}
