import { createHash } from "node:crypto";
import type { RequestMatch } from "../../../contract/request.js";
import { parts } from "../../../snapshot/layout.js";
import { wantsDraft } from "../access.js";
import type { GenerationView } from "../generation-view.js";
import { errorAnswer, jsonAnswer, listPieces, namesTag, notFound, type ReplicaAnswer } from "./answer.js";
import { answerDatasource, answerDatasources, answerEntries } from "./answer-datasources.js";
import { answerLink, answerLinks } from "./answer-links.js";
import { answerSpaceInfo, answerSpaceMe, answerWebhookEndpoint } from "./answer-space.js";
import { answerStories, answerStory } from "./answer-stories.js";
import { answerTags } from "./answer-tags.js";
import { answerTaxonomies, answerTaxonomy, answerTaxonomyTerm } from "./answer-taxonomies.js";
import type { AnswerContext } from "./choose-edition.js";
import { tagHeaders } from "./story-tags.js";

/** A request whose path belongs to an endpoint of the interface. */
export interface InterfaceRequest {
  match: RequestMatch;
  pathname: string;
  search: string;
  /** The address without its token, which decides the answer. */
  addressWithoutToken: string;
  ifNoneMatch: string | undefined;
}

export interface AnswerSettings extends AnswerContext {
  redirect: boolean;
  /** The origin to use in asset URLs; undefined: leave them unchanged. */
  assetOrigin: string | undefined;
  /** Part of the ETag: another version of this program may answer differently. */
  version: string;
}

/** Same order as the platform: invalid parameters, then the redirect, then the content. */
export async function answerRequest(request: InterfaceRequest, settings: AnswerSettings): Promise<ReplicaAnswer> {
  const { match } = request;
  const { view } = settings;
  const early = problemAnswer(match) ?? redirectAnswer(view, request, settings);
  if (early !== undefined) return early;
  const headers = {
    "Cache-Control": cacheControl(match, view.cv),
    ETag: entityTag(request, settings),
    // The platform sends this header empty: it does not link the pages of a list.
    ...(match.endpoint.group === "delivery" ? { Link: "" } : {}),
  };
  if (namesTag(request.ifNoneMatch, headers.ETag)) return { status: 304, headers, body: [] };
  const answer = await (answers[match.name] as Answerer<RequestMatch>)(settings, match);
  const tags = settings.links === undefined ? undefined : tagHeaders(answer.tags);
  const own = answer.status === 200 ? headers : undefined;
  return own === undefined && tags === undefined
    ? answer
    : { ...answer, headers: { ...own, ...tags, ...answer.headers } };
}

/** Refuses unknown parameters only where documented. An unreadable path names no record. */
export function problemAnswer(match: RequestMatch): ReplicaAnswer | undefined {
  if (match.problems.some(({ name }) => Object.hasOwn(match.path, name))) return notFound();
  const nullByte = match.problems.find(({ status }) => status === 400);
  if (nullByte !== undefined) return errorAnswer(400, { error: nullByte.message });
  const unknown = match.endpoint.refusesUnknown ? match.problems.filter(({ kind }) => kind === "unknown") : [];
  const names = [...new Set(unknown.map(({ name }) => name))];
  if (names.length > 0) return errorAnswer(422, { error: `Parameter(s) ${names.join(", ")} not allowed` });
  const invalid = match.problems.find(({ kind }) => kind === "invalid");
  return invalid === undefined ? undefined : errorAnswer(invalid.status, { error: invalid.message });
}

/** As on the platform: no draft request; parameters sorted by name after `cv`; the token stays. */
function redirectAnswer(
  { cv }: GenerationView,
  { match, pathname, search }: InterfaceRequest,
  { redirect }: AnswerSettings,
): ReplicaAnswer | undefined {
  if (!redirect || !("cv" in match.endpoint.params) || match.name === "spaceMe" || wantsDraft(match)) return undefined;
  if ("cv" in match.query && match.query.cv === cv) return undefined;
  const parameters = new URLSearchParams(search);
  parameters.delete("cv");
  parameters.sort();
  const rest = [...parameters].map(([name, value]) => `&${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  const segments = pathname.split("/").filter((segment) => segment !== "");
  const headers = {
    Location: `/${segments.join("/")}?cv=${cv}${rest.join("")}`,
    "Cache-Control": "max-age=0, public",
  };
  return { status: 301, headers, body: [] };
}

/** As on the platform: an answer to an address with the current cv never changes. */
function cacheControl(match: RequestMatch, cv: number): string {
  if (match.name === "spaceMe") return "max-age=0, public, s-maxage=2";
  const pinned = "cv" in match.query && match.query.cv === cv && !wantsDraft(match);
  return pinned ? "max-age=0, public, s-maxage=604800, stale-if-error=3600" : "max-age=0, private, must-revalidate";
}

/** Known before the answer is made, so a 304 costs nothing. Each generation changes it. */
function entityTag(
  { addressWithoutToken }: InterfaceRequest,
  { view, dialect, strict, assetOrigin, version }: AnswerSettings,
): string {
  const decides = [view.reader.manifest.checksum, version, dialect, strict, assetOrigin, addressWithoutToken];
  return `W/"${createHash("md5").update(JSON.stringify(decides)).digest("hex")}"`;
}

type Answerer<Match> = (context: AnswerContext, match: Match) => ReplicaAnswer | Promise<ReplicaAnswer>;

const answers: { [Name in RequestMatch["name"]]: Answerer<Extract<RequestMatch, { name: Name }>> } = {
  stories: (context, { query }) => answerStories(context, query),
  story: (context, { path, query }) => answerStory(context, path.identifier!, query),
  links: (context, { query }) => answerLinks(context, query),
  link: (context, { path, query }) => answerLink(context, path.uuid!, query),
  experiments: ({ view }) => answerExperiments(view),
  datasources: ({ view }, { query }) => answerDatasources(view, query),
  datasource: ({ view }, { path }) => answerDatasource(view, path.identifier!),
  datasourceEntries: ({ view }, { query }) => answerEntries(view, query),
  tags: (context, { query }) => answerTags(context, query),
  taxonomies: ({ view }) => answerTaxonomies(view),
  taxonomy: ({ view }, { path }) => answerTaxonomy(view, path.identifier!),
  taxonomyTerm: ({ view }, { path }) => answerTaxonomyTerm(view, path.identifier!),
  spaceMe: ({ view }) => answerSpaceMe(view),
  spaceInfo: ({ view }) => answerSpaceInfo(view),
  oauthSpaceInfo: ({ view }) => answerSpaceInfo(view),
  webhookEndpoint: ({ view }, { path }) => answerWebhookEndpoint(view, path.space_id!, path.webhook_endpoint_id!),
};

/** GET /v2/cdn/experiments (docs/interface-reference.md, section 4.5), on one page. */
function answerExperiments({ reader, records, cv }: GenerationView): ReplicaAnswer {
  if (reader.experiments() === undefined) return notFound();
  return jsonAnswer(["{", ...listPieces("experiments", records(parts.experiments)), `,"cv":${cv}}`]);
}
