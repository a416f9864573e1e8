import {
  anyTag,
  assetsTag,
  languagesTag,
  linkTag,
  listTags,
  PageTags,
  storyTag,
  type TagPair,
  typeTag,
} from "../../../content/resolve/cache-tags.js";
import type { StoriesQuery, StoryQuery } from "../../../contract/endpoints.js";
import type { StoryRows } from "../query/story-rows.js";

/** Whether other records than its stories shape an answer, and which of its references are stories. */
type Shaping = Pick<StoryQuery, "fallback_lang" | "excluding_fields" | "resolve_links" | "resolve_assets">;

/** The headers of an answer for a cache in front. @param pairs undefined: any change may change the answer */
export function tagHeaders(pairs: readonly TagPair[] = [anyTag]): Record<string, string> {
  const tags = new PageTags();
  for (const pair of pairs) tags.add(pair);
  const list = tags.list();
  return { "Cache-Tag": list.join(","), "Surrogate-Key": list.join(" ") };
}

/** The tags of a story by its row. */
export function rowTag(rows: StoryRows, row: number, language: string): TagPair {
  const [uuid, component] = [rows.value(row, ["uuid"]), rows.value(row, ["content", "component"])];
  return storyTag(String(uuid), typeof component === "string" ? component : "", language);
}

/** The tags of a list of one content type; undefined for a list that stories of any type may join. */
export function listPairs({ content_type: type }: StoriesQuery, language: string): TagPair[] | undefined {
  if (type === undefined) return undefined;
  return [typeTag(type, language), ...listTags([type], language)];
}

/** The tags of the editions, and of what a query shapes answers with; undefined: of all records. */
export function shapePairs(query: Shaping): TagPair[] | undefined {
  const translates = query.fallback_lang ?? query.excluding_fields?.find((name) => name === "component");
  if (translates !== undefined || query.resolve_links === "link") return undefined;
  return query.resolve_assets === true ? [languagesTag, assetsTag] : [languagesTag];
}

/** Rows that tell which stories are looked up by uuid, found or not. */
export function notedRows(rows: StoryRows, language: string, pairs: TagPair[]): StoryRows {
  return {
    ...rows,
    rowOf(uuid) {
      const row = rows.rowOf(uuid);
      pairs.push(row === undefined ? linkTag(uuid, undefined, language) : rowTag(rows, row, language));
      return row;
    },
  };
}
