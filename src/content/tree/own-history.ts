import { isObject } from "../../lib/shape.js";
import type { Store } from "../../snapshot/store/store.js";
import { changesFile, redirectRulesFile, redirectsFile } from "./plan-content.js";
import { type Redirect, redirectRules } from "./redirects.js";
import { parseJson, type TreeRecord } from "./tree-record.js";

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
  if (!areRedirects(redirects)) return { ...record, unknown };
  unknown.set(redirectsFile, "");
  const rules = await store.get(redirectRulesFile);
  const isOwn = rules !== undefined && Buffer.from(rules).toString("utf8") === redirectRules(redirects);
  if (isOwn) unknown.set(redirectRulesFile, "");
  return { ...record, unknown };
}

const redirectKeys = ["edition", "uuid", "full_slug", "from", "to"];

function areRedirects(value: unknown): value is Redirect[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((line) => isObject(line) && redirectKeys.every((key) => typeof line[key] === "string"))
  );
}
