import { limits } from "../contract/limits.js";
import type { PartEntry } from "./manifest.js";

interface PartKindRow {
  /** The record field that keys the part; null: one file in upstream order. */
  key: "uuid" | "key" | null;
  /** One part of this kind per item. */
  of: "edition" | "version" | "space" | "datasource";
  /** Records per full page of its listing; null: no own listing. */
  perPage: number | null;
}

/**
 * Every kind of part, and how its records are stored (docs/snapshot-format.md). The kind is the
 * name up to the first slash: `stories` for `stories/published/de`.
 */
export const partKinds = {
  stories: { key: "uuid", of: "edition", perPage: limits.storiesPerPage.max },
  variants: { key: "uuid", of: "edition", perPage: limits.storiesPerPage.max },
  links: { key: "uuid", of: "version", perPage: limits.linksPerPage.max },
  tags: { key: null, of: "version", perPage: limits.linksPerPage.max },
  datasources: { key: null, of: "space", perPage: limits.datasourcesPerPage.max },
  entries: { key: null, of: "datasource", perPage: limits.datasourceEntriesPerPage.max },
  experiments: { key: null, of: "space", perPage: limits.linksPerPage.max },
  space: { key: null, of: "space", perPage: limits.linksPerPage.max },
  assets: { key: "key", of: "space", perPage: null },
  "asset-metadata": { key: null, of: "space", perPage: limits.storiesPerPage.max },
} as const satisfies Record<string, PartKindRow>;

export type PartKind = keyof typeof partKinds;

/** The kind of a part; undefined if a newer version of this program wrote it. */
export function kindOf(part: string): PartKind | undefined {
  const [kind = ""] = part.split("/", 1);
  return Object.hasOwn(partKinds, kind) ? (kind as PartKind) : undefined;
}

/** The record field that keys a part; null for a part in upstream order. */
export function partKey(part: string): "uuid" | "key" | null {
  const kind = kindOf(part);
  return kind === undefined ? null : partKinds[kind].key;
}

/** The requests needed to read this many records; 0 for a part without its own listing. */
export function requestsFor(part: string, { records }: Pick<PartEntry, "records">): number {
  const kind = kindOf(part);
  const perPage = kind === undefined ? null : partKinds[kind].perPage;
  return perPage === null ? 0 : Math.max(1, Math.ceil(records / perPage));
}
