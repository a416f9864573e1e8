import { join } from "node:path";
import { isObject } from "../../lib/shape.js";
import { valueAt } from "./config-problems.js";

type Values = Readonly<Record<string, unknown>>;

/** Merges mappings key by key, and adds the space's name to defaults: `src/content` becomes `src/content/news`. */
export function spaceValues(name: string, own: Values, defaults: Values): Record<string, unknown> {
  const merged = merge(withoutReplaced(defaults, own), own) as Record<string, unknown>;
  let values = merged;
  for (const { path, assumed, beside } of folders) {
    const isOwn = valueAt(own, path) !== undefined;
    const written = valueAt(merged, path) ?? assumed;
    if (isOwn || typeof written !== "string" || written.trim() === "") continue;
    values = withValue(values, path, folderOf(written, name, path));
    const address = beside === undefined ? undefined : valueAt(merged, beside);
    if (beside === undefined || valueAt(own, beside) !== undefined || typeof address !== "string") continue;
    values = withValue(values, beside, `${address.trim().replace(/\/+$/, "")}/${name}`);
  }
  return values;
}

interface FolderKey {
  path: SectionPath;
  assumed?: string;
  /** Key of the folder's address on the site, which changes with the folder. */
  beside?: SectionPath;
}

type SectionPath = readonly [section: string, key: string];

const folders: readonly FolderKey[] = [
  { path: ["output", "dir"], assumed: "output" },
  { path: ["output", "store"] },
  { path: ["content", "dir"] },
  { path: ["assets", "dir"], beside: ["assets", "baseUrl"] },
  { path: ["types", "file"] },
  { path: ["check", "lock"], assumed: "content.lock.json" },
];

/** A file keeps its name, in a folder per space. A store's prefix gets the space's name added. */
function folderOf(written: string, name: string, [section, key]: SectionPath): string {
  const path = written.trim();
  if (key === "store") return `${path.replace(/\/+$/, "")}/${name}`;
  return section === "types" || section === "check"
    ? join(path, "..", name, path.split(/[\\/]/).at(-1) ?? path)
    : join(path, name);
}

/** Keys that exclude each other: a space's own key replaces these defaults. */
const inPlaceOf: readonly (readonly [own: SectionPath, replaced: readonly SectionPath[]])[] = [
  [["source", "url"], [["source", "region"]]],
  [["source", "region"], [["source", "url"]]],
  [
    ["schedule", "every"],
    [
      ["schedule", "cron"],
      ["schedule", "timeZone"],
    ],
  ],
  [["schedule", "cron"], [["schedule", "every"]]],
];

function withoutReplaced(defaults: Values, own: Values): Values {
  const replaced = inPlaceOf.flatMap(([path, others]) => (valueAt(own, path) === undefined ? [] : others));
  return replaced.reduce((values, path) => withValue(values, path, undefined), defaults);
}

function merge(below: unknown, above: unknown): unknown {
  if (!isObject(below) || !isObject(above)) return above === undefined ? below : above;
  const keys = new Set([...Object.keys(below), ...Object.keys(above)]);
  return Object.fromEntries([...keys].map((key) => [key, merge(valueAt(below, [key]), valueAt(above, [key]))]));
}

/** Sets a key, or removes it if undefined. Leaves a section that is no mapping, because the schema reports it. */
export function withValue(values: Values, [section, key]: SectionPath, value: unknown): Record<string, unknown> {
  const written = values[section];
  if (written !== undefined && !isObject(written)) return { ...values };
  const { [key]: _, ...others } = written ?? {};
  if (value === undefined) return written === undefined ? { ...values } : { ...values, [section]: others };
  return { ...values, [section]: { ...others, [key]: value } };
}
