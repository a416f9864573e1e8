import { type StatsFs, statfsSync } from "node:fs";
import { dirname } from "node:path";
import { OffprintError } from "../../lib/errors.js";

const full = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);
const unusable = new Set([
  "EACCES",
  "EBUSY",
  "EEXIST",
  "EIO",
  "EISDIR",
  "ENOENT",
  "EPERM",
  "EROFS",
  "ELOOP",
  "ENAMETOOLONG",
  "ENOTDIR",
  "ENOTEMPTY",
  "EXDEV",
]);
const hints: Record<string, string> = {
  "mkdir ENOENT": "Nothing can be created there. Choose another folder.",
  EROFS: "Its disk is mounted read-only. Mount it writable, or choose another folder.",
  EXDEV: "A folder below the output folder is on another disk. Put the whole output folder on one disk.",
  EIO: "The disk reported an error. Check it, then run the same command again. Nothing that was committed is lost.",
};
const withoutLinks = new Set(["ENOSYS", "ENOTSUP", "EOPNOTSUPP", "EPERM"]);

/** The code of a failed system call (`ENOENT`), or undefined. */
export function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** The error for a file with fewer bytes than were written: a full disk may not report it. */
export function shortWrite(size: number, expected: number): Error {
  return Object.assign(new Error(`wrote ${size} of ${expected} bytes`), { code: "ENOSPC" });
}

/** Whether a hard link failed because the file system has none. */
export function isWithoutLinks(error: unknown): boolean {
  return withoutLinks.has(errnoOf(error) ?? "");
}

/** Whether there is no such file: nothing, a folder, or a file instead of its folder. */
export function isAbsent(error: unknown): boolean {
  const errno = errnoOf(error);
  return errno === "ENOENT" || errno === "ENOTDIR" || errno === "EISDIR";
}

/** `NO_SPACE`, or `OUTPUT_UNUSABLE` for an unusable file or folder; other errors unchanged. */
export function fileError(error: unknown, path: string): unknown {
  const errno = errnoOf(error);
  if (errno === undefined || error instanceof OffprintError) return error;
  if (full.has(errno)) {
    return new OffprintError("NO_SPACE", `No space left to write ${path} (${errno}).`, {
      hint: noSpaceHint(errno === "ENOSPC" ? diskOf(path) : undefined),
      cause: error,
    });
  }
  if (!unusable.has(errno)) return error;
  const folder = unmadeFolder(error);
  const what = folder === undefined ? `${path} cannot be used` : `The folder ${folder} cannot be created`;
  return new OffprintError("OUTPUT_UNUSABLE", `${what} (${errno}).`, {
    hint:
      hints[folder === undefined ? errno : `mkdir ${errno}`] ??
      hints[errno] ??
      "Check that you own the folder, that it is writable, and that its disk works.",
    cause: error,
  });
}

/** Of the nearest folder that exists: creating one may be what failed. */
function diskOf(path: string): StatsFs | undefined {
  const folder = dirname(path);
  try {
    return statfsSync(folder);
  } catch {
    return folder === path ? undefined : diskOf(folder);
  }
}

/** A failed write may have given back the inodes of its own temporary files. */
const fewInodes = 64;

/** What a disk lacks: bytes, or inodes, of which each file takes one. Pure. */
export function noSpaceHint(disk: Pick<StatsFs, "files" | "ffree" | "bavail" | "bsize"> | undefined): string {
  const rest = "and run the same command again. Nothing that was committed is lost.";
  const free = disk === undefined ? 0 : disk.bavail * disk.bsize;
  // A file system without an inode table reports a total of 0.
  const lacksInodes = disk !== undefined && disk.files > 0 && disk.ffree < fewInodes && free >= 1024 ** 2;
  if (!lacksInodes) return `Free some space or files (\`df -h\`, \`df -i\`), or raise the quota, ${rest}`;
  return `The disk has ${Math.floor(free / 1024 ** 2)} MB free, but no inodes: each file takes one (\`df -i\`). Remove files, or use a disk with more inodes, ${rest}`;
}

/** The folder that a failed `mkdir` should create; undefined for other errors. */
function unmadeFolder(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("syscall" in error) || error.syscall !== "mkdir" || !("path" in error))
    return undefined;
  return typeof error.path === "string" ? error.path : undefined;
}
