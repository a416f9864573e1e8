import { stat } from "node:fs/promises";

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
