import { linesText } from "../../lib/json/lines.js";
import { isObject } from "../../lib/shape.js";
import type { Reader } from "../../snapshot/reader/reader.js";
import type { Store } from "../../snapshot/store/store.js";
import type { ContentChanges } from "./content-changes.js";
import { type Redirect, redirectRules, redirectsShape } from "./redirects.js";
import type { TreeFolder } from "./tree-folder.js";
import { parseJson, type TreeRecord } from "./tree-record.js";

export const changesFile = "changes.json";
export const redirectsFile = "redirects.json";
export const redirectRulesFile = "_redirects";
/** Paths that files of history may have. */
export const historyPaths: readonly string[] = [changesFile, redirectsFile, redirectRulesFile];

/** A file about what happened, such as `changes.json`: made by every export, and noted without what it read. */
export interface HistoryFile {
  path: string;
  text: string;
}

const changesKeys = ["from", "to", "added", "changed", "removed", "moved", "affected"];

/**
 * The record where the list of our files was lost: with the files of history that an earlier export wrote, which are known
 * by their form. The other files are known by their bytes.
 */
export async function withOwnHistory(store: Store, record: TreeRecord): Promise<TreeRecord> {
  const unknown = new Map(record.unknown);
  const parsed = async (path: string) => {
    const bytes = await store.get(path);
    return bytes === undefined ? undefined : parseJson(bytes);
  };
  const changes = await parsed(changesFile);
  const names = isObject(changes) ? Object.keys(changes).filter((name) => name !== "full") : [];
  if (names.join() === changesKeys.join()) unknown.set(changesFile, "");
  const redirects = await parsed(redirectsFile);
  if (!redirectsShape.is(redirects) || redirects.length === 0) return { ...record, unknown };
  unknown.set(redirectsFile, "");
  const rules = await store.get(redirectRulesFile);
  const isOwn = rules !== undefined && Buffer.from(rules).toString("utf8") === redirectRules(redirects);
  if (isOwn) unknown.set(redirectRulesFile, "");
  return { ...record, unknown };
}

export function textOfChanges(changes: ContentChanges, affected: readonly object[]): string {
  return `${JSON.stringify({ ...changes, affected }, null, 1)}\n`;
}

export function historyFiles(changes: string | undefined, redirects: readonly Redirect[]): HistoryFile[] {
  const files = changes === undefined ? [] : [{ path: changesFile, text: changes }];
  if (redirects.length === 0) return files;
  const lines = linesText(redirects.map((redirect) => JSON.stringify(redirect)));
  return [...files, { path: redirectsFile, text: lines }, { path: redirectRulesFile, text: redirectRules(redirects) }];
}

/** What the last export wrote into the files of history; files of these names that are not ours do not count. */
export async function earlierHistory({ manifest }: Pick<Reader, "manifest">, store: Store, folder: TreeFolder) {
  const ours = (path: string) => (folder.wrote(path) ? store.get(path) : undefined);
  const changes = await ours(changesFile);
  const value = changes === undefined ? undefined : parseJson(changes);
  const isCurrent = isObject(value) && value.to === manifest.generation;
  return {
    changes: changes !== undefined && isCurrent ? Buffer.from(changes).toString("utf8") : undefined,
    redirects: await ours(redirectsFile),
  };
}
