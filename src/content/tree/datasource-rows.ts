import type { DatasourceEntryRecord, DatasourceRecord } from "../../contract/records.js";

/** One entry of a datasource with its values in all dimensions. */
export interface DatasourceRow {
  id: number | undefined;
  name: string | undefined;
  value: string | undefined;
  /** By the dimension's `entry_value`; null where it has no value for this entry. Absent without dimensions. */
  dimensions?: Record<string, string | null>;
}

/** The entries of a datasource, in the upstream's order. @param entries those of a dimension, null: the plain ones */
export function datasourceRows(
  datasource: DatasourceRecord,
  entries: (dimensionId: number | null) => readonly Partial<DatasourceEntryRecord>[] | undefined,
): DatasourceRow[] {
  const dimensions = (datasource.dimensions ?? []).map((dimension) => {
    const rows = entries(dimension.id) ?? [];
    return { name: dimension.entry_value, values: new Map(rows.map((row) => [row.id, row.dimension_value ?? null])) };
  });
  return (entries(null) ?? []).map(({ id, name, value }) => {
    if (dimensions.length === 0) return { id, name, value };
    const values: Record<string, string | null> = Object.create(null);
    for (const dimension of dimensions) values[dimension.name] = dimension.values.get(id) ?? null;
    return { id, name, value, dimensions: values };
  });
}
