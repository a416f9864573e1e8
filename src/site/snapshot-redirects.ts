import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { contentFolderOf } from "../content/tree/content-folder.js";
import { redirectsFile } from "../content/tree/plan-content.js";
import { isObject } from "../lib/shape.js";
import { damagedFile } from "../snapshot/damaged-file.js";
import type { Redirect } from "./snapshot.js";
import type { SnapshotSettings } from "./snapshot-settings.js";

/**
 * What moved in these editions, as the content tree notes it; none where there is no tree.
 * @throws OffprintError `SNAPSHOT_DAMAGED`
 */
export async function readRedirects({ config }: SnapshotSettings, editions: readonly string[]): Promise<Redirect[]> {
  const file = join(contentFolderOf(config), redirectsFile);
  const text = await readFile(file, "utf8").catch(() => "[]");
  const lines = parsedLines(text);
  const found = new Map<string, Redirect>();
  for (const line of Array.isArray(lines) ? lines : []) {
    if (!isObject(line) || !editions.includes(String(line.edition))) continue;
    const { from, to } = line;
    if (typeof from === "string" && typeof to === "string") found.set(from, { from, to });
  }
  return [...found.values()];
}

function parsedLines(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw damagedFile(redirectsFile, "in the content tree is not JSON", cause);
  }
}
