import type { StoriesQuery } from "../../../contract/endpoints.js";
import type { FilterCondition } from "../../../contract/filter-query.js";
import { decidingKeys } from "./sort.js";
import { storyTests } from "./story-tests.js";

/** Most fields to filter and sort by in one request: each may be read from every story. */
const maxFields = 40;
/** Longest pattern, search term or field path, in characters. */
const maxPattern = 500;
/** Limit for the number of stories times the weight of a query: about a second of work. */
const maxWork = 50_000_000;

/** The fields that the selection of a query reads, to prepare them first. */
export function neededFields(query: StoriesQuery): (readonly string[])[] {
  const asked: (readonly string[])[] = [];
  const noteField = (path: readonly string[]) => {
    asked.push(path);
    return () => undefined;
  };
  storyTests(query, { field: noteField });
  return [
    ...asked,
    ...conditionsOf(query).map(({ path }) => ["content", ...path]),
    ...(query.sort_by ?? []).map(({ property }) => property),
  ];
}

/** Why a list would cost too much, or undefined: the same on every machine, before any work. */
export function costProblem(query: StoriesQuery, stories: number): string | undefined {
  const fields = new Set(neededFields(query).map((path) => path.join(".")));
  if (fields.size > maxFields) return `filter_query and sort_by use ${fields.size} fields; the limit is ${maxFields}`;
  const longestPath = Math.max(0, ...[...fields].map((path) => path.length));
  if (longestPath > maxPattern) return `the path of a field has ${longestPath} characters; the limit is ${maxPattern}`;
  const tooLong = patternProblem(query);
  if (tooLong !== undefined) return tooLong;
  const groups = query.by_taxonomy_term_ids?.length ?? 0;
  const base = conditionsOf(query).length + groups + 3 * decidingKeys(query.sort_by ?? []).length;
  const weight = patternsOf(query).reduce((sum, { length }) => sum + 1 + length / 8, base);
  const most = Math.max(20, Math.floor(maxWork / Math.max(1, stories)));
  if (weight <= most) return undefined;
  return `the conditions, patterns and sort keys would cost ${Math.ceil(weight)} for each of ${stories} stories; the limit is ${most}`;
}

export function patternProblem(query: Patterns): string | undefined {
  const longest = Math.max(query.search_term?.length ?? 0, ...patternsOf(query).map((pattern) => pattern.length));
  return longest > maxPattern ? `a pattern has ${longest} characters; the limit is ${maxPattern}` : undefined;
}

type Patterns = Pick<StoriesQuery, "search_term" | "by_slugs" | "excluding_slugs" | "filter_query">;

function conditionsOf({ filter_query: filter }: Patterns): FilterCondition[] {
  return filter === undefined ? [] : [...filter.all, ...filter.any.flat()];
}

function patternsOf(query: Patterns): string[] {
  const slugs = [...(query.by_slugs ?? []), ...(query.excluding_slugs ?? [])].filter((slug) => slug.includes("*"));
  const likes = conditionsOf(query).filter(({ operation }) => operation === "like" || operation === "not_like");
  return [...slugs, ...likes.map(({ text }) => text)];
}
