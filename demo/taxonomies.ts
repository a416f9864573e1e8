import type { StoryRecord, TaxonomyTermRecord } from "../src/contract/records.js";
import type { WrittenTerm } from "./compile/content-shapes.js";
import type { StoryPlace } from "./story-place.js";

/** A term with its id and those below it, or a taxonomy. Archived terms are not among them, as in every answer. */
export interface DemoTerm {
  record: TaxonomyTermRecord;
  /** What stories show of it. */
  label: { id: string; name: string; display_name: string };
  /** Paths of its stories; each stands for all below it, too. */
  paths: readonly string[];
  terms: readonly DemoTerm[];
}

type StoryTerm = NonNullable<StoryRecord["taxonomy_terms"]>[number];

/** Taxonomies as their content file describes them. The place of each term in the file decides its id. */
export function taxonomiesOf(written: readonly WrittenTerm[]): DemoTerm[] {
  const created = "2025-08-20T09:12:44.105Z";
  let count = 0;
  const termOf = (term: WrittenTerm, parent: string | null): DemoTerm => {
    const id = String(130_224_981_000_000 + 37 * count++);
    const terms = (term.terms ?? []).map((below) => ({ isServed: below.archived !== true, term: termOf(below, id) }));
    const label = { id, name: term.name, display_name: term["display-name"] };
    return {
      label,
      record: {
        ...label,
        description: term.description ?? null,
        parent_id: parent,
        created_at: created,
        updated_at: created,
      },
      paths: term.stories ?? [],
      terms: terms.filter(({ isServed }) => isServed).map((below) => below.term),
    };
  };
  return written.map((taxonomy) => termOf(taxonomy, null));
}

/** The list of taxonomies. */
export function taxonomyRecords(taxonomies: readonly DemoTerm[]): TaxonomyTermRecord[] {
  const countOf = ({ terms }: DemoTerm): number => terms.reduce((sum, term) => sum + 1 + countOf(term), 0);
  return taxonomies.map((taxonomy) => ({
    ...taxonomy.record,
    terms_count: countOf(taxonomy),
    last_activity_at: taxonomy.record.updated_at ?? null,
  }));
}

/** Each taxonomy with its terms, and these with the ids of their stories. */
export function taxonomyTrees(taxonomies: readonly DemoTerm[], places: readonly StoryPlace[]): TaxonomyTermRecord[] {
  const treeOf = (term: DemoTerm, isRoot: boolean): TaxonomyTermRecord => ({
    ...term.record,
    children: term.terms.map((below) => treeOf(below, false)),
    ...(isRoot ? {} : { associated_content: storiesOf(term, places) }),
  });
  return taxonomies.map((taxonomy) => treeOf(taxonomy, true));
}

function storiesOf(term: DemoTerm, places: readonly StoryPlace[]): { id: number; type: string }[] {
  const ids = places.filter(({ story }) => hasStory(term, story.path)).map(({ id }) => id);
  return ids.sort((a, b) => a - b).map((id) => ({ id, type: "Story" }));
}

/** What a story shows of its terms. */
export function storyTerms(taxonomies: readonly DemoTerm[], path: string): StoryTerm[] {
  return taxonomies.flatMap((taxonomy) => termsBelow(taxonomy, taxonomy, path));
}

function termsBelow(taxonomy: DemoTerm, parent: DemoTerm, path: string): StoryTerm[] {
  return parent.terms.flatMap((term) => {
    const own = {
      ...term.label,
      taxonomy_id: taxonomy.label.id,
      parent: parent.label,
      taxonomy: taxonomy.label,
    };
    return [...(hasStory(term, path) ? [own] : []), ...termsBelow(taxonomy, term, path)];
  });
}

function hasStory({ paths }: DemoTerm, path: string): boolean {
  return paths.some((own) => path === own || path.startsWith(`${own}/`));
}
