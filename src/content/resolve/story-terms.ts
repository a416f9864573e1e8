import type { StoryRecord } from "../../contract/records.js";
import { inMap } from "../../lib/collections/in-map.js";
import { isObject } from "../../lib/shape.js";

type StoredTerm = NonNullable<StoryRecord["taxonomy_terms"]>[number];

/** A term as content shows it. */
export type ResolvedTerm = StoredTerm & {
  /** The names from the taxonomy down to the term: `topics/water/harbour`. */
  path: string;
};

type Carrier = Pick<StoryRecord, "taxonomy_terms">;

/**
 * A story whose terms have paths; the same one if it has no terms. A term that no tree has gets the path that the story
 * tells of it: taxonomy, parent, term. What is no term stays as it is. Pure.
 */
export function withTermPaths<T extends Carrier>(story: T, pathOf: (id: string) => string | undefined): T {
  const { taxonomy_terms: terms } = story;
  if (!Array.isArray(terms) || terms.length === 0) return story;
  const shown = terms.map((term) => (isTerm(term) ? { ...term, path: pathOf(term.id) ?? pathTold(term) } : term));
  return { ...story, taxonomy_terms: shown };
}

/** The terms of a story that {@link withTermPaths} returned, by taxonomy. One without a taxonomy is below "". */
export function termsByTaxonomy({ taxonomy_terms: terms }: Carrier): Map<string, ResolvedTerm[]> {
  const found = new Map<string, ResolvedTerm[]>();
  for (const term of Array.isArray(terms) ? (terms as unknown[]) : []) {
    if (!isTerm(term) || !("path" in term)) continue;
    const { path, taxonomy } = term as ResolvedTerm;
    const name = isTerm(taxonomy) ? taxonomy.name : path.slice(0, Math.max(0, path.indexOf("/")));
    inMap(found, name, () => []).push(term as ResolvedTerm);
  }
  return found;
}

function isTerm(value: unknown): value is StoredTerm {
  return isObject(value) && typeof value.id === "string" && typeof value.name === "string";
}

function pathTold({ id, name, parent, taxonomy }: StoredTerm): string {
  const above = [taxonomy, parent].filter(isTerm).filter((one) => one.id !== id);
  return [...new Map(above.map((one) => [one.id, one.name])).values(), name].join("/");
}
