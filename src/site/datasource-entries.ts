import { datasourceRows } from "../content/tree/datasource-rows.js";
import { parseRecord } from "../contract/parse-record.js";
import * as tables from "../contract/record-table.js";
import type { DatasourceEntryRecord, DatasourceRecord } from "../contract/records.js";
import { parts } from "../snapshot/layout.js";
import type { Manifest } from "../snapshot/manifest.js";
import { readLines } from "../snapshot/read-part.js";
import type { Store } from "../snapshot/store/store.js";
import type { DatasourceEntry } from "./snapshot.js";

/** The datasources of a generation, in upstream order. */
export async function readDatasources(store: Store, manifest: Manifest): Promise<DatasourceRecord[]> {
  const lines = await linesOf(store, manifest, parts.datasources);
  return lines.map((line) => parseRecord(tables.datasource, line));
}

/** With values in all dimensions. Skips entries without a name. */
export async function readDatasourceEntries(
  store: Store,
  manifest: Manifest,
  datasource: DatasourceRecord,
): Promise<DatasourceEntry[]> {
  const ids = [null, ...(datasource.dimensions ?? []).map(({ id }) => id)];
  const entries = new Map<number | null, Partial<DatasourceEntryRecord>[]>();
  for (const id of ids) {
    const lines = await linesOf(store, manifest, parts.entries(datasource.id, id));
    entries.set(
      id,
      lines.map((line) => parseRecord(tables.datasourceEntry, line)),
    );
  }
  return datasourceRows(datasource, (id) => entries.get(id)).flatMap(({ name, value, dimensions }) => {
    return name === undefined ? [] : [{ name, value: value ?? "", dimensions: dimensions ?? {} }];
  });
}

/** All lines of a part; none if the generation has no such part. */
export async function linesOf(store: Store, manifest: Manifest, part: string): Promise<string[]> {
  const { shards } = manifest.parts[part] ?? { shards: [] };
  const lines: string[] = [];
  for (const shard of shards) lines.push(...(await readLines(store, part, shard)));
  return lines;
}
