import { endpoints, type StoriesQuery } from "../../../contract/endpoints.js";
import { encodeRequest, matchRequest } from "../../../contract/request.js";
import { isObject } from "../../../lib/shape.js";
import { problemAnswer } from "../../replica/answers/answer-request.js";
import { selectStoryPage } from "../../replica/answers/answer-stories.js";
import type { GenerationView } from "../../replica/generation-view.js";
import { type NamedStory, namedStory } from "./story-list.js";

export interface QueryResult {
  /** The address to send, without a token. Undefined if the parameters cannot be sent. */
  url?: string;
  /** Why there are no stories, as the replica says it. */
  error?: string;
  total: number;
  stories: NamedStory[];
  /** The edition that answered, and the asked one. */
  edition?: { name: string; asked: string; language: string; version: "published" | "draft" };
}

const pathname = endpoints.stories.path;

/**
 * Runs parameters of a request for stories as the replica does.
 *
 * @param parameters as they are sent, or a whole address
 * @param term if not empty, the `search_term`
 */
export async function runQuery(view: GenerationView, parameters: string, term: string): Promise<QueryResult> {
  const sent = parameters.trim().replace(/^[^=]*\?/, "");
  const search = `?${sent}${term === "" ? "" : `&search_term=${encodeURIComponent(term.toWellFormed())}`}`;
  const match = matchRequest(pathname, search);
  const none = { total: 0, stories: [] };
  if (match === undefined) return none;
  const problem = problemAnswer(match);
  if (problem !== undefined) return { ...none, error: errorIn(problem.body) };
  const query = match.query as StoriesQuery;
  const url = `${pathname}${encodeRequest(endpoints.stories, { query }).search || "?"}`;
  const context = { view, dialect: "compatible" as const, strict: false, onStandIn: () => {} };
  const selected = await selectStoryPage(context, query);
  if (selected.answer !== undefined) {
    return selected.answer.status === 200 ? { ...none, url } : { ...none, url, error: errorIn(selected.answer.body) };
  }
  const { edition, rows, page } = selected;
  const stories = page.records.map((row) => namedStory(rows, row));
  return { url, total: Number(page.headers.Total), stories, edition };
}

/** The text of an answer with an error: `{"error":"…"}`. */
function errorIn(body: readonly (string | Uint8Array)[]): string {
  const text = body.map((piece) => Buffer.from(piece as Uint8Array).toString()).join("");
  const value: unknown = JSON.parse(text);
  return isObject(value) && typeof value.error === "string" ? value.error : text;
}
