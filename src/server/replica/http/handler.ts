import { acceptsAnyone } from "../access.js";
import { errorAnswer, type StreamedBody } from "../answers/answer.js";
import { createSliceRunner } from "../query/slices.js";
import { createSnapshotSource, type SnapshotOptions, type SnapshotSource } from "../snapshot-source.js";
import {
  type Completion,
  createCompletion,
  type HttpRequest,
  type HttpResponse,
  isStreamed,
  preflight,
} from "./exchange.js";
import { createResponseCache, longestKey, type ResponseCache } from "./response-cache.js";
import { createRouter, descriptionPath, type ReplicaSettings, type Router } from "./router.js";

export interface ReplicaOptions extends SnapshotOptions, ReplicaSettings {
  /** More snapshots at the same address. The first one that accepts the token answers. */
  others?: readonly SnapshotOptions[];
  /** Pages outside the interface. */
  pages?: PagesBeside;
}

/** Answers all requests under a path. */
export interface PagesBeside {
  /** For example `/_explorer`. */
  prefix: string;
  /** @param sources the served snapshots, in the order of the options */
  open(sources: readonly SnapshotSource[]): Handler;
}

/** Answers a request, synchronously if possible. Never rejects: a failed request gets 500. */
export type Handler = (request: HttpRequest) => HttpResponse | Promise<HttpResponse>;

const methods = "GET, HEAD, OPTIONS";

/** The interface (docs/interface-reference.md, sections 4 and 5), `/f/…` and `/openapi.json`. */
export function createHandler(options: ReplicaOptions): Handler {
  const slices = createSliceRunner();
  const snapshots = [options, ...(options.others ?? [])];
  const sources = snapshots.map((snapshot) => createSnapshotSource(snapshot, slices));
  const complete = createCompletion({ acceptsAnyToken: sources.some(({ tokens }) => acceptsAnyone(tokens)) });
  const route = createRouter(sources, options);
  const cache = createResponseCache(snapshots.map(({ reader }) => reader));
  const namesOrigin = ({ target }: HttpRequest) => options.localAssets === true || target.includes(descriptionPath);
  const pages = options.pages?.open(sources);
  const { prefix = "-" } = options.pages ?? {};
  const isPage = ({ target }: HttpRequest) =>
    target.startsWith(prefix) && /^(?:[/?]|$)/.test(target.slice(prefix.length));
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

/** Headers besides `Host` that decide an answer. */
const decidingHeaders = ["authorization", "if-match", "if-none-match", "origin", "range"];

/** @param namesOrigin whether the response may contain the replica's address */
function withResponseCache(
  cache: ResponseCache,
  namesOrigin: (request: HttpRequest) => boolean,
  { route, complete }: { route: Router; complete: Completion },
): Handler {
  const makeAndOffer = async (request: HttpRequest, key: string): Promise<HttpResponse> => {
    const madeFrom = cache.current();
    const answer = await route(request);
    if (!isStreamed(answer)) cache.keepAnswer(key, answer, madeFrom);
    const response = await readSmall(request, complete(request, answer));
    if (!isStreamed(response)) cache.offer(key, response, madeFrom);
    return response;
  };
  return (request) => {
    if (decidingHeaders.some((name) => request.header(name) !== undefined)) {
      // Otherwise the cache would keep the previous generation while only such requests arrive.
      cache.current();
      return route(request).then((answer) => complete(request, answer));
    }
    const target = withoutAssetQuery(request.target);
    const key = namesOrigin(request) ? `${request.origin} ${target}` : target;
    const response = cache.get(key);
    if (response !== undefined) return response;
    const answer = cache.answer(key);
    if (answer === undefined) return makeAndOffer(request, key);
    const completed = complete(request, answer);
    if (!isStreamed(completed)) cache.offer(key, completed, cache.current(), true);
    return completed;
  };
}

/** Drops an asset's query, which has no effect. A substring of a long one would keep all of it. */
function withoutAssetQuery(target: string): string {
  const queryAt = target.startsWith("/f/") && target.length <= longestKey ? target.indexOf("?") : -1;
  return queryAt < 0 ? target : target.slice(0, queryAt);
}

/** Size up to which a body is read in one piece, in bytes. */
const smallBody = 64 * 1024;

/** Reads a body into memory, unless it is too large or the request is HEAD. */
async function readSmall({ method }: HttpRequest, response: HttpResponse): Promise<HttpResponse> {
  if (!isStreamed(response) || response.body.size > smallBody || method === "HEAD") return response;
  const pieces: Uint8Array[] = [];
  for await (const piece of response.body.pieces()) pieces.push(piece);
  return { ...response, body: Buffer.concat(pieces) };
}

/** The content interface on a snapshot, with the requests and responses of `fetch`. */
export interface Replica {
  fetch(request: Request): Promise<Response>;
}

/** Creates a replica without a server: for tests, or inside a server with other pages. */
export function createReplica(options: ReplicaOptions): Replica {
  const handle = createHandler(options);
  return {
    async fetch({ method, url, headers: sent }) {
      const { pathname, search, origin } = new URL(url);
      const header = (name: string) => sent.get(name) ?? undefined;
      const { status, headers, body } = await handle({ method, target: pathname + search, origin, header });
      const isBodiless = method === "HEAD" || status === 204 || status === 304;
      return new Response(isBodiless ? null : fetchBody(body), { status, headers });
    },
  };
}

function fetchBody(body: Uint8Array | StreamedBody): ConstructorParameters<typeof Response>[0] {
  if ("pieces" in body) return ReadableStream.from(body.pieces());
  // The plain type suits compilers before TypeScript 5.7; no body is shared memory.
  return body as Uint8Array<ArrayBuffer>;
}
