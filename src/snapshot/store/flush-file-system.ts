import { execFile } from "node:child_process";
import { statSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { release } from "node:os";
import { delimiter, isAbsolute, sep } from "node:path";
import { promisify } from "node:util";

/**
 * File systems of a local disk, by the magic number of statfs(2). Not overlayfs, the files of a container: its flush
 * reports no errors of the disk below.
 */
const localKinds = new Set([
  0xef53, // ext2 to ext4
  0x58465342, // XFS
  0x9123683e, // Btrfs
  0xf2f52010, // F2FS
  0x2fc12fc1, // ZFS
  0x01021994, // tmpfs
]);

/**
 * Makes all files in some folders durable at once, in the time of a few fsyncs, by a flush of their file system. Node has
 * no syncfs(2), so the command `sync` calls it.
 *
 * @param root absolute path
 * @param folders absolute paths of folders at or below the root
 * @returns false if that is not possible here, failed, or one is on another file system: then each file must be synced
 */
export async function flushFileSystem(root: string, folders: Iterable<string> = []): Promise<boolean> {
  if (process.platform !== "linux" || !reportsErrors(release())) return false;
  try {
    const { dev } = statSync(root);
    for (const folder of folders) {
      const found = statSync(folder, { throwIfNoEntry: false });
      if (found !== undefined && found.dev !== dev) return false;
    }
    if (!localKinds.has((await statfs(root)).type >>> 0)) return false;
    await promisify(execFile)("sync", ["-f", root], { env: { PATH: systemPath(process.env.PATH) } });
    return true;
  } catch {
    return false;
  }
}

/** npm puts the commands of a site's packages first: one of them may be called `sync`. */
function systemPath(path = ""): string {
  const isOfSystem = (folder: string) => isAbsolute(folder) && !folder.split(sep).includes("node_modules");
  return path.split(delimiter).filter(isOfSystem).join(delimiter);
}

/** Since Linux 5.8, syncfs(2) fails if a file could not be written. @param version as `5.10.0-21-amd64` */
function reportsErrors(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > 5 || (major === 5 && minor >= 8);
}
