import { isObject } from "../../lib/shape.js";
import type { Store } from "../../snapshot/store/store.js";
import { type ContentNotes, parseJson } from "./content-notes.js";
import { unknownNote } from "./file-note.js";
import { changesFile, redirectRulesFile, redirectsFile } from "./plan-content.js";
import { type Redirect, redirectRules } from "./redirects.js";

const changesKeys = ["from", "to", "added", "changed", "removed", "moved", "affected"];

/**
 * The notes where the list of our files was lost: with the files of history that an earlier export wrote, which are known
 * by their form. The other files are known by their bytes.
 */
export async function withOwnHistory<N extends ContentNotes>(store: Store, notes: N): Promise<N> {
  const files = new Map(notes.files);
  const parsed = async (path: string) => {
    const bytes = await store.get(path);
    return bytes === undefined ? undefined : parseJson(bytes);
  };
  const changes = await parsed(changesFile);
  const names = isObject(changes) ? Object.keys(changes).filter((name) => name !== "full") : [];
  if (names.join() === changesKeys.join()) files.set(changesFile, unknownNote);
  const redirects = await parsed(redirectsFile);
  if (!areRedirects(redirects)) return { ...notes, files };
  files.set(redirectsFile, unknownNote);
  const rules = await store.get(redirectRulesFile);
  const isOwn = rules !== undefined && Buffer.from(rules).toString("utf8") === redirectRules(redirects);
  if (isOwn) files.set(redirectRulesFile, unknownNote);
  return { ...notes, files };
}

const redirectKeys = ["edition", "uuid", "full_slug", "from", "to"];

function areRedirects(value: unknown): value is Redirect[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((line) => isObject(line) && redirectKeys.every((key) => typeof line[key] === "string"))
  );
}
