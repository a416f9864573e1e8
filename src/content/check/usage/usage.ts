import { termPaths, termsOf } from "../../../contract/term-tree.js";
import { parts } from "../../../snapshot/layout.js";
import { readRecords } from "../../../snapshot/read-records.js";
import type { Store } from "../../../snapshot/store/store.js";
import { translationState } from "../../diff/translation-state.js";
import type { CheckedEdition, FieldCounts } from "../facts/checked-space.js";
import { sourcesOfFields } from "../facts/field-sources.js";
import { assetUsers, reachedStories } from "../facts/references.js";
import { assetHash, countsOf } from "../facts/shard-facts.js";
import { type FindingStory, findingStory } from "../finding.js";
import type { ReadSpace } from "../read-checked-space.js";

export interface User extends FindingStory {
  times: number;
  fields: string[];
  /** The same fields as an editor sees them. */
  fieldTitles: string[];
}

export interface FieldFill extends FieldCounts {
  /** `component.field` */
  field: string;
  /** Blocks of this component in the default language, also those saved before the field existed. */
  blocks: number;
}

export interface Usage {
  kind: UsageKind;
  name: string;
  times: number;
  users: User[];
  /** For a block, its fields; for a datasource, the fields that choose from it. */
  fields?: FieldFill[];
  values?: { value: string; times: number }[];
  /** For a language, the stories of the default language that lack it or have the same content in it. */
  untranslated?: { of: number; missing: FindingStory[]; same: FindingStory[] };
}

export const usageKinds = ["block", "story", "asset", "field", "datasource", "tag", "term", "language"] as const;
export type UsageKind = (typeof usageKinds)[number];

export interface UsageOverview {
  generation: number;
  stories: number;
  /** Content types and blocks, most used first. */
  blocks: { component: string; times: number; stories: number }[];
  fields: FieldFill[];
  datasources: { slug: string; values: number; fields: string[] }[];
  tags: { name: string; times: number }[];
  /** Terms by their path from the taxonomy down, most used first. */
  terms: { path: string; name: string; times: number }[];
  languages: { language: string; stories: number }[];
  assets: number;
  unused: {
    fields: string[];
    assets: string[];
    datasources: string[];
    tags: string[];
    /** Paths of terms that no story has itself. */
    terms: string[];
    /** Slugs of stories that no other story links to. */
    stories: string[];
  };
}

/** Lists everything in the space and what nobody uses. Blocks and fields are counted in the default language. */
export function usageOverview(space: ReadSpace, tags: readonly string[]): UsageOverview {
  const [first] = space.editions;
  const fields = first === undefined ? [] : fieldFills(first);
  const tagTimes = countsOf(first?.shards ?? [], ({ tags: own }) => own());
  const terms = termTimes(space);
  const sources = first === undefined ? new Map<string, string>() : sourcesOfFields(first, space);
  const users = assetUsers(space, new Set(space.assets.map(({ url }) => assetHash(url))));
  const bySource = (slug: string) => [...sources].flatMap(([field, source]) => (source === slug ? [field] : []));
  const datasources = [...space.datasources].map(([slug, values]) => {
    return { slug, values: values.size, fields: bySource(slug).sort() };
  });
  return {
    generation: space.manifest.generation,
    stories: first?.count ?? 0,
    blocks: first === undefined ? [] : blocksOf(first),
    fields,
    datasources,
    tags: byTimes([...tagTimes].map(([name, times]) => ({ name, times }))),
    terms: byTimes(terms.filter(({ times }) => times > 0)),
    languages: space.editions.map(({ entry: { language }, count }) => ({ language, stories: count })),
    assets: space.assets.length,
    unused: {
      fields: fields.filter(({ filled }) => filled === 0).map(({ field }) => field),
      assets: space.assets.flatMap(({ url }) => (users.has(assetHash(url)) ? [] : [url])).sort(),
      datasources: datasources.flatMap(({ slug, fields: own }) => (own.length === 0 ? [slug] : [])),
      tags: tags.filter((name) => !tagTimes.has(name)).sort(),
      terms: terms.flatMap(({ path, times }) => (times === 0 ? [path] : [])).sort(),
      stories: first === undefined ? [] : unreached(first, space),
    },
  };
}

