import { termsByTaxonomy, withTermPaths } from "../content/resolve/story-terms.js";
import { parseRecord, parseStory } from "../contract/parse-record.js";
import { taxonomyTerm } from "../contract/record-table.js";
import type { TaxonomyTermRecord } from "../contract/records.js";
import { termPaths, termsOf } from "../contract/term-tree.js";
import { inMap } from "../lib/collections/in-map.js";
import { remembered } from "../lib/concurrency/remembered.js";
import { parts } from "../snapshot/layout.js";
import type { Manifest } from "../snapshot/manifest.js";
import { readPart } from "../snapshot/read-part.js";
import type { Store } from "../snapshot/store/store.js";
import { warnUnknown } from "./check-options.js";
import { linesOf } from "./datasource-entries.js";
import type { StoryFilter, Term } from "./snapshot.js";
import type { OpenEdition } from "./snapshot-editions.js";

/** The taxonomies of one generation, read when first asked for. */
export interface Taxonomies {
  trees(): Promise<readonly Term[]>;
  /** By id of a term. */
  paths(): Promise<ReadonlyMap<string, string>>;
  /**
   * Uuids of the stories that carry a term of the filter; undefined if it names none. The first call for an edition reads
   * all its stories.
   */
  carriers(question: string, edition: OpenEdition, filter: StoryFilter): Promise<ReadonlySet<string> | undefined>;
}

type Carriers = ReadonlyMap<string, ReadonlySet<string>>;

export function openTaxonomies(store: Store, manifest: Manifest): Taxonomies {
  const records = remembered(async () => {
    const lines = await linesOf(store, manifest, parts.terms);
    return lines.map((line) => parseRecord(taxonomyTerm, line));
  });
  const paths = remembered(async () => termPaths(await records()));
  const known = remembered(async () => new Set((await records()).flatMap(namesOfTree)));
  const byEdition = new Map<string, () => Promise<Carriers>>();
  return {
    trees: async () => (await records()).map(treeOf),
    paths,
    async carriers(question, { entry }, { term }) {
      if (term === undefined) return undefined;
      const part = parts.stories(entry.name);
      const read = () => paths().then((found) => readCarriers(store, manifest, part, found));
      const carriers = await inMap(byEdition, entry.name, () => remembered(read))();
      const names = await known();
      const asked = typeof term === "string" ? [term] : term;
      for (const name of asked) {
        if (!names.has(name) && !carriers.has(name)) warnUnknown(question, "term", name, [...names]);
      }
      return new Set(asked.flatMap((name) => [...(carriers.get(name) ?? [])]));
    },
  };
}

function treeOf(tree: TaxonomyTermRecord): Term {
  const made = new Map<TaxonomyTermRecord, Term & { children: Term[] }>();
  for (const { record, above } of termsOf(tree)) {
    const parent = above.at(-1);
    const siblings = parent === undefined ? undefined : made.get(parent);
    const { id, name, display_name, description = null } = record;
    const path = siblings === undefined ? name : `${siblings.path}/${name}`;
    const term = { id, name, display_name: display_name ?? name, description, path, children: [] };
    made.set(record, term);
    siblings?.children.push(term);
  }
  return made.get(tree)!;
}

/** All texts that find a term of the tree. */
function namesOfTree(tree: TaxonomyTermRecord): string[] {
  return [...termsOf(tree)].flatMap(({ record, above }) => {
    return namesOfTerm(record.id, [...above, record].map(({ name }) => name).join("/"), tree.name, record.name);
  });
}

/** Its path; its name within the taxonomy; its id; and each path above it with a final slash. */
function namesOfTerm(id: string, path: string, taxonomy: string, name: string): string[] {
  const above = [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index + 1));
  return [path, `${taxonomy}/${name}`, ...above, `${path}/`, id];
}

/** Uuids by each text that finds a term. */
async function readCarriers(
  store: Store,
  manifest: Manifest,
  part: string,
  paths: ReadonlyMap<string, string>,
): Promise<Carriers> {
  const found = new Map<string, Set<string>>();
  const entry = manifest.parts[part] ?? { records: 0, shards: [] };
  for await (const { key, line } of readPart(store, part, entry)) {
    if (!line.includes('"taxonomy_terms":[{')) continue;
    for (const [taxonomy, terms] of termsByTaxonomy(withTermPaths(parseStory(line), (id) => paths.get(id)))) {
      for (const { id, name, path } of terms) {
        for (const text of namesOfTerm(id, path, taxonomy, name)) inMap(found, text, () => new Set<string>()).add(key);
      }
    }
  }
  return found;
}
