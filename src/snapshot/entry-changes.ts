import type { DatasourceEntryRecord, DatasourceRecord } from "../contract/records.js";
import { inMap } from "../lib/collections/in-map.js";
import { diffPart, partNamesOf } from "./diff-part.js";
import { parts } from "./layout.js";
import type { Manifest } from "./manifest.js";
import { kindOf } from "./part-kinds.js";
import { readPart } from "./read-part.js";
import type { Store } from "./store/store.js";

/** What happened to an entry of a datasource between two generations. */
export interface EntryChange {
  kind: "added" | "changed" | "removed";
  /** Slug of the datasource. */
  datasource: string;
  name: string;
  /** The values that differ: of a dimension (`de`), or the plain one (""). null: there is none. */
  values: { dimension: string; before: string | null; after: string | null }[];
}

type Parts = Pick<Manifest, "parts">;

/** The entries that differ, by datasource and name. Reads only parts that differ. */
export async function entryChanges(store: Store, before: Parts, after: Parts): Promise<EntryChange[]> {
  const found = new Map<string, EntryChange>();
  let known: Map<string, DatasourceRecord> | undefined;
  for (const part of partNamesOf(before, after).filter((name) => kindOf(name) === "entries")) {
    for await (const change of diffPart(store, part, before.parts[part], after.parts[part])) {
      known ??= await datasourcesOf(store, [before, after]);
      const [, id = "", dimensionId] = part.split("/");
      const own = known.get(id);
      const dimension =
        own?.dimensions?.find((one) => String(one.id) === dimensionId)?.entry_value ?? dimensionId ?? "";
      addValue(found, own?.slug ?? id, dimension, change);
    }
  }
  const keyOf = ({ datasource, name }: EntryChange) => `${datasource}\n${name}`;
  return [...found.values()].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

type Entry = Partial<DatasourceEntryRecord>;

/** The list of a dimension repeats the plain values: of these it says nothing. */
function addValue(
  found: Map<string, EntryChange>,
  datasource: string,
  dimension: string,
  texts: { key: string; before: string | null; after: string | null },
): void {
  const [old, now] = [texts.before, texts.after].map((text) => (text === null ? null : (JSON.parse(text) as Entry)));
  const shownIn = (entry: Entry | null | undefined) => entry?.[dimension === "" ? "value" : "dimension_value"] ?? null;
  const [before, after] = [shownIn(old), shownIn(now)];
  if (before === after && old?.name === now?.name) return;
  const kind = old === null ? "added" : now === null ? "removed" : "changed";
  const name = (now ?? old)?.name ?? texts.key;
  const change = inMap(
    found,
    `${datasource} ${texts.key}`,
    () => ({ kind, datasource, name, values: [] }) as EntryChange,
  );
  if (before !== after) change.values.push({ dimension, before, after });
}

/** By id, as the later generation has them. */
async function datasourcesOf(store: Store, generations: readonly Parts[]): Promise<Map<string, DatasourceRecord>> {
  const found = new Map<string, DatasourceRecord>();
  for (const generation of generations) {
    for await (const { line } of readPart(store, parts.datasources, generation.parts[parts.datasources])) {
      const datasource = JSON.parse(line) as DatasourceRecord;
      found.set(String(datasource.id), datasource);
    }
  }
  return found;
}
