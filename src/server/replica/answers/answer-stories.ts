import { addressNamer, addressTag, type TagPair } from "../../../content/resolve/cache-tags.js";
import { endpoints, type StoriesQuery, type StoryQuery } from "../../../contract/endpoints.js";
import { excludableStoryFields } from "../../../contract/limits.js";
import type { GenerationView } from "../generation-view.js";
import type { Sliced } from "../query/slices.js";
import type { StoryRows } from "../query/story-rows.js";
import { type BodyPiece, errorAnswer, jsonAnswer, listPieces, notFound, pageOf, type ReplicaAnswer } from "./answer.js";
import { unaskedFields, withTermIds } from "./answer-taxonomies.js";
import {
  type AnswerContext,
  approximatedHeader,
  type ChosenEdition,
  chooseEdition,
  chooseFallback,
  editionHeader,
  editionHeaders,
  type Fallback,
} from "./choose-edition.js";
import { withoutMembers } from "./record-edit.js";
import { resolvedPieces } from "./resolve-references.js";
import { listPairs, notedRows, rowTag, shapePairs } from "./story-tags.js";
import { type StoryView, viewStories } from "./story-view.js";

/** The header that lists parameters no record of the snapshot supports. */
export const ignoredHeader = "X-Offprint-Ignored";
const workflowParameter = "in_workflow_stages";

/** A page of the stories that a query selects; the answer instead if none can be selected. */
export async function selectStoryPage(context: AnswerContext, asked: StoriesQuery) {
  const { view } = context;
  const query = withTermIds(view, asked);
  const edition = chooseEdition(context, query);
  if (edition === undefined) return { answer: context.strict ? notFound() : emptyList(view.cv, query) };
  const kind = query.only_variants === true ? ("variants" as const) : ("stories" as const);
  const rows = view[kind](edition.name);
  const selected = await view.selectStories({ edition: edition.name, kind, query, language: edition.language });
  if ("refused" in selected) return { answer: errorAnswer(422, { error: selected.refused }) };
  return { edition, kind, rows, page: pageOf(selected, query, endpoints.stories.paging) };
}

/** GET /v2/cdn/stories (docs/interface-reference.md, section 4.1). */
export async function answerStories(context: AnswerContext, asked: StoriesQuery): Promise<ReplicaAnswer> {
  const { view } = context;
  const query = withoutTerms(view, asked);
  const selected = await selectStoryPage(context, query);
  if (selected.answer !== undefined) return selected.answer;
  const { edition, kind, rows, page } = selected;
  const fallback = chooseFallback(view.reader, edition, query);
  const stories = await viewStories(view, kind, rows, fallback);
  // A query by terms reads the taxonomies.
  const isPlain = kind === "stories" && withTermIds(view, asked) === asked;
  const own = isPlain ? listPairs(query, edition.language) : undefined;
  const { pieces, tags } = await envelope(context, edition, query, own, () =>
    page.records.map((row) => stories.content(row)),
  );
  const shown = await storyPieces(view, stories, page.records, query, fallback);
  const body = ["{", ...listPieces("stories", shown), ...pieces, "}"];
  const answer = jsonAnswer(body, { ...page.headers, ...headersOf(edition, query, fallback) });
  return { ...answer, tags, ofViews: areStored(query, fallback) && !namesOthers(query) };
}

/** GET /v2/cdn/stories/:identifier (docs/interface-reference.md, section 4.3); variants too. */
export async function answerStory(
  context: AnswerContext,
  identifier: string,
  asked: StoryQuery,
): Promise<ReplicaAnswer> {
  const query = withoutTerms(context.view, asked);
  const edition = chooseEdition(context, query);
  if (edition === undefined) return notFound();
  const found = await findStory(context, edition, identifier, query);
  const { content_type: type } = query;
  const isOfType = type === undefined || found?.rows.value(found.row, ["content", "component"]) === type;
  if (found === undefined || !isOfType) return notFound(editionHeaders(edition));
  const { kind, rows, row } = found;
  const fallback = chooseFallback(context.view.reader, edition, query);
  const stories = await viewStories(context.view, kind, rows, fallback);
  const own =
    kind === "stories"
      ? storyPairs(context, found, query.find_by === "uuid" ? undefined : identifier, edition.language)
      : undefined;
  const { pieces, tags } = await envelope(context, edition, query, own, () => [stories.content(row)]);
  const body = ['{"story":', storyPiece(stories, row, query), ...pieces, "}"];
  return { ...jsonAnswer(body, headersOf(edition, query, fallback)), tags };
}

function withoutTerms<Q extends StoryQuery>(view: GenerationView, query: Q): Q {
  const left = unaskedFields(view, query);
  return left.size === 0
    ? query
    : { ...query, excluding_story_fields: [...(query.excluding_story_fields ?? []), ...left] };
}

/** The empty list of a draft-only snapshot, with its cv. */
function emptyList(cv: number, query: StoriesQuery): ReplicaAnswer {
  const { headers } = pageOf([], query, endpoints.stories.paging);
  return jsonAnswer([`{"stories":[],"cv":${cv},"rels":[],"links":[]}`], { ...headers, [editionHeader]: "none" });
}

