import { parseDateTime } from "../../../contract/date-time.js";
import type { StoriesQuery } from "../../../contract/endpoints.js";
import { wildcardTest } from "../../../contract/wildcard.js";
import type { RowTest } from "./filter.js";
import type { FieldSource } from "./shard-rows.js";
import { slugReader } from "./story-rows.js";

/** Asks the source for the fields that it reads, and makes a test with them. */
type Criterion = (source: Pick<FieldSource, "field">) => RowTest;

/**
 * Converts list parameters (docs/interface-reference.md, 4.1), except filter_query, sort_by and search_term, to tests;
 * all must pass.
 */
export function storyTests(query: StoriesQuery, source: Pick<FieldSource, "field">): RowTest[] {
  const criteria = [
    ...given(query.by_uuids, (uuids) => valueIn("uuid", uuids)),
    ...given(query.by_uuids_ordered, (uuids) => valueIn("uuid", uuids)),
    ...given(query.by_ids, (ids) => valueIn("id", ids)),
    ...given(query.excluding_ids, (ids) => valueIn("id", ids, false)),
    ...given(query.starts_with, startsWith),
    ...given(query.by_slugs, (patterns) => slugCriterion(slugMatcher(patterns))),
    ...given(query.excluding_slugs, (patterns) => {
      const matches = slugMatcher(patterns);
      return slugCriterion((slugs) => !matches(slugs));
    }),
    ...given(query.level, (level) => slugCriterion((slugs) => levelOf(slugs.at(-1)!) === level)),
    ...given(query.level, () => fieldCriterion(["is_startpage"], (value) => value !== true)),
    ...given(query.with_tag, (tags) => fieldCriterion(["tag_list"], carriesTag(new Set(tags)))),
    ...(query.by_taxonomy_term_ids ?? []).map((ids) => fieldCriterion(["taxonomy_terms"], carriesTerm(new Set(ids)))),
    ...given(query.content_type, (type) => fieldCriterion(["content", "component"], (value) => value === type)),
    ...given(query.is_startpage, (is) => fieldCriterion(["is_startpage"], (value) => (value === true) === is)),
    ...dateCriteria(query),
  ];
  return criteria.map((criterion) => criterion(source));
}

function given<T>(value: T | undefined, make: (value: T) => Criterion): Criterion[] {
  return value === undefined ? [] : [make(value)];
}

/** `[default]/` before it compares only the default language's slug. */
function startsWith(start: string): Criterion {
  const onlyDefault = start.startsWith("[default]/");
  const prefix = onlyDefault ? start.slice("[default]/".length) : start;
  return slugCriterion((slugs) => (onlyDefault ? slugs.slice(-1) : slugs).some((slug) => slug.startsWith(prefix)));
}

function levelOf(slug: string): number {
  return slug.split("/").filter((part) => part !== "").length;
}

const dateComparisons = {
  gt: (value: number, limit: number) => value > limit,
  lt: (value: number, limit: number) => value < limit,
  gte: (value: number, limit: number) => value >= limit,
  lte: (value: number, limit: number) => value <= limit,
};

/** A story without the date is in no range. */
function dateCriteria(query: StoriesQuery): Criterion[] {
  const found: Criterion[] = [];
  for (const field of ["published_at", "first_published_at", "updated_at"] as const) {
    for (const comparison of ["gt", "lt", "gte", "lte"] as const) {
      const limit = query[`${field}_${comparison}`];
      if (limit === undefined) continue;
      found.push(
        fieldCriterion([field], (value) => {
          const moment = typeof value === "string" ? parseDateTime(value) : undefined;
          return moment !== undefined && dateComparisons[comparison](moment, limit);
        }),
      );
    }
  }
  return found;
}

function fieldCriterion(path: readonly string[], holds: (value: unknown) => boolean): Criterion {
  return (source) => {
    const field = source.field(path);
    return (row) => holds(field(row));
  };
}

function valueIn(field: string, values: readonly (string | number)[], isIn = true): Criterion {
  const wanted = new Set<unknown>(values);
  return fieldCriterion([field], (value) => wanted.has(value) === isIn);
}

function slugCriterion(holds: (slugs: readonly string[]) => boolean): Criterion {
  return (source) => {
    const slugs = slugReader(source);
    return (row) => holds(slugs(row));
  };
}

/** Whether a slug matches a pattern. Patterns without a wildcard use a set: there may be many. */
function slugMatcher(patterns: readonly string[]): (slugs: readonly string[]) => boolean {
  const exact = new Set(patterns.filter((pattern) => !pattern.includes("*")));
  const wild = patterns.filter((pattern) => pattern.includes("*")).map(wildcardTest);
  return (slugs) => slugs.some((slug) => exact.has(slug) || wild.some((matches) => matches(slug)));
}

function carriesTerm(ids: ReadonlySet<string>): (terms: unknown) => boolean {
  return (terms) => Array.isArray(terms) && terms.some((id) => ids.has(id));
}

/** Tags match by name or by slug (lower case, dashes for blanks). */
function carriesTag(tags: ReadonlySet<string>): (list: unknown) => boolean {
  const isWanted = (tag: string) => tags.has(tag) || tags.has(tag.toLowerCase().replaceAll(" ", "-"));
  return (list) => Array.isArray(list) && list.some((tag) => isWanted(String(tag)));
}
