import { acceptsAnyone } from "../access.js";
import { errorAnswer, type StreamedAnswer } from "../answers/answer.js";
import { createSliceRunner } from "../query/slices.js";
import { createSnapshotSource, type SnapshotOptions, type SnapshotSource } from "../snapshot-source.js";
import { type Completion, createCompletion, preflight } from "./complete-answer.js";
import { type HttpRequest, type HttpResponse, isStreamed, type WholeResponse } from "./exchange.js";
import { createResponseCache, longestKey, type ResponseCache } from "./response-cache.js";
import { createRouter, descriptionPath, type ReplicaSettings, type Router } from "./router.js";

export interface ReplicaOptions extends SnapshotOptions, ReplicaSettings {
  /** Further snapshots at the same address: the first one that knows the token of a request answers it. */
  others?: readonly SnapshotOptions[];
  /** Pages beside the interface, which are not part of it. */
  pages?: PagesBeside;
}

/** What answers all requests below a path. */
export interface PagesBeside {
  /** `/_explorer` */
  prefix: string;
  /** @param sources the snapshots that are served, in the order of the options */
  open(sources: readonly SnapshotSource[]): Handler;
}

/** Answers a request, at once where it can. Never rejects: a request that fails is answered with 500. */
export type Handler = (request: HttpRequest) => HttpResponse | Promise<HttpResponse>;

const methods = "GET, HEAD, OPTIONS";

/**
 * The content interface (docs/interface-reference.md, sections 4 and 5), the assets under `/f/` and
 * the interface's own description at `/openapi.json`, as a function from request to response.
 */
export function createHandler(options: ReplicaOptions): Handler {
  const slices = createSliceRunner();
  const snapshots = [options, ...(options.others ?? [])];
  const sources = snapshots.map((snapshot) => createSnapshotSource(snapshot, slices));
  const complete = createCompletion({ acceptsAnyToken: sources.some(({ tokens }) => acceptsAnyone(tokens)) });
  const route = createRouter(sources, options);
  const cache = createResponseCache(snapshots.map(({ reader }) => reader));
  const namesOrigin = ({ target }: HttpRequest) => options.localAssets === true || target.includes(descriptionPath);
  const pages = options.pages?.open(sources);
  const isPage = ({ target }: HttpRequest) => /^[/?]|^$/.test(belowPrefix(target, options.pages?.prefix) ?? "-");
  const get = withResponseCache(cache, namesOrigin, { route, complete });
  const answer: Handler = (request) => {
    switch (request.method) {
      case "GET":
      case "HEAD":
        return get(request);
      case "OPTIONS":
        return complete(request, preflight(request, methods));
      default:
        return complete(request, errorAnswer(405, { error: "Method Not Allowed" }, { Allow: methods }));
    }
  };
  return (request) => {
    const failed = (error: unknown): HttpResponse => {
      options.onError?.(error);
      return complete(request, errorAnswer(500, { error: "Internal Server Error" }));
    };
    try {
      const response = pages !== undefined && isPage(request) ? pages(request) : answer(request);
      return response instanceof Promise ? response.catch(failed) : response;
    } catch (error) {
      return failed(error);
    }
  };
}

/** What follows the prefix in an address; undefined where it begins in another way. */
function belowPrefix(target: string, prefix: string | undefined): string | undefined {
  return prefix !== undefined && target.startsWith(prefix) ? target.slice(prefix.length) : undefined;
}

/**
 * The headers that decide an answer, beside `Host`. Two requests without them for the same address are answered alike.
 */
const decidingHeaders = ["authorization", "if-match", "if-none-match", "origin", "range"];

/** What makes the response of a request: its answer, and the headers and the body of that. */
interface Making {
  route: Router;
  complete: Completion;
}

/**
 * Answers from the cache where it can, and has the response made where it cannot.
 *
 * @param namesOrigin Whether the response may name the address that the client reaches this replica at.
 */
function withResponseCache(
  cache: ResponseCache,
  namesOrigin: (request: HttpRequest) => boolean,
  { route, complete }: Making,
): Handler {
  const makeAndOffer = async (request: HttpRequest, key: string): Promise<HttpResponse> => {
    const madeFrom = cache.current();
    const answer = await route(request);
    if (!isStreamed(answer)) cache.keepAnswer(key, answer, madeFrom);
    const response = complete(request, answer);
    const whole = isStreamed(response) ? await readSmall(request, response) : response;
    if (whole === undefined) return response;
    cache.offer(key, whole, madeFrom);
    return whole;
  };
  const completeAndOffer = (request: HttpRequest, key: string): HttpResponse | undefined => {
    const answer = cache.answer(key);
    if (answer === undefined) return undefined;
    const response = complete(request, answer);
    if (!isStreamed(response)) cache.offer(key, response, cache.current(), true);
    return response;
  };
  return (request) => {
    if (decidingHeaders.some((name) => request.header(name) !== undefined)) {
      // Else the cache would hold the previous generation as long as only such requests come.
      cache.current();
      return route(request).then((answer) => complete(request, answer));
    }
    const target = withoutAssetQuery(request.target);
    const key = namesOrigin(request) ? `${request.origin} ${target}` : target;
    return cache.get(key) ?? completeAndOffer(request, key) ?? makeAndOffer(request, key);
  };
}

/**
 * The same target for every query behind the path of an asset: none of them changes the answer. A long target stays
 * as it is, because a part of a string keeps all of it in memory.
 */
function withoutAssetQuery(target: string): string {
  const queryAt = target.startsWith("/f/") && target.length <= longestKey ? target.indexOf("?") : -1;
  return queryAt < 0 ? target : target.slice(0, queryAt);
}

/** Bytes of a body that is read in one piece. */
const smallBody = 64 * 1024;

/** The response with its body in memory; undefined where it stays a stream: it is too large, or the request is HEAD. */
async function readSmall(
  { method }: HttpRequest,
  { status, headers, body }: StreamedAnswer,
): Promise<WholeResponse | undefined> {
  if (body.size > smallBody || method === "HEAD") return undefined;
  const pieces: Uint8Array[] = [];
  for await (const piece of body.pieces()) pieces.push(piece);
  return { status, headers, body: Buffer.concat(pieces) };
}