async function findStory({ view }: AnswerContext, edition: ChosenEdition, identifier: string, query: StoryQuery) {
  for (const kind of ["stories", "variants"] as const) {
    const rows = view[kind](edition.name);
    const row = await findRow(rows, identifier, query);
    if (row !== undefined) return { kind, rows, row };
  }
  return undefined;
}

async function findRow(rows: StoryRows, identifier: string, query: StoryQuery): Promise<number | undefined> {
  if (query.find_by === "uuid") {
    await rows.prepareUuids();
    return rows.rowOf(identifier);
  }
  if (/^\d{1,16}$/.test(identifier)) {
    await rows.prepareIds();
    const byId = rows.rowOfId(Number(identifier));
    if (byId !== undefined) return byId;
  }
  await rows.prepareSlugs();
  return rows.rowOfSlug(identifier);
}

/** Stories that differ from their stored form are made one by one, between other requests. */
function storyPieces(
  { slices }: GenerationView,
  stories: StoryView,
  rows: readonly number[],
  query: StoriesQuery,
  fallback: Fallback,
): BodyPiece[] | Promise<BodyPiece[]> {
  if (areStored(query, fallback)) return rows.map((row) => stories.bytes(row));
  return slices.run(editedPieces(stories, rows, query));
}

function* editedPieces(stories: StoryView, rows: readonly number[], query: StoriesQuery): Sliced<BodyPiece[]> {
  const pieces: BodyPiece[] = [];
  for (const row of rows) {
    pieces.push(storyPiece(stories, row, query));
    yield;
  }
  return pieces;
}

function areStored(query: StoryQuery, fallback: Fallback): boolean {
  const leavesOut = query.excluding_fields !== undefined || query.excluding_story_fields !== undefined;
  return fallback.kind !== "approximated" && !leavesOut;
}

function namesOthers({ resolve_relations, resolve_links, resolve_assets }: StoryQuery): boolean {
  return (resolve_relations ?? resolve_links) !== undefined || resolve_assets === true;
}

function storyPiece(stories: StoryView, row: number, query: StoryQuery): BodyPiece {
  const fields = (query.excluding_story_fields ?? []).filter((name) => excludableStoryFields.includes(name));
  const contentFields = query.excluding_fields ?? [];
  if (fields.length + contentFields.length === 0) return stories.bytes(row);
  return withoutMembers(stories.bytes(row), new Set(fields), new Set(contentFields));
}

/** The story, and which one is at the slug that was asked for. */
function storyPairs(
  { view, links }: AnswerContext,
  { rows, row }: { rows: StoryRows; row: number },
  slug: string | undefined,
  language: string,
): TagPair[] {
  const own = rowTag(rows, row, language);
  if (slug === undefined || links === undefined) return [own];
  return [own, addressTag(addressNamer(view.reader.manifest.editions, links)(slug))];
}

/** What follows the stories. @param own tags of these; undefined: any change may change the answer */
async function envelope(
  { view, dialect, links: settings }: AnswerContext,
  edition: ChosenEdition,
  query: StoryQuery,
  own: readonly TagPair[] | undefined,
  contents: () => unknown[],
): Promise<{ pieces: BodyPiece[]; tags: TagPair[] | undefined }> {
  const shape = shapePairs(query);
  const tags = settings === undefined || own === undefined || shape === undefined ? undefined : [...own, ...shape];
  const references = query.resolve_relations ?? query.resolve_links;
  const plain = `,"cv":${view.cv},"rels":[],"links":[]`;
  if (references === undefined && query.resolve_assets !== true) return { pieces: [plain], tags };
  const rows = view.stories(edition.name);
  const stories = tags === undefined ? rows : notedRows(rows, edition.language, tags);
  if (references !== undefined) await stories.prepareUuids();
  if (query.resolve_assets === true) await view.assetMetadata.ready();
  const links = query.resolve_links === "link" ? await view.links(edition.version) : undefined;
  await links?.prepareUuids();
  const context = { view, stories, links, dialect };
  const resolved = await view.slices.run(resolvedPieces(context, query, contents()));
  return { pieces: [`,"cv":${view.cv}`, ...resolved], tags };
}

function headersOf(edition: ChosenEdition, query: StoriesQuery, fallback: Fallback): Record<string, string> {
  const ignored = [
    ...(query[workflowParameter] === undefined ? [] : [workflowParameter]),
    ...(fallback.kind === "ignored" ? ["fallback_lang"] : []),
  ];
  return {
    ...editionHeaders(edition),
    ...(ignored.length === 0 ? {} : { [ignoredHeader]: ignored.join(", ") }),
    ...(fallback.kind === "approximated" ? { [approximatedHeader]: "fallback_lang" } : {}),
    ...(fallback.kind === "lacksDefault" ? { [approximatedHeader]: "excluding_fields" } : {}),
  };
}
