import { isObject } from "../lib/shape.js";
import type { TaxonomyTermRecord } from "./records.js";

/** A term at its place in a tree. The nesting decides, whatever `parent_id` says. */
export interface PlacedTerm {
  record: TaxonomyTermRecord;
  /** The terms above it, the taxonomy first; empty for the taxonomy. */
  above: readonly TaxonomyTermRecord[];
}

/** All terms of a tree, each before those below it. Skips what has no id or name. */
export function* termsOf(tree: TaxonomyTermRecord): Generator<PlacedTerm> {
  const open: PlacedTerm[] = [{ record: tree, above: [] }];
  for (let term = open.pop(); term !== undefined; term = open.pop()) {
    yield term;
    const above = [...term.above, term.record];
    for (const child of childrenOf(term.record).reverse()) open.push({ record: child, above });
  }
}

/** The usable terms directly below. */
function childrenOf({ children }: TaxonomyTermRecord): TaxonomyTermRecord[] {
  return Array.isArray(children) ? (children as unknown[]).filter(isTerm) : [];
}

/** The names from the taxonomy down to each term, `taxonomy/term/term`, by id. The first place of an id counts. */
export function termPaths(trees: readonly TaxonomyTermRecord[]): Map<string, string> {
  const paths = new Map<string, string>();
  for (const tree of trees) {
    for (const { record, above } of termsOf(tree)) {
      if (!paths.has(record.id)) paths.set(record.id, [...above, record].map(({ name }) => name).join("/"));
    }
  }
  return paths;
}

/** Ids of the term's stories; undefined if the interface does not tell. */
export function storiesOf({ associated_content: stories }: TaxonomyTermRecord): number[] | undefined {
  if (!Array.isArray(stories)) return undefined;
  return (stories as { id?: unknown }[]).flatMap(({ id }) => (typeof id === "number" ? [id] : []));
}

function isTerm(value: unknown): value is TaxonomyTermRecord {
  return isObject(value) && typeof value.id === "string" && typeof value.name === "string";
}
