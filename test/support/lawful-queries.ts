import fc from "fast-check";
import { type FilterOperation, isStates } from "../../src/contract/filter-query.js";
import { fieldNames, folders, languages, storyIds, words } from "./lawful-space.js";
import { uuid } from "./sample-snapshot.js";

/** Parameters of a request in their written form. */
export type Query = Readonly<Record<string, string>>;

const list = (items: readonly (string | number)[]) =>
  fc.subarray([...items], { minLength: 1, maxLength: Math.min(items.length, 12) }).map((some) => some.join(","));
const word = fc.constantFrom(...words);
const wordList = list(words);
const slug = fc.constantFrom("s1", "blog/s2", "blog/*", "*s3*", "de/*", "*1", "s*", "blog/old/s4/", "de/blog/red5");
const moment = fc.constantFrom("2024-01-01 00:00", "2024-02-01T00:00:00.000Z", "2024-02-15 12:30");

/** A value of every parameter that shapes an answer of stories, `page` and `per_page` aside. */
export const shapingStories: Readonly<Record<string, fc.Arbitrary<string>>> = {
  cv: fc.constantFrom("0", "7", "1700000000", "undefined"),
  resolve_links: fc.constantFrom("story", "url", "link", "1", "0"),
  resolve_links_level: fc.constantFrom("1", "2"),
  resolve_relations: fc.constantFrom("page.author", "page.author,post.author", "author"),
  resolve_level: fc.constantFrom("1", "2"),
  resolve_assets: fc.constantFrom("0", "1"),
  fallback_lang: fc.constantFrom("de", "es_co", "xx", "default"),
  with_taxonomy_terms: fc.constantFrom("0", "1"),
  excluding_fields: list(["component", "_uid", "title", "price", "flag", "tags", "author", "body"]),
  excluding_story_fields: list(["lang", "position", "is_startpage", "default_full_slug", "tag_list", "name", "uuid"]),
};

/** Which stories there are to select from. */
export const editions = fc.oneof(
  fc.constantFrom(...languages, "xx").map((language): Query => ({ language })),
  fc.constant<Query>({ version: "draft" }),
  fc.constant<Query>({ version: "draft", language: "de" }),
  fc.constant<Query>({ only_variants: "true" }),
  fc.constant<Query>({}),
);

const operands: Readonly<Record<FilterOperation, fc.Arbitrary<string>>> = {
  ...{ in: fc.oneof(wordList, fc.constant("")), not_in: wordList, any_in_array: wordList, all_in_array: wordList },
  ...{ in_array: wordList, exists: fc.constantFrom("true", "false"), is: fc.constantFrom(...isStates) },
  ...{ like: fc.constantFrom("", "red", "r*", "*E*", "*"), not_like: fc.constantFrom("red", "r*", "*E*") },
  ...{ gt_date: moment, lt_date: moment, gt_int: word, lt_int: fc.constant("10"), gt_float: word },
  lt_float: fc.constant("1.5"),
};
const field = fc.constantFrom(...fieldNames, "component", "title__i18n__de");
const filter = fc
  .tuple(field, fc.constantFrom(...(Object.keys(operands) as FilterOperation[])))
  .chain(([name, operation]) =>
    operands[operation].map((text): Query => ({ [`filter_query[${name}][${operation}]`]: text })),
  );

const conditions: Readonly<Record<string, fc.Arbitrary<string>>> = {
  starts_with: fc.constantFrom(
    "s",
    "s1",
    "blog",
    "blog/",
    "de/",
    "de/blog/",
    "[default]/de/",
    "es-co/",
    ...folders.slice(1),
  ),
  search_term: word,
  by_slugs: slug,
  excluding_slugs: slug,
  by_uuids: list(storyIds.map(uuid)),
  by_ids: list(storyIds),
  excluding_ids: list(storyIds),
  with_tag: list(["red", "deep-blue", "Deep Blue"]),
  content_type: fc.constantFrom("page", "post"),
  level: fc.constantFrom("1", "2", "3"),
  is_startpage: fc.constantFrom("0", "1"),
  ...Object.fromEntries(
    ["published_at", "first_published_at", "updated_at"].flatMap((name) =>
      ["gt", "lt", "gte", "lte"].map((comparison) => [`${name}_${comparison}`, moment]),
    ),
  ),
};

/** One condition that stories have to meet. */
export const condition: fc.Arbitrary<Query> = fc.oneof(
  filter,
  fc
    .constantFrom(...Object.keys(conditions))
    .chain((name) => conditions[name]!.map((text): Query => ({ [name]: text }))),
);

const property = fc.constantFrom(
  ...["name", "slug", "full_slug", "position", "created_at", "published_at", "id", "is_startpage", "tag_list"],
  ...fieldNames.map((name) => `content.${name}`),
);
/** A key of `sort_by` without its direction, and what follows the direction. */
export const sortKey = fc.tuple(property, fc.constantFrom("", ":int", ":float")).map(([name, cast]) => ({
  name,
  cast: name.startsWith("content.") ? cast : "",
}));
/** A whole value of `sort_by`. */
export const sorting = fc
  .array(fc.tuple(sortKey, fc.constantFrom("asc", "desc"), fc.constantFrom("", ":nulls_first", ":nulls_last")), {
    minLength: 1,
    maxLength: 3,
  })
  .map((keys) => keys.map(([{ name, cast }, direction, nulls]) => `${name}:${direction}${cast}${nulls}`).join(","));

/** What selects a list: an edition, up to three conditions, perhaps an order. */
export const selections: fc.Arbitrary<Query> = fc
  .tuple(
    editions,
    fc.array(condition, { maxLength: 3 }),
    fc.oneof(
      fc.constant<Query>({}),
      sorting.map((sort_by): Query => ({ sort_by })),
      list(storyIds.map(uuid)).map((by_uuids_ordered): Query => ({ by_uuids_ordered })),
    ),
  )
  .map(([edition, some, order]) => Object.assign({}, ...some, order, edition) as Query);

/** Some of the parameters, each with one of its values. */
export function someOf(values: Readonly<Record<string, fc.Arbitrary<string>>>): fc.Arbitrary<Query> {
  return fc.record(values, { requiredKeys: [] }) as fc.Arbitrary<Query>;
}
