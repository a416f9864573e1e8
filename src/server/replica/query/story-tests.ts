import { parseDateTime } from "../../../contract/date-time.js";
import type { StoriesQuery } from "../../../contract/endpoints.js";
import { wildcardTest } from "../../../contract/wildcard.js";
import type { RowTest } from "./filter.js";
import type { FieldSource } from "./shard-rows.js";
import { slugFields, slugReader } from "./story-rows.js";

/** A parameter as a test of rows, and the fields it reads. */
interface Criterion {
  fields: readonly (readonly string[])[];
  test(source: FieldSource): RowTest;
}

/** The fields that list parameters read, except filter_query, sort_by and search_term. */
export function testFields(query: StoriesQuery): (readonly string[])[] {
  return criteria(query).flatMap((criterion) => criterion.fields);
}

/** Converts list parameters (docs/interface-reference.md, 4.1) to tests; all must pass. */
export function storyTests(query: StoriesQuery, source: FieldSource): RowTest[] {
  return criteria(query).map((criterion) => criterion.test(source));
}

function criteria(query: StoriesQuery): Criterion[] {
  return [...identityCriteria(query), ...slugCriteria(query), ...kindCriteria(query), ...dateCriteria(query)];
}

function identityCriteria(query: StoriesQuery): Criterion[] {
  const found: Criterion[] = [];
  if (query.by_uuids !== undefined) found.push(valueIn(["uuid"], query.by_uuids));
  if (query.by_uuids_ordered !== undefined) found.push(valueIn(["uuid"], query.by_uuids_ordered));
  if (query.by_ids !== undefined) found.push(valueIn(["id"], query.by_ids));
  if (query.excluding_ids !== undefined) found.push(valueNotIn(["id"], query.excluding_ids));
  return found;
}

/** `[default]/` before `starts_with` compares only the default language's slug. */
function slugCriteria(query: StoriesQuery): Criterion[] {
  const found: Criterion[] = [];
  const { starts_with: start, by_slugs: bySlugs, excluding_slugs: excluding } = query;
  if (start !== undefined) {
    const onlyDefault = start.startsWith("[default]/");
    const prefix = onlyDefault ? start.slice("[default]/".length) : start;
    found.push(
      slugCriterion((slugs) => (onlyDefault ? slugs.slice(-1) : slugs).some((slug) => slug.startsWith(prefix))),
    );
  }
  if (bySlugs !== undefined) found.push(slugCriterion(slugMatcher(bySlugs)));
  if (excluding !== undefined) {
    const matches = slugMatcher(excluding);
    found.push(slugCriterion((slugs) => !matches(slugs)));
  }
  if (query.level !== undefined) {
    const level = query.level;
    found.push(
      slugCriterion(
        (slugs) =>
          slugs
            .at(-1)!
            .split("/")
            .filter((part) => part !== "").length === level,
      ),
    );
    found.push(fieldCriterion(["is_startpage"], (value) => value !== true));
  }
  return found;
}

function kindCriteria(query: StoriesQuery): Criterion[] {
  const found: Criterion[] = [];
  const { with_tag: tags, content_type: type, is_startpage: startpage } = query;
  if (tags !== undefined) {
    const wanted = new Set(tags);
    found.push(fieldCriterion(["tag_list"], (list) => carriesTag(list, wanted)));
  }
  if (type !== undefined) found.push(fieldCriterion(["content", "component"], (value) => value === type));
  if (startpage !== undefined) found.push(fieldCriterion(["is_startpage"], (value) => (value === true) === startpage));
  return found;
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
  return {
    fields: [path],
    test(source) {
      const field = source.field(path);
      return (row) => holds(field(row));
    },
  };
}

function valueIn(path: readonly string[], values: readonly (string | number)[]): Criterion {
  const wanted = new Set<unknown>(values);
  return fieldCriterion(path, (value) => wanted.has(value));
}

function valueNotIn(path: readonly string[], values: readonly (string | number)[]): Criterion {
  const unwanted = new Set<unknown>(values);
  return fieldCriterion(path, (value) => !unwanted.has(value));
}

function slugCriterion(holds: (slugs: readonly string[]) => boolean): Criterion {
  return {
    fields: slugFields,
    test(source) {
      const slugs = slugReader(source);
      return (row) => holds(slugs(row));
    },
  };
}

/** Whether a slug matches a pattern. Patterns without a wildcard use a set: there may be many. */
function slugMatcher(patterns: readonly string[]): (slugs: readonly string[]) => boolean {
  const exact = new Set(patterns.filter((pattern) => !pattern.includes("*")));
  const wild = patterns.filter((pattern) => pattern.includes("*")).map(wildcardTest);
  return (slugs) => slugs.some((slug) => exact.has(slug) || wild.some((matches) => matches(slug)));
}

/** Tags match by name or by slug (lower case, dashes for blanks). */
function carriesTag(list: unknown, tags: ReadonlySet<string>): boolean {
  if (!Array.isArray(list)) return false;
  return list.some((tag) => tags.has(String(tag)) || tags.has(String(tag).toLowerCase().replaceAll(" ", "-")));
}
