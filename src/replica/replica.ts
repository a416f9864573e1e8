import { Hono } from "hono";
import { matchRequest } from "../contract/request.js";
import { assetBytes } from "../reader/asset-bytes.js";
import type { Reader } from "../reader/reader.js";
import { joinBody, notFound, problem, type ReplicaAnswer } from "./answer.js";
import { answerAsset, createAssetFinder, type StoredAsset } from "./answer-asset.js";
import { type AcceptedTokens, answerRequest } from "./answer-request.js";
import { ignoredHeader } from "./answer-stories.js";
import { editionHeader } from "./choose-edition.js";
import type { Dialect } from "./resolve-references.js";
import { createGenerations } from "./served-generation.js";

export interface ReplicaOptions {
  /** The generation to answer from: asked for once a request, so that a new one takes over without a pause. */
  reader: () => Reader;
  /** Where the assets lie; only needed without `assetBytes`. */
  store?: Parameters<typeof assetBytes>[0];
  /** The bytes of a stored asset; undefined: not there. Without it they are read from `store`. */
  assetBytes?: (asset: StoredAsset) => Promise<Uint8Array | undefined>;
  /** Accepted tokens; without any, every token that is not blank is accepted. */
  tokens?: AcceptedTokens;
  /** Default: `compatible`. */
  dialect?: Dialect;
  /** Whether a published request without the snapshot's cv is redirected, as on the platform. Default: true. */
  redirect?: boolean;
  /** Told of every request that failed here (answered with status 500). */
  onError?: (error: unknown) => void;
}

/** The content interface, answered from a snapshot. */
export interface Replica {
  fetch(request: Request): Promise<Response>;
}

/** Addresses that are longer, in characters, are refused. */
const maxAddress = 32_000;
const methods = "GET, HEAD, OPTIONS";

/**
 * A server of the interface (seed sections 4 and 5, and the addresses documented beyond it) and of the assets under `/f/`,
 * as a function from request to response.
 */
export function createReplica(options: ReplicaOptions): Replica {
  const { tokens = { public: [], preview: [] }, dialect = "compatible", redirect = true, onError } = options;
  const generationOf = createGenerations();
  const findAsset = createAssetFinder();
  const readAsset = options.assetBytes ?? storedAssets(options.store);
  const app = new Hono();

  app.use(async (context, next) => {
    await next();
    context.res.headers.set("Access-Control-Allow-Origin", "*");
    context.res.headers.set("Access-Control-Expose-Headers", `Total, Per-Page, ${editionHeader}, ${ignoredHeader}`);
  });
  app.options("*", (context) => {
    const headers = context.req.header("Access-Control-Request-Headers") ?? "Authorization";
    return context.body(null, 204, {
      "Access-Control-Allow-Methods": methods,
      "Access-Control-Allow-Headers": headers,
      "Access-Control-Max-Age": "600",
    });
  });
  app.get("*", async (context) => {
    const { pathname, search } = new URL(context.req.url);
    if (pathname.length + search.length > maxAddress)
      return respond(problem(414, { error: "The address is too long" }));
    const reader = options.reader();
    if (pathname.startsWith("/f/")) {
      return respond(await answerAsset(findAsset(reader, pathname), readAsset, context.req.header("If-None-Match")));
    }
    const match = matchRequest(pathname, search);
    if (match === undefined) return respond(notFound());
    const request = { match, pathname, search, authorization: context.req.header("Authorization") };
    return respond(await answerRequest(generationOf(reader), request, { tokens, dialect, redirect }));
  });
  app.all("*", () => respond(problem(405, { error: "Method Not Allowed" }, { Allow: methods })));
  app.onError((error) => {
    onError?.(error);
    return respond(problem(500, { error: "Internal Server Error" }));
  });
  return { fetch: async (request) => app.fetch(request) };
}

function respond(answer: ReplicaAnswer): Response {
  const body = joinBody(answer.body);
  if (answer.status === 304) return new Response(null, { status: 304, headers: answer.headers });
  const headers = { ...answer.headers, "Content-Length": String(body.byteLength) };
  return new Response(body, { status: answer.status, headers });
}

function storedAssets(store: ReplicaOptions["store"]): (asset: StoredAsset) => Promise<Uint8Array | undefined> {
  return async (asset) => (store === undefined ? undefined : assetBytes(store, asset));
}
