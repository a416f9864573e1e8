import type { ParameterProblem, RequestMatch } from "../contract/request.js";
import { notFound, problem, type ReplicaAnswer, unauthorized } from "./answer.js";
import { answerDatasource, answerDatasources, answerEntries } from "./answer-datasources.js";
import { answerExperiments } from "./answer-experiments.js";
import { answerLink, answerLinks } from "./answer-links.js";
import { answerSpaceInfo, answerSpaceMe, answerWebhookEndpoint } from "./answer-space.js";
import { answerStories, answerStory } from "./answer-stories.js";
import { answerTags } from "./answer-tags.js";
import type { Dialect } from "./resolve-references.js";
import type { ServedGeneration } from "./served-generation.js";

/** Tokens that are accepted, by kind; without any, every token that is not blank is. */
export interface AcceptedTokens {
  public: readonly string[];
  /** May read drafts too. */
  preview: readonly string[];
}

export interface AnswerSettings {
  tokens: AcceptedTokens;
  dialect: Dialect;
  /** Whether a published request without the snapshot's cv is redirected to it. */
  redirect: boolean;
}

/** A request of the interface, after its path was found to belong to an endpoint. */
export interface InterfaceRequest {
  match: RequestMatch;
  /** The request's own address, to be repeated in a redirect. */
  pathname: string;
  search: string;
  authorization: string | undefined;
}

/** Answers in the order of the platform: who asks, what is asked for, at which cv, and only then the content. */
export async function answerRequest(
  generation: ServedGeneration,
  request: InterfaceRequest,
  settings: AnswerSettings,
): Promise<ReplicaAnswer> {
  const { match } = request;
  if (!isAuthorized(request, settings.tokens)) return unauthorized();
  const refusal = problemAnswer(match) ?? redirectAnswer(generation, request, settings);
  if (refusal !== undefined) return refusal;
  const answer = await answerMatch(generation, match, settings.dialect);
  return { ...answer, headers: { "Cache-Control": cacheControl(match, generation.cv), ...answer.headers } };
}

function isAuthorized({ match, authorization = "" }: InterfaceRequest, tokens: AcceptedTokens): boolean {
  if (match.endpoint.auth === "personal") return authorization.trim() !== "";
  if (match.endpoint.auth === "bearer") return /^bearer +\S/i.test(authorization);
  if (match.token === undefined) return false;
  if (tokens.public.length + tokens.preview.length === 0 || tokens.preview.includes(match.token)) return true;
  return tokens.public.includes(match.token) && !wantsDraft(match);
}

function wantsDraft(match: RequestMatch): boolean {
  return "version" in match.query && match.query.version === "draft";
}

/**
 * What is wrong with the parameters, if anything. A parameter that the endpoint does not have is only refused where that is
 * documented; a value that cannot be read always is. A path that cannot be read names no record.
 */
function problemAnswer(match: RequestMatch): ReplicaAnswer | undefined {
  if (match.problems.some(({ name }) => Object.hasOwn(match.path, name))) return notFound();
  const nullByte = match.problems.find(({ status }) => status === 400);
  if (nullByte !== undefined) return problem(400, { error: nullByte.message });
  const unknown = match.endpoint.refusesUnknown ? match.problems.filter(({ kind }) => kind === "unknown") : [];
  if (unknown.length > 0) return problem(422, { error: `Parameter(s) ${namesOf(unknown)} not allowed` });
  const invalid = match.problems.find(({ kind }) => kind === "invalid");
  return invalid === undefined ? undefined : problem(invalid.status, { error: invalid.message });
}

function namesOf(problems: readonly ParameterProblem[]): string {
  return [...new Set(problems.map(({ name }) => name))].join(", ");
}

/**
 * The platform redirects what is published to the address with the current cv when the request carries another one, or
 * none; drafts never. The parameters are sorted by name with `cv` first, the token stays.
 */
function redirectAnswer(
  { cv }: ServedGeneration,
  { match, pathname, search }: InterfaceRequest,
  { redirect }: AnswerSettings,
): ReplicaAnswer | undefined {
  if (!redirect || !("cv" in match.endpoint.params) || match.name === "spaceMe" || wantsDraft(match)) return undefined;
  if ("cv" in match.query && match.query.cv === cv) return undefined;
  const parameters = new URLSearchParams(search);
  parameters.delete("cv");
  parameters.sort();
  const rest = [...parameters].map(([name, value]) => `&${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  const path = `/${pathname
    .split("/")
    .filter((segment) => segment !== "")
    .join("/")}`;
  const headers = { Location: `${path}?cv=${cv}${rest.join("")}`, "Cache-Control": "max-age=0, public" };
  return { status: 301, headers, body: [] };
}

/** As on the platform: an address that names its cv never changes, so shared caches may keep it. */
function cacheControl(match: RequestMatch, cv: number): string {
  if (match.name === "spaceMe") return "max-age=0, public, s-maxage=2";
  const pinned = "cv" in match.query && match.query.cv === cv && !wantsDraft(match);
  return pinned ? "max-age=0, public, s-maxage=604800" : "max-age=0, private, must-revalidate";
}

function answerMatch(
  generation: ServedGeneration,
  match: RequestMatch,
  dialect: Dialect,
): ReplicaAnswer | Promise<ReplicaAnswer> {
  const { path } = match;
  switch (match.name) {
    case "stories":
      return answerStories(generation, match.query, dialect);
    case "story":
      return answerStory(generation, path.identifier!, match.query, dialect);
    case "links":
      return answerLinks(generation, match.query);
    case "link":
      return answerLink(generation, path.uuid!, match.query, dialect);
    case "experiments":
      return answerExperiments(generation);
    case "datasources":
      return answerDatasources(generation, match.query);
    case "datasource":
      return answerDatasource(generation, path.identifier!);
    case "datasourceEntries":
      return answerEntries(generation, match.query);
    case "tags":
      return answerTags(generation, match.query);
    case "spaceMe":
      return answerSpaceMe(generation);
    case "spaceInfo":
    case "oauthSpaceInfo":
      return answerSpaceInfo(generation);
    case "webhookEndpoint":
      return answerWebhookEndpoint(generation, path.space_id!, path.webhook_endpoint_id!);
  }
}
