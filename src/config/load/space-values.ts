import { join } from "node:path";
import { isObject } from "../../lib/shape.js";
import { valueAt } from "./config-problems.js";

type Values = Readonly<Record<string, unknown>>;

/**
 * What a space of a file of several spaces is configured with: its own keys over the defaults. Mappings are merged key by
 * key, anything else, lists too, is replaced. Pure.
 *
 * Folders, files and stores that come from the defaults, and `output.dir` in any case, are told apart by the name of the space:
 * `content.dir: src/content` of the defaults is `src/content/news` for `news`.
 */
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
  /** What is assumed where nobody writes it; undefined: nothing. */
  assumed?: string;
  /** The address that the folder has on the site, which changes with it. */
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

/** A file keeps its name, in a folder of the space; a store gets a prefix of the space below its own. */
function folderOf(written: string, name: string, [section, key]: SectionPath): string {
  const path = written.trim();
  if (key === "store") return `${path.replace(/\/+$/, "")}/${name}`;
  return section === "types" || section === "check"
    ? join(path, "..", name, path.split(/[\\/]/).at(-1) ?? path)
    : join(path, name);
}

/** Keys of which a space that writes one means it in place of those that the defaults have: they exclude each other. */
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

/** The values with another one at the path; undefined: without it. What is no section stays, and is reported as such. */
export function withValue(values: Values, [section, key]: SectionPath, value: unknown): Record<string, unknown> {
  const written = values[section];
  if (written !== undefined && !isObject(written)) return { ...values };
  const { [key]: _, ...others } = written ?? {};
  if (value === undefined) return written === undefined ? { ...values } : { ...values, [section]: others };
  return { ...values, [section]: { ...others, [key]: value } };
}
