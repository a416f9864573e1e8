import type { DatasourceEntryRecord, DatasourceRecord } from "../src/contract/records.js";
import type { Content } from "./compile/compile-content.js";
import type { Language } from "./space.js";

/** A datasource with its dimensions and rows: name, value, and the value in each language ("" where there is none). */
export interface DemoDatasource {
  record: DatasourceRecord;
  rows: readonly (readonly [
    name: string,
    value: string,
    german?: string | undefined,
    portuguese?: string | undefined,
  ])[];
}

/** The rows of a datasource as the interface delivers them: for one dimension, or without any. */
export function entriesOf(source: DemoDatasource, dimension: Language | null): DatasourceEntryRecord[] {
  return source.rows.map(([name, value, german, portuguese], index) => ({
    id: source.record.id * 1000 + index,
    name,
    value,
    dimension_value: dimension === null ? null : (dimension === "de" ? german : portuguese) || null,
  }));
}

/** A datasource as its content file describes it, with a dimension for each of its languages. */
export function datasourceOf({ id, name, slug, languages, rows }: Content["datasources"][number]): DemoDatasource {
  const names = { de: "Deutsch", "pt-br": "Português (Brasil)" };
  const created = "2021-02-10T09:12:44.105Z";
  const dimensions = languages.map((language, index) => ({
    id: id * 10 + index,
    name: names[language],
    entry_value: language,
    datasource_id: id,
    created_at: created,
    updated_at: created,
  }));
  return { record: { id, name, slug, dimensions }, rows };
}
