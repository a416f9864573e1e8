import type { RecordTable } from "../contract/describe-record.js";
import { limits } from "../contract/limits.js";
import * as tables from "../contract/record-table.js";
import type { PartEntry } from "./manifest.js";

interface PartKindRow {
  /** The record field that keys the part; null: one file in upstream order. */
  key: "uuid" | "key" | null;
  /** One part of this kind per item. */
  of: "edition" | "version" | "space" | "datasource";
  /** Records per full page of its listing; null: no own listing. */
  perPage: number | null;
  /** Describes each record; absent: no single record of the upstream. */
  record?: RecordTable<unknown>;
  /** Stops a sync that would lose every `record` of these; the stop names them so. */
  guarded?: string;
}

/** How each kind of part is stored (docs/snapshot-format.md). The kind is the name up to the first slash. */
export const partKinds = {
  stories: { key: "uuid", of: "edition", perPage: limits.storiesPerPage.max, record: tables.story },
  variants: { key: "uuid", of: "edition", perPage: limits.storiesPerPage.max, record: tables.story },
  links: { key: "uuid", of: "version", perPage: limits.linksPerPage.max, record: tables.link },
  datasources: {
    key: null,
    of: "space",
    perPage: limits.datasourcesPerPage.max,
    record: tables.datasource,
    guarded: "datasource and entry",
  },
  entries: {
    key: null,
    of: "datasource",
    perPage: limits.datasourceEntriesPerPage.max,
    record: tables.datasourceEntry,
    guarded: "datasource and entry",
  },
  tags: { key: null, of: "version", perPage: limits.linksPerPage.max, record: tables.tag, guarded: "tag" },
  experiments: {
    key: null,
    of: "space",
    perPage: limits.linksPerPage.max,
    record: tables.experiment,
    guarded: "experiment",
  },
  taxonomies: {
    key: null,
    of: "space",
    perPage: limits.linksPerPage.max,
    record: tables.taxonomyTerm,
    guarded: "taxonomy",
  },
  terms: { key: null, of: "space", perPage: 1, record: tables.taxonomyTerm },
  space: { key: null, of: "space", perPage: limits.linksPerPage.max },
  assets: { key: "key", of: "space", perPage: null },
  "asset-metadata": { key: null, of: "space", perPage: limits.storiesPerPage.max },
} as const satisfies Record<string, PartKindRow>;

export type PartKind = keyof typeof partKinds;
type KindsWith<Row> = { [K in PartKind]: (typeof partKinds)[K] extends Row ? K : never }[PartKind];
/** The kinds whose records no single table describes. */
export type UndescribedKind = Exclude<PartKind, KindsWith<{ record: unknown }>>;
/** The described kinds that are whole lists, in upstream order. */
type ListKind = KindsWith<{ record: unknown; key: null; of: "space" | "version" }>;

/** Reads each {@link ListKind}; undefined if the part is not included. */
export type ListReaders = {
  [K in ListKind]: (
    ...version: (typeof partKinds)[K]["of"] extends "version" ? [version: string] : []
  ) => readonly RecordOf<(typeof partKinds)[K]["record"]>[] | undefined;
};
type RecordOf<T> = T extends RecordTable<infer R> ? R : never;

export const listKinds = Object.entries<PartKindRow>(partKinds).flatMap(([kind, { record, key, of }]) =>
  record !== undefined && key === null && of !== "datasource" ? [{ kind: kind as ListKind, record }] : [],
);

/** The kind of a part; undefined if a newer version of this program wrote it. */
export function kindOf(part: string): PartKind | undefined {
  const [kind = ""] = part.split("/", 1);
  return Object.hasOwn(partKinds, kind) ? (kind as PartKind) : undefined;
}

export function partRow(part: string): PartKindRow | undefined {
  const kind = kindOf(part);
  return kind && partKinds[kind];
}

export function partKey(part: string): "uuid" | "key" | null {
  return partRow(part)?.key ?? null;
}

/** The requests needed to read this many records; 0 for a part without its own listing. */
export function requestsFor(part: string, { records }: Pick<PartEntry, "records">): number {
  const perPage = partRow(part)?.perPage;
  return perPage == null ? 0 : Math.max(1, Math.ceil(records / perPage));
}