export function fieldFills(edition: CheckedEdition): FieldFill[] {
  const blocks = countsOf(edition.shards, (facts) => facts.blocks);
  const fills = [...edition.fills()].map(([field, counts]) => {
    return { field, ...counts, blocks: blocks.get(field.slice(0, field.lastIndexOf("."))) ?? 0 };
  });
  return fills.sort((a, b) => (a.field < b.field ? -1 : 1));
}

/** How many stories of the default language have each term below a taxonomy. */
function termTimes({ editions: [first], terms: trees = [] }: ReadSpace): UsageOverview["terms"] {
  const counts = countsOf(first?.shards ?? [], ({ terms }) => terms);
  const paths = termPaths(trees);
  return trees.flatMap((tree) =>
    [...termsOf(tree)].flatMap(({ record: { id, name, display_name }, above }) =>
      above.length === 0 ? [] : { path: paths.get(id) ?? name, name: display_name || name, times: counts.get(id) ?? 0 },
    ),
  );
}

function blocksOf(edition: CheckedEdition): UsageOverview["blocks"] {
  const stories = new Map<string, number>();
  for (const { facts } of edition.shards) {
    for (const type of facts.typeOf) {
      const name = facts.names.types[type];
      if (name !== undefined) stories.set(name, (stories.get(name) ?? 0) + 1);
    }
  }
  const all = [...countsOf(edition.shards, (facts) => facts.blocks)].map(([component, times]) => {
    return { component, times, stories: stories.get(component) ?? 0 };
  });
  return byTimes(all);
}

function unreached(edition: CheckedEdition, space: ReadSpace): string[] {
  const reached = reachedStories(edition, space);
  const found: string[] = [];
  for (let at = 0; at < edition.count; at += 1)
    if (reached[at] === 0 && !edition.isHome(at)) found.push(edition.slug(at));
  return found.sort();
}

function byTimes<T extends { times: number }>(list: readonly T[]): T[] {
  return list.toSorted((a, b) => b.times - a.times);
}

/**
 * Which stories are in a language, and which are not translated to it; undefined if the snapshot does not have it.
 * @throws OffprintError `SNAPSHOT_DAMAGED`
 */
export async function languageUsage(store: Store, space: ReadSpace, name: string): Promise<Usage | undefined> {
  const edition = editionIn(space, name);
  const base = editionIn(space, "default");
  if (edition === undefined) return undefined;
  const compared = base === undefined || base === edition ? undefined : await compare(store, space, base, edition);
  const stories =
    compared?.translated ?? Array.from({ length: edition.count }, (_, at) => findingStory({ edition, at }));
  const users = stories.map((story) => ({ ...story, times: 1, fields: [], fieldTitles: [] }));
  const { missing, same } = compared ?? {};
  const untranslated = base && missing && same && { of: base.count, missing, same };
  return { kind: "language", name, times: users.length, users, ...(untranslated && { untranslated }) };
}

export function editionIn({ editions }: Pick<ReadSpace, "editions">, language: string): CheckedEdition | undefined {
  return editions.find(({ entry }) => entry.language === language);
}

/** Reads a shard of the default language at a time, with the same stories in the other one. */
async function compare(store: Store, { manifest }: ReadSpace, base: CheckedEdition, edition: CheckedEdition) {
  const found = { translated: [] as FindingStory[], missing: [] as FindingStory[], same: [] as FindingStory[] };
  const linesOf = async ({ entry }: CheckedEdition, uuids: ReadonlySet<string>) => {
    const part = parts.stories(entry.name);
    const lines = await readRecords(store, part, manifest.parts[part], uuids);
    return (uuid: string) => (lines.has(uuid) ? Buffer.from(lines.get(uuid)!) : undefined);
  };
  for (const { start, facts } of base.shards) {
    const uuids = Array.from({ length: facts.count }, (_, inside) => facts.uuid(inside));
    const [own, other] = [await linesOf(base, new Set(uuids)), await linesOf(edition, new Set(uuids))];
    for (const [inside, uuid] of uuids.entries()) {
      const at = edition.find(facts.uuidHashes[inside]!);
      const state = translationState(own(uuid) ?? Buffer.alloc(0), at === undefined ? undefined : other(uuid));
      const story = at === undefined || state === "missing" ? { edition: base, at: start + inside } : { edition, at };
      found[state].push(findingStory(story));
    }
  }
  return found;
}
