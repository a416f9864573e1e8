import type { Config } from "../../../config/config.js";
import { isRelation, relationFields } from "../../../content/resolve/relations.js";
import { resolveContent } from "../../../content/resolve/resolve-content.js";
import { parseStory } from "../../../contract/parse-record.js";
import type { StoryRecord } from "../../../contract/records.js";
import { contentHash } from "../../../lib/content-hash.js";
import { openShardNotes } from "../../../snapshot/disposable-notes.js";
import { parts as partNames, relatedNotesFile } from "../../../snapshot/layout.js";
import type { PartEntry } from "../../../snapshot/manifest.js";
import { baseEdition } from "../../../snapshot/manifest.js";
import { type KeyedLine, readShardLines } from "../../../snapshot/read-part.js";
import type { Store } from "../../../snapshot/store/store.js";
import { type EditionSpec, isIncludedStory } from "../run/editions.js";

/** With `source.include.related`: which staged stories are included, and which they name. */
export interface RelatedStories {
  /** Uuids that included stories name by a relation, in any language; they may not exist. */
  named: ReadonlySet<string>;
  /** Uuids of staged stories that `source.include` leaves out: an included story named them. */
  held: ReadonlySet<string>;
  /** Uuids of included stories that the base edition has. */
  included: ReadonlySet<string>;
}

type ShardRelations = Record<keyof RelatedStories, string[]>;

/** Reads the relations of shards; uses the notes of earlier syncs. */
export interface RelationReader {
  read(part: string, shard: PartEntry["shards"][number], language: string): Promise<ShardRelations>;
  save(): Promise<void>;
}

export async function openRelationReader(
  store: Store,
  { source: { include }, resolve: { relations } }: Pick<Config, "source" | "resolve">,
): Promise<RelationReader> {
  const { startsWith, excludeSlugs, contentTypes } = include;
  const basis = JSON.stringify([1, startsWith, excludeSlugs, contentTypes, relations]);
  const notes = await openShardNotes<ShardRelations>(store, { file: relatedNotesFile }, basis);
  const fresh = new Map<string, ShardRelations>();
  const used = new Set<string>();
  return {
    async read(part, shard, language) {
      // The slug of a translation depends on its language.
      const key = contentHash(`${language} ${shard.hash}`);
      used.add(key);
      const known = fresh.get(key) ?? notes.get(key);
      if (known !== undefined) return known;
      const found = shardRelations(await readShardLines(store, part, shard), language, { include, relations });
      fresh.set(key, found);
      return found;
    },
    save: () => notes.save(new Map([...used].map((key) => [key, fresh.get(key)]))),
  };
}

export async function relatedStories(
  parts: Readonly<Record<string, PartEntry>>,
  reader: Pick<RelationReader, "read">,
  editions: readonly EditionSpec[],
): Promise<RelatedStories> {
  const named = new Set<string>();
  const held = new Set<string>();
  const included = new Set<string>();
  const base = baseEdition(editions);
  for (const edition of editions) {
    const part = partNames.stories(edition.name);
    for (const shard of parts[part]?.shards ?? []) {
      const relations = await reader.read(part, shard, edition.language);
      for (const uuid of relations.named) named.add(uuid);
      for (const uuid of relations.held) held.add(uuid);
      if (edition === base) for (const uuid of relations.included) included.add(uuid);
    }
  }
  return { named, held, included };
}

function shardRelations(
  lines: readonly KeyedLine[],
  language: string,
  { include, relations }: { include: Config["source"]["include"]; relations: Config["resolve"]["relations"] },
): ShardRelations {
  const named = new Set<string>();
  const held: string[] = [];
  const included: string[] = [];
  for (const { key, line } of lines) {
    const story = parseStory(line);
    if (!isIncludedStory(story, language, include)) {
      held.push(key);
      continue;
    }
    included.push(key);
    for (const uuid of namedBy(story, relations)) named.add(uuid);
  }
  return { named: [...named], held, included };
}

/** Uuids that a story names by its relations, of stories or of nothing, in document order. Pure. */
export function namedBy(
  { content }: Pick<StoryRecord, "content">,
  relations: Config["resolve"]["relations"],
): string[] {
  const found: string[] = [];
  const fields = relationFields(relations);
  resolveContent(content, {
    relations(uuid, component, field) {
      if (isRelation(component, field, fields)) found.push(uuid);
      return uuid;
    },
  });
  return found;
}
