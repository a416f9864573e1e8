import { endpoints, type StoriesQuery } from "../../../contract/endpoints.js";
import { encodeRequest, matchRequest } from "../../../contract/request.js";
import { isObject } from "../../../lib/shape.js";
import { problemAnswer } from "../../replica/answers/answer-request.js";
import { selectStoryPage } from "../../replica/answers/answer-stories.js";
import type { GenerationView } from "../../replica/generation-view.js";
import { type NamedStory, namedStory } from "./story-list.js";

/** What a search shows. */
export interface SearchResult {
  total: number;
  found: NamedStory[];
  /** Why there are no stories, as the replica says it. */
  error?: string;
  /** The address to send. Undefined if the parameters cannot be sent. */
  url?: string;
  /** Which edition answers for one that the snapshot lacks. */
  note?: string;
  /** Where the stories are. */
  place?: { language: string; version: string };
}

const pathname = endpoints.stories.path;

/**
 * Runs parameters of a request for stories as the replica does.
 *
 * @param parameters as they are sent, or a whole address
 * @param term if not empty, the `search_term`
 */
export async function runQuery(view: GenerationView, parameters: string, term: string): Promise<SearchResult> {
  const sent = parameters.trim().replace(/^[^=]*\?/, "");
  const search = `?${sent}${term === "" ? "" : `&search_term=${encodeURIComponent(term.toWellFormed())}`}`;
  const match = matchRequest(pathname, search);
  const none = { total: 0, found: [] };
  if (match === undefined) return none;
  const problem = problemAnswer(match);
  if (problem !== undefined) return { ...none, error: errorIn(problem.body) };
  const query = match.query as StoriesQuery;
  const { search: asked } = encodeRequest(endpoints.stories, { query });
  const url = `${pathname}${asked === "" ? "?" : `${asked}&`}token=<token>`;
  const context = { view, dialect: "compatible" as const, strict: false, onStandIn: () => {} };
  const selected = await selectStoryPage(context, query);
  if (selected.answer !== undefined) {
    return { ...none, ...(selected.answer.status !== 200 && { error: errorIn(selected.answer.body) }), url };
  }
  const { edition, rows, page } = selected;
  const { name, asked: missing, language, version } = edition;
  return {
    total: Number(page.headers.Total),
    found: page.records.map((row) => namedStory(rows, row)),
    url,
    ...(name !== missing && { note: `The snapshot has no ${missing}: answered from ${name}.` }),
    place: { language, version },
  };
}

/** The text of an answer with an error: `{"error":"…"}`. */
function errorIn(body: readonly (string | Uint8Array)[]): string {
  const text = body.map((piece) => Buffer.from(piece as Uint8Array).toString()).join("");
  const value: unknown = JSON.parse(text);
  return isObject(value) && typeof value.error === "string" ? value.error : text;
}
