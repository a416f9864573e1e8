import type { Config } from "../config/config.js";
import { parseStory } from "../contract/parse-record.js";
import type { StoryRecord } from "../contract/records.js";
import { relationFields, resolveRelations } from "../resolve/relations.js";
import { baseEdition } from "../snapshot/base-edition.js";
import { parts as partNames } from "../snapshot/layout.js";
import type { EditionSpec } from "./editions.js";
import { isIncludedStory } from "./story-filter.js";
import type { Workspace } from "./workspace.js";

/** What the staged stories of a version say of those that `source.include` leaves out (`source.include.related`). */
export interface RelatedStories {
  /** Uuids that included stories name by a relation, in any language; they may be of included stories, or of none. */
  named: ReadonlySet<string>;
  /** Stories that are staged although `include` leaves them out. */
  held: ReadonlySet<string>;
  /** Included stories that the base edition has. */
  included: ReadonlySet<string>;
}

/** Reads the stories of all languages of a version, as of the last fold. */
export async function relatedStories(
  { source: { include }, resolve }: Pick<Config, "source" | "resolve">,
  workspace: Pick<Workspace, "all">,
  editions: readonly EditionSpec[],
): Promise<RelatedStories> {
  const named = new Set<string>();
  const held = new Set<string>();
  const included = new Set<string>();
  const base = baseEdition(editions);
  for (const edition of editions) {
    for await (const { key, line } of workspace.all(partNames.stories(edition.name))) {
      const story = parseStory(line);
      if (!isIncludedStory(story, edition.language, include)) {
        held.add(key);
        continue;
      }
      if (edition === base) included.add(key);
      for (const uuid of namedBy(story, resolve)) named.add(uuid);
    }
  }
  return { named, held, included };
}

/** Uuids that a story names by its relations, of stories or of nothing; in document order. Pure. */
export function namedBy({ uuid, content }: StoryRecord, { relations }: Config["resolve"]): string[] {
  const found: string[] = [];
  resolveRelations(content, uuid, {
    fields: relationFields(relations),
    depth: 0,
    reference: () => undefined,
    story: () => undefined,
    maxEmbedded: 0,
    dangling: (named) => found.push(named),
  });
  return found;
}
