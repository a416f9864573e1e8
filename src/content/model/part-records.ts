import type { DatasourceEntryRecord, DatasourceRecord } from "../../contract/records.js";
import { bufferOver } from "../../lib/buffer-over.js";
import { damagedFile } from "../../snapshot/damaged-file.js";
import { parts } from "../../snapshot/layout.js";
import type { Manifest } from "../../snapshot/manifest.js";
import { readPart } from "../../snapshot/read-part.js";
import type { Store } from "../../snapshot/store/store.js";

/** All records of a part; none where a generation has no such part. @throws OffprintError `SNAPSHOT_DAMAGED` */
export async function partRecords<T>(store: Store, manifest: Pick<Manifest, "parts">, part: string): Promise<T[]> {
  const records: T[] = [];
  for await (const { line } of readPart(store, part, manifest.parts[part])) records.push(JSON.parse(line) as T);
  return records;
}

/** All records of a shard, whose file is one JSON array. @throws OffprintError `SNAPSHOT_DAMAGED` */
export function shardRecords(bytes: Uint8Array, file: string): readonly unknown[] {
  const records: unknown = JSON.parse(bufferOver(bytes).toString());
  if (!Array.isArray(records)) throw damagedFile(file, "is not a JSON array");
  return records;
}

/** The values of each datasource, each once; two datasources may have one slug. */
export async function datasourceValues(
  store: Store,
  manifest: Pick<Manifest, "parts">,
): Promise<{ slug: string; values: Set<string> }[]> {
  const found: { slug: string; values: Set<string> }[] = [];
  for (const { id, slug } of await partRecords<DatasourceRecord>(store, manifest, parts.datasources)) {
    const entries = await partRecords<Partial<DatasourceEntryRecord>>(store, manifest, parts.entries(id, null));
    const values = entries.flatMap(({ value }) => (typeof value === "string" && value !== "" ? [value] : []));
    if (typeof slug === "string") found.push({ slug, values: new Set(values) });
  }
  return found;
}
