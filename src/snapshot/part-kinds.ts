import { limits } from "../contract/limits.js";
import type { PartEntry } from "./manifest.js";

interface PartKindRow {
  /** The record field that keys the part; null: one file, which keeps the order of the upstream. */
  key: "uuid" | "key" | null;
  /** There is one part of this kind for each of these. */
  of: "edition" | "version" | "space" | "datasource";
  /** Records of one full page of the listing that it is read from; null: no listing of its own. */
  perPage: number | null;
}

/**
 * Every kind of part that a generation can have, and how its records are kept (docs/snapshot-format.md). The kind of a
 * part is its name up to the first slash: `stories` of `stories/published/de`.
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

/** The kind of a part, by its name; undefined for the name of a part that a newer version of this program wrote. */
export function kindOf(part: string): PartKind | undefined {
  const [kind = ""] = part.split("/", 1);
  return Object.hasOwn(partKinds, kind) ? (kind as PartKind) : undefined;
}

/** The record field that keys a part, or null for a part that keeps the order of the upstream in one file. */
export function partKey(part: string): "uuid" | "key" | null {
  const kind = kindOf(part);
  return kind === undefined ? null : partKinds[kind].key;
}

/** The requests that reading a part of so many records takes; 0 for a part that has no listing of its own. */
export function requestsFor(part: string, { records }: Pick<PartEntry, "records">): number {
  const kind = kindOf(part);
  const perPage = kind === undefined ? null : partKinds[kind].perPage;
  return perPage === null ? 0 : Math.max(1, Math.ceil(records / perPage));
}
