import { differingParts, type PartCounts, type RecordChange } from "../../snapshot/diff-part.js";
import { parts as partNames } from "../../snapshot/layout.js";
import type { Manifest } from "../../snapshot/manifest.js";
import { kindOf } from "../../snapshot/part-kinds.js";
import { readPart } from "../../snapshot/read-part.js";
import type { Store } from "../../snapshot/store/store.js";

export interface PartChange extends PartCounts {
  change: "part";
  /** For entries: the slug of their datasource. */
  datasource?: string;
}

/** Counts index rows only of unchanged stories, mostly folders. Ignores a new cv of the space. */
export async function compareParts(
  store: Store,
  before: Manifest,
  after: Manifest,
  stories: ReadonlySet<string>,
): Promise<PartChange[]> {
  const found: PartChange[] = [];
  const counted = differingParts(store, before, after, ["stories"], (...one) => isDifference(...one, stories));
  for await (const { part, ...counts } of counted) {
    const datasource = await datasourceOf(store, part, after, before);
    found.push({ change: "part", part, ...(datasource === undefined ? {} : { datasource }), ...counts });
  }
  return found;
}

function isDifference(part: string, { key, before, after }: RecordChange, stories: ReadonlySet<string>): boolean {
  if (kindOf(part) === "links") return !stories.has(key);
  return kindOf(part) !== "space" || withoutCv(before) !== withoutCv(after);
}

/** The record of the space contains its cv. */
function withoutCv(line: string | null): string {
  const record = JSON.parse(line ?? "null") as { me?: { version?: unknown } } | null;
  return JSON.stringify(record?.me === undefined ? record : { ...record, me: { ...record.me, version: null } });
}

/** The slug of the datasource of a part of entries. */
export async function datasourceOf(store: Store, part: string, ...manifests: Manifest[]): Promise<string | undefined> {
  const [, id] = /^entries\/(\d+)/.exec(part) ?? [];
  if (id === undefined) return undefined;
  for (const { parts } of manifests) {
    const entry = parts[partNames.datasources];
    if (entry === undefined) continue;
    for await (const { line } of readPart(store, partNames.datasources, entry)) {
      const record = JSON.parse(line) as { id?: unknown; slug?: unknown };
      if (String(record.id) === id && typeof record.slug === "string") return record.slug;
    }
  }
  return undefined;
}
