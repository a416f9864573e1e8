import { acceptsAnyone } from "../access.js";
import { problem } from "../answers/answer.js";
import { createSliceRunner } from "../query/slices.js";
import { createSnapshotSource, type SnapshotOptions } from "../snapshot-source.js";
import { createAnswerCache } from "./answer-cache.js";
import { createCompletion, preflight } from "./complete-answer.js";
import { type HttpRequest, type HttpResponse, isStreamed } from "./exchange.js";
import { createRouter, type ReplicaSettings } from "./router.js";

export interface ReplicaOptions extends SnapshotOptions, ReplicaSettings {
  /** Further snapshots at the same address. The token of a request decides which one answers it; the first that knows it. */
  others?: readonly SnapshotOptions[];
}

/** Answers a request, at once where it can. Never rejects: a request that fails is answered with 500. */
export type Handler = (request: HttpRequest) => HttpResponse | Promise<HttpResponse>;

const methods = "GET, HEAD, OPTIONS";
/** The headers that an answer may depend on: requests without them, which are most, are answered alike. */
const decidingHeaders = ["authorization", "if-none-match", "origin", "range"];

/**
 * The content interface (seed sections 4 and 5, and the addresses documented beyond it), the assets under `/f/` and the
 * interface's own description at `/openapi.json`, as a function from request to response.
 */
export function createHandler(options: ReplicaOptions): Handler {
  const slices = createSliceRunner();
  const snapshots = [options, ...(options.others ?? [])];
  const sources = snapshots.map((snapshot) => createSnapshotSource(snapshot, slices));
  const complete = createCompletion({ isOpen: sources.some(({ tokens }) => acceptsAnyone(tokens)) });
  const answers = createAnswerCache(snapshots.map(({ reader }) => reader));
  const route = createRouter(sources, options);

  const make = async (request: HttpRequest): Promise<HttpResponse> => complete(request, await route(request));
  const makeAndOffer = async (request: HttpRequest, key: string): Promise<HttpResponse> => {
    const madeFrom = answers.current();
    const response = await make(request);
    if (!isStreamed(response)) answers.offer(key, response, madeFrom);
    return response;
  };
  const failed = (request: HttpRequest, error: unknown): HttpResponse => {
    options.onError?.(error);
    return complete(request, problem(500, { error: "Internal Server Error" }));
  };
  const get: Handler = (request) => {
    try {
      const isPlain = decidingHeaders.every((name) => request.header(name) === undefined);
      const key = options.localAssets === true ? `${request.origin} ${request.target}` : request.target;
      const kept = isPlain ? answers.get(key) : undefined;
      if (kept !== undefined) return kept;
      const making = isPlain ? makeAndOffer(request, key) : make(request);
      return making.catch((error) => failed(request, error));
    } catch (error) {
      return failed(request, error);
    }
  };

  return (request) => {
    switch (request.method) {
      case "GET":
      case "HEAD":
        return get(request);
      case "OPTIONS":
        return complete(request, preflight(request, methods));
      default:
        return complete(request, problem(405, { error: "Method Not Allowed" }, { Allow: methods }));
    }
  };
}
