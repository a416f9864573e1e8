import type { StoriesQuery, StoryQuery } from "../../../contract/endpoints.js";
import type { TaxonomyTermRecord } from "../../../contract/records.js";
import { termsOf } from "../../../contract/term-tree.js";
import { inMap } from "../../../lib/collections/in-map.js";
import { NumberText, parseExact, printExact } from "../../../lib/json/exact-json.js";
import { isObject } from "../../../lib/shape.js";
import { parts } from "../../../snapshot/layout.js";
import type { GenerationView } from "../generation-view.js";
import type { StoryRows } from "../query/story-rows.js";
import { errorAnswer, jsonAnswer, listPieces, notFound, type ReplicaAnswer } from "./answer.js";

/** GET /v2/cdn/taxonomies (docs/interface-reference.md, section 4.14), on one page. */
export function answerTaxonomies({ reader, records, cv }: GenerationView): ReplicaAnswer {
  if (reader.taxonomies() === undefined) return withoutTaxonomies();
  return jsonAnswer(["{", ...listPieces("taxonomies", records(parts.taxonomies)), `,"cv":${cv}}`]);
}

/** GET /v2/cdn/taxonomies/:id, by id or name, with all terms. */
export async function answerTaxonomy(view: GenerationView, identifier: string): Promise<ReplicaAnswer> {
  const trees = view.reader.terms();
  if (trees === undefined) return withoutTaxonomies();
  const tree = trees.find(({ id }) => id === identifier) ?? trees.find(({ name }) => name === identifier);
  return tree === undefined ? notFound() : answerTerm(view, "taxonomy", tree, tree);
}

/** GET /v2/cdn/taxonomy_terms/:id, with the terms below it. */
export async function answerTaxonomyTerm(view: GenerationView, identifier: string): Promise<ReplicaAnswer> {
  const trees = view.reader.terms();
  if (trees === undefined) return withoutTaxonomies();
  for (const tree of trees) {
    for (const { record } of termsOf(tree)) {
      if (record.id === identifier) return answerTerm(view, "taxonomy_term", tree, record);
    }
  }
  return notFound();
}

/** As the platform answers where the feature is off. */
function withoutTaxonomies(): ReplicaAnswer {
  return errorAnswer(403, { error: "The snapshot has no taxonomies" });
}

/** Stories of a term get back what a sync leaves out of them, as far as the snapshot has the story. */
async function answerTerm(
  { reader, records, stories, cv }: GenerationView,
  key: string,
  tree: TaxonomyTermRecord,
  term: TaxonomyTermRecord,
): Promise<ReplicaAnswer> {
  const exact = parseExact(Buffer.from(records(parts.terms)[reader.terms()!.indexOf(tree)]!).toString());
  const found = term === tree ? exact : exactTerm(exact, term.id);
  const [edition] = reader.manifest.editions;
  const rows = edition && stories(edition.name);
  await rows?.prepareIds();
  return jsonAnswer([`{${JSON.stringify(key)}:${printExact(withStories(found, rows))},"cv":${cv}}`]);
}

function exactTerm(tree: unknown, id: string): unknown {
  for (const { record } of termsOf(tree as TaxonomyTermRecord)) if (record.id === id) return record;
  return undefined;
}

function withStories(term: unknown, rows: StoryRows | undefined): unknown {
  if (Array.isArray(term)) return term.map((one) => withStories(one, rows));
  if (!isObject(term) || term instanceof NumberText) return term;
  const shown = ([key, value]: [string, unknown]) =>
    key === "associated_content" && Array.isArray(value)
      ? value.map((one) => story(one, rows))
      : withStories(value, rows);
  return Object.fromEntries(Object.entries(term).map((member) => [member[0], shown(member)]));
}

function story(entry: unknown, rows: StoryRows | undefined): unknown {
  const row = isObject(entry) ? rows?.rowOfId(Number(entry.id)) : undefined;
  if (rows === undefined || row === undefined || !isObject(entry)) return entry;
  const known = (["name", "full_slug", "updated_at"] as const).map((field) => [field, rows.value(row, [field])]);
  return { ...entry, ...Object.fromEntries(known.filter(([, value]) => value !== undefined)) };
}

const noFields: ReadonlySet<string> = new Set();
const termFields: ReadonlySet<string> = new Set(["taxonomy_terms"]);

/** Where stories were read with their terms, only a request that asks for these gets them. */
export function unaskedFields({ reader }: GenerationView, query: StoryQuery): ReadonlySet<string> {
  return query.with_taxonomy_terms === true || reader.taxonomies() === undefined ? noFields : termFields;
}

/** The query with names and subterms as ids, which stories carry. An unknown name is no id: no story has it. */
export function withTermIds({ reader }: GenerationView, query: StoriesQuery): StoriesQuery {
  const { by_taxonomy_term_ids: ids = [], by_taxonomy_term_names: names = [], with_taxonomy_subterms: below } = query;
  if (ids.length + names.length === 0) return query;
  const terms = (reader.terms() ?? []).flatMap((tree) => [...termsOf(tree)]);
  const byName = new Map<string, string[]>();
  for (const { record, above } of terms) {
    const [root] = above;
    for (const name of [record.name, ...(root === undefined ? [] : [`${root.name}/${record.name}`])]) {
      inMap(byName, name, () => []).push(record.id);
    }
  }
  const withBelow = (some: readonly string[]): string[] => {
    const found = new Set(some);
    if (below) for (const { record, above } of terms) if (above.some(({ id }) => found.has(id))) found.add(record.id);
    return [...found];
  };
  const named = names.map((group) => group.flatMap((name) => byName.get(name) ?? []));
  const groups = [...ids, ...named].map(withBelow);
  return { ...query, by_taxonomy_term_ids: groups, by_taxonomy_term_names: undefined };
}
