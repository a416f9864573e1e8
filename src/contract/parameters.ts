import { choice, cv, flag, text, trueOrFalse, wholeNumber } from "./codec.js";
import { ids, relationFields, textGroups, texts } from "./comma-list.js";
import { dateTime } from "./date-time.js";
import type { Parameter } from "./endpoint.js";
import { filterQuery } from "./filter-query.js";
import { sortKeys } from "./sort.js";

const versionCodec = choice(["draft", "published"]);
const resolveLinksCodec = choice(
  ["story", "url", "link"],
  new Map([
    ["1", "story" as const],
    ["0", null],
  ]),
);

/** Parameters of every delivery address; official clients send them everywhere. */
export const commonParams = {
  version: selecting(versionCodec, "drafts need a preview token", { default: "published" }),
  cv: shaping(cv, "cached version to be answered from; ignored for drafts"),
};

/** `page` and `per_page`. The server clamps a `per_page` over the maximum. */
export const pagingParams = {
  page: shaping(wholeNumber(1), "page number", { default: "1" }),
  per_page: shaping(wholeNumber(1), "records of one page", { default: "25" }),
};

/** Shared by a story list and a single story. */
export const storyParams = {
  ...commonParams,
  from_release: selecting(text, "id of a release: stories as they are in it"),
  resolve_links: shaping(
    resolveLinksCodec,
    "what to tell of linked stories; 1 is an older spelling of story, 0 of none",
  ),
  resolve_links_level: shaping(choice([1, 2]), "depth of link resolution", { default: "1" }),
  resolve_relations: shaping(relationFields, "fields whose stories are put into rels"),
  resolve_level: shaping(choice([1, 2]), "2 keeps the second level of relations however many the first has"),
  resolve_assets: shaping(flag, "puts asset metadata into assets"),
  fallback_lang: shaping(text, "language of untranslated fields, with underscores"),
  language: selecting(text, "language of the answer, as the space spells it"),
};

/** Documented for a single story, part of the seed for the list. */
export const storyFieldParams = {
  content_type: selecting(text, "only stories of this content type"),
  excluding_fields: shaping(texts, "content fields of the first level to leave out"),
};

/** Documented for both. */
export const storyPropertyParams = {
  excluding_story_fields: documented(shaping(texts, "properties of the story to leave out; unknown names are ignored")),
};

export const storyListParams = {
  starts_with: selecting(text, "beginning of full_slug"),
  search_term: selecting(text, "text anywhere in name, slug or content"),
  by_slugs: selecting(texts, "full slugs, * as wildcard"),
  excluding_slugs: selecting(texts, "full slugs to leave out, * as wildcard"),
  by_uuids: selecting(texts, "uuids, answered in any order"),
  by_uuids_ordered: selecting(texts, "uuids, answered in this order"),
  by_ids: documented(selecting(ids, "ids of stories")),
  excluding_ids: selecting(ids, "ids to leave out"),
  with_tag: selecting(texts, "tags, any of which a story carries"),
  sort_by: selecting(sortKeys, "order of the list"),
  in_workflow_stages: selecting(ids, "ids of workflow stages, any of which a story is in"),
  filter_query: selecting(filterQuery, "conditions on content fields"),
  level: selecting(wholeNumber(1), "folder level, 1 is the root; without start pages"),
  is_startpage: selecting(flag, "only start pages (1), or none (0)"),
  only_variants: documented(
    selecting(trueOrFalse, "only variant stories of experiments, which a list leaves out otherwise"),
  ),
  first_published_at_gt: selecting(dateTime, "first published after"),
  first_published_at_lt: selecting(dateTime, "first published before"),
  first_published_at_gte: documented(selecting(dateTime, "first published at or after")),
  first_published_at_lte: documented(selecting(dateTime, "first published at or before")),
  published_at_gt: selecting(dateTime, "published after"),
  published_at_lt: selecting(dateTime, "published before"),
  published_at_gte: documented(selecting(dateTime, "published at or after")),
  published_at_lte: documented(selecting(dateTime, "published at or before")),
  updated_at_gt: selecting(dateTime, "updated after"),
  updated_at_lt: selecting(dateTime, "updated before"),
  updated_at_gte: documented(selecting(dateTime, "updated at or after")),
  updated_at_lte: documented(selecting(dateTime, "updated at or before")),
};

/** Of a list and of a single story. */
export const termParams = {
  with_taxonomy_terms: documented(shaping(flag, "adds taxonomy_terms to each story", { default: "0" })),
};

/** Of a list alone. Names may be scoped: `topics/wood` is the term wood of the taxonomy topics. */
export const storyTermParams = {
  by_taxonomy_term_ids: documented(selecting(textGroups, "ids of terms that a story has")),
  by_taxonomy_term_names: documented(selecting(textGroups, "names of terms that a story has, also as taxonomy/term")),
  with_taxonomy_subterms: documented(selecting(flag, "a term stands for all terms below it, too", { default: "0" })),
};

export const findByParams = {
  find_by: selecting(choice(["uuid"]), "the path names a uuid"),
};

export const linkParams = {
  include_dates: shaping(flag, "adds created_at, updated_at and published_at", { default: "0" }),
};

export const linkListParams = {
  starts_with: selecting(text, "beginning of the full slug"),
  with_parent: selecting(wholeNumber(0), "id of a folder; 0 is outside of folders"),
  by_uuid: selecting(text, "uuid of one link"),
  paginated: shaping(flag, "1 asks for pages in spaces that would answer everything at once"),
};

export const datasourceListParams = {
  search: selecting(text, "text in the name or slug"),
  by_ids: selecting(ids, "ids of datasources"),
};

export const datasourceEntryParams = {
  datasource: selecting(text, "slug or id of a datasource; without it, the entries of all"),
  dimension: shaping(text, "entry_value of a dimension whose values to add"),
};

export const tagParams = {
  starts_with: selecting(text, "beginning of the full slug of the stories that count"),
  filter_query: selecting(filterQuery, "conditions on name: in, not_in, like, not_like"),
  all_tags: selecting(trueOrFalse, "also tags that are on no story"),
};

/** The same parameters of an endpoint for which the seed does not list them. */
export function allDocumented<P extends Readonly<Record<string, Parameter>>>(params: P): P {
  return Object.fromEntries(Object.entries(params).map(([name, one]) => [name, documented(one)])) as P;
}

function selecting<C extends Parameter["codec"]>(codec: C, about: string, more?: Details): Parameter<C> {
  return { origin: "seed", codec, about, effect: "selects", ...more };
}

function shaping<C extends Parameter["codec"]>(codec: C, about: string, more?: Details): Parameter<C> {
  return { origin: "seed", codec, about, effect: "shapes", ...more };
}

type Details = Pick<Parameter, "default">;

function documented<C extends Parameter["codec"]>(parameter: Parameter<C>): Parameter<C> {
  return { ...parameter, origin: "documented" };
}
