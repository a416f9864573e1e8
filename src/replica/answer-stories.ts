import type { StoriesQuery, StoryQuery } from "../contract/endpoints.js";
import { endpoints } from "../contract/endpoints.js";
import { excludableStoryFields } from "../contract/limits.js";
import { type BodyPiece, jsonAnswer, listPieces, notFound, problem, type ReplicaAnswer } from "./answer.js";
import { type ChosenEdition, chooseEdition, chooseVersion, editionHeaders } from "./choose-edition.js";
import { translateFilter } from "./filter.js";
import { pageOf } from "./page.js";
import { withoutMembers } from "./record-edit.js";
import { type Dialect, resolvedPieces } from "./resolve-references.js";
import { searchFields, searchRows } from "./search.js";
import { neededFields, selectRows } from "./select.js";
import type { ServedGeneration } from "./served-generation.js";
import type { StoryRows } from "./story-rows.js";
import { slugFields } from "./story-slugs.js";

/** Names the parameters of a request that select nothing because no record carries what they ask for. */
export const ignoredHeader = "X-Offprint-Ignored";
/** Fields that one request may filter and sort by: each of them may have to be read from every story. */
const maxFields = 40;
const ignoredParameters = ["in_workflow_stages", "fallback_lang"] as const;

/** GET /v2/cdn/stories (seed section 4.1). Stories that are answered whole are the snapshot's bytes. */
export async function answerStories(
  generation: ServedGeneration,
  query: StoriesQuery,
  dialect: Dialect,
): Promise<ReplicaAnswer> {
  if (new Set(neededFields(query).map((path) => path.join("."))).size > maxFields) {
    return problem(422, { error: `filter_query and sort_by name too many fields: at most ${maxFields}` });
  }
  const edition = chooseEdition(generation.reader, readingOf(query));
  const rows = edition && (query.only_variants ? generation.variants(edition.name) : generation.stories(edition.name));
  const selected = edition === undefined || rows === undefined ? [] : await select(rows, query, edition.language);
  const page = pageOf(selected, query, endpoints.stories.paging);
  const body = [
    "{",
    ...listPieces(
      "stories",
      page.records.map((row) => storyPiece(rows!, row, query)),
    ),
    ...envelope(generation, edition, query, dialect, () => page.records.map((row) => rows!.content(row))),
    "}",
  ];
  return jsonAnswer(body, { ...page.headers, ...headersOf(edition, query) });
}

/**
 * GET /v2/cdn/stories/:identifier (seed section 4.3): by uuid with `find_by=uuid`, else by id when it is a number that is
 * known as one, else by full slug, that of the default language or that of the answered one; a start page with and
 * without its trailing slash. Variant stories of experiments are found too.
 */
export async function answerStory(
  generation: ServedGeneration,
  identifier: string,
  query: StoryQuery,
  dialect: Dialect,
): Promise<ReplicaAnswer> {
  const edition = chooseEdition(generation.reader, readingOf(query));
  if (edition === undefined) return notFound();
  const found = await findStory(generation, edition, identifier, query);
  if (found === undefined || !hasType(found, query.content_type)) return notFound(editionHeaders(edition));
  const { rows, row } = found;
  const body = [
    '{"story":',
    storyPiece(rows, row, query),
    ...envelope(generation, edition, query, dialect, () => [rows.content(row)]),
    "}",
  ];
  return jsonAnswer(body, headersOf(edition, query));
}

async function select(rows: StoryRows, query: StoriesQuery, language: string): Promise<ArrayLike<number>> {
  const filter = query.filter_query && translateFilter(query.filter_query, language);
  const selection = { ...query, filter_query: filter };
  await rows.prepare([...neededFields(selection), ...(query.search_term === undefined ? [] : searchFields)]);
  const found = query.search_term === undefined ? undefined : await searchRows(rows, query.search_term);
  return selectRows(rows, selection, found);
}

interface FoundStory {
  rows: StoryRows;
  row: number;
}

async function findStory(
  generation: ServedGeneration,
  edition: ChosenEdition,
  identifier: string,
  query: StoryQuery,
): Promise<FoundStory | undefined> {
  const fields = query.find_by === "uuid" ? [["uuid"]] : [["id"], ...slugFields];
  for (const rows of [generation.stories(edition.name), generation.variants(edition.name)]) {
    await rows.prepare(fields);
    const row = findRow(rows, identifier, query);
    if (row !== undefined) return { rows, row };
  }
  return undefined;
}

function findRow(rows: StoryRows, identifier: string, query: StoryQuery): number | undefined {
  if (query.find_by === "uuid") return rows.rowOf(identifier);
  const byId = /^\d{1,16}$/.test(identifier) ? rows.rowOfId(Number(identifier)) : undefined;
  return byId ?? rows.rowOfSlug(identifier);
}

function hasType({ rows, row }: FoundStory, type: string | undefined): boolean {
  return type === undefined || rows.field(["content", "component"])(row) === type;
}

/** Without `component` the platform cannot translate, and answers in the default language (seed section 4.1). */
function readingOf(query: StoryQuery): StoryQuery {
  return query.excluding_fields?.includes("component") ? { ...query, language: undefined } : query;
}

function storyPiece(rows: StoryRows, row: number, query: StoryQuery): BodyPiece {
  const fields = (query.excluding_story_fields ?? []).filter((name) => excludableStoryFields.includes(name));
  const contentFields = query.excluding_fields ?? [];
  if (fields.length + contentFields.length === 0) return rows.bytes(row);
  return withoutMembers(rows.bytes(row), new Set(fields), new Set(contentFields));
}

function envelope(
  generation: ServedGeneration,
  edition: ChosenEdition | undefined,
  query: StoryQuery,
  dialect: Dialect,
  contents: () => unknown[],
): BodyPiece[] {
  const resolves = query.resolve_relations ?? query.resolve_links ?? query.resolve_assets;
  if (edition === undefined || resolves === undefined) return [`,"cv":${generation.cv},"rels":[],"links":[]`];
  const version = chooseVersion(generation.reader, query.version);
  const context = { generation, edition: edition.name, version, dialect };
  return [`,"cv":${generation.cv}`, ...resolvedPieces(context, query, contents())];
}

function headersOf(edition: ChosenEdition | undefined, query: StoriesQuery): Record<string, string> {
  const ignored = ignoredParameters.filter((name) => query[name] !== undefined);
  return {
    ...(edition === undefined ? {} : editionHeaders(edition)),
    ...(ignored.length === 0 ? {} : { [ignoredHeader]: ignored.join(", ") }),
  };
}
