import { Hono } from "hono";
import { limits } from "../contract/limits.js";
import { openApiDocument } from "../contract/openapi.js";
import type { RequestMatch } from "../contract/request.js";
import { type Access, acceptsAnyone, accessOf } from "./access.js";
import { jsonAnswer, notFound, problem, type ReplicaAnswer, unauthorized } from "./answer.js";
import { createAnswerCache } from "./answer-cache.js";
import { ignoredHeader } from "./answer-stories.js";
import { createBodyBuffers } from "./body-buffers.js";
import { editionHeader } from "./choose-edition.js";
import { approximatedHeader } from "./choose-fallback.js";
import { isLocalOrigin } from "./loopback.js";
import { createRequestCache, type RequestCache } from "./request-cache.js";
import { type ReplicaSettings, type ServedSnapshot, type SnapshotServer, serveSnapshot } from "./snapshot-server.js";

export interface ReplicaOptions extends ServedSnapshot, ReplicaSettings {
  /** Further snapshots at the same address. The token of a request decides which one answers it; the first that knows it. */
  others?: readonly ServedSnapshot[];
}

/** The content interface, answered from a snapshot. */
export interface Replica {
  fetch(request: Request): Promise<Response>;
  /** Answers a GET as a server received it, which takes less than making a `Request` of it; at once where it can. */
  get(request: ReplicaRequest): ReplicaResponse | Promise<ReplicaResponse>;
  /** This body was sent: its memory may be used for another one. Need not be told. */
  release(body: Uint8Array): void;
}

/** A GET. */
export interface ReplicaRequest {
  /** Path and query as they came; begins with a slash. */
  target: string;
  /** Where the client reaches this replica, without a slash at the end. */
  origin: string;
  /** A header; `name` in lower case. */
  header(name: string): string | undefined;
}

/** What is to be sent; the body of a 304 is empty. */
export interface ReplicaResponse {
  status: number;
  headers: Record<string, string>;
  body: Uint8Array;
}

/** Addresses that are longer, in characters, are refused. */
const maxAddress = 32_000;
const methods = "GET, HEAD, OPTIONS";
const corsHeaders = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": `Api-Version, Token, Total, Per-Page, ETag, ${editionHeader}, ${ignoredHeader}, ${approximatedHeader}`,
};

/**
 * A server of the interface (seed sections 4 and 5, and the addresses documented beyond it), of the assets under `/f/` and
 * of its own description at `/openapi.json`, as a function from request to response.
 */
export function createReplica(options: ReplicaOptions): Replica {
  const { onError, version = "0" } = options;
  const served = [options, ...(options.others ?? [])];
  const snapshots = served.map((snapshot) => serveSnapshot(snapshot, options));
  const openToAnyone = snapshots.some(({ tokens }) => acceptsAnyone(tokens));
  const buffers = createBodyBuffers();
  const requests = createRequestCache();
  const answers = createAnswerCache(served.map(({ reader }) => reader));
  const complete = (origin: string | undefined, answer: ReplicaAnswer): ReplicaResponse => {
    const cors = openToAnyone && !isLocalOrigin(origin) ? {} : corsHeaders;
    const headers: Record<string, string> = { ...answer.headers, Vary: "Accept-Encoding,Origin", ...cors };
    const body = buffers.join(answer.body);
    if (!isBodiless(answer.status)) headers["Content-Length"] = String(body.byteLength);
    return { status: answer.status, headers, body };
  };
  const make = async (request: ReplicaRequest): Promise<ReplicaResponse> =>
    complete(request.header("origin"), await answerGet(snapshots, requests, version, request));
  const makeAndOffer = async (request: ReplicaRequest, key: string): Promise<ReplicaResponse> => {
    const madeFrom = answers.current();
    const response = await make(request);
    answers.offer(key, response, madeFrom);
    return response;
  };
  const failed = (request: ReplicaRequest, error: unknown): ReplicaResponse => {
    onError?.(error);
    return complete(request.header("origin"), problem(500, { error: "Internal Server Error" }));
  };
  const get = (request: ReplicaRequest): ReplicaResponse | Promise<ReplicaResponse> => {
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
  return { fetch: fetchWith(get, complete), get, release: buffers.release };
}

/** The headers that an answer may depend on: requests without them, which are most, are answered alike. */
const decidingHeaders = ["authorization", "if-none-match", "origin"];

function isBodiless(status: number): boolean {
  return status === 304 || status === 204;
}

/** The other methods, and requests and responses as `fetch` has them. */
function fetchWith(
  get: Replica["get"],
  complete: (origin: string | undefined, answer: ReplicaAnswer) => ReplicaResponse,
): Replica["fetch"] {
  const app = new Hono();
  // Headers are set where the response is made: touching those of a finished one would copy its body.
  const respond = ({ status, headers, body }: ReplicaResponse): Response =>
    // Typed plainly in the interface, for compilers before TypeScript 5.7; no body is shared memory.
    new Response(isBodiless(status) ? null : (body as Uint8Array<ArrayBuffer>), { status, headers });
  app.options("*", ({ req }) => {
    const headers = {
      "Access-Control-Allow-Methods": methods,
      "Access-Control-Allow-Headers": req.header("access-control-request-headers") ?? "Authorization",
      "Access-Control-Max-Age": "600",
    };
    return respond(complete(req.header("origin"), { status: 204, headers, body: [] }));
  });
  app.get("*", async ({ req }) => {
    const { pathname, search, origin } = new URL(req.url);
    return respond(await get({ target: pathname + search, origin, header: (name) => req.header(name) }));
  });
  app.all("*", ({ req }) =>
    respond(complete(req.header("origin"), problem(405, { error: "Method Not Allowed" }, { Allow: methods }))),
  );
  return async (request) => app.fetch(request);
}

/** An asset or an answer of the interface, from the snapshot that the request is for. */
async function answerGet(
  snapshots: readonly SnapshotServer[],
  requests: RequestCache,
  version: string,
  { target, origin, header }: ReplicaRequest,
): Promise<ReplicaAnswer> {
  if (target.length > maxAddress) {
    return problem(414, { error: `The address is longer than ${maxAddress} characters` });
  }
  const { pathname, search, match, address } = requests(target);
  const ifNoneMatch = header("if-none-match");
  if (pathname === "/openapi.json") return jsonAnswer([JSON.stringify(openApiDocument(version, origin))]);
  if (pathname.startsWith("/f/")) {
    for (const snapshot of snapshots) {
      const answer = await snapshot.asset(pathname, ifNoneMatch);
      if (answer.status !== 404) return answer;
    }
    return notFound();
  }
  if (match === undefined) return notFound();
  const chosen = chooseSnapshot(snapshots, match, header("authorization") ?? "");
  if (chosen === undefined) return unauthorized();
  const asked = { match, pathname, search, address, origin, ifNoneMatch };
  return withinLimit(await chosen.snapshot.answer(asked, chosen.access.authorized));
}

/** The first snapshot that knows the request's token; for a webhook endpoint, that of its space where it knows it. */
function chooseSnapshot(
  snapshots: readonly SnapshotServer[],
  match: RequestMatch,
  authorization: string,
): { snapshot: SnapshotServer; access: Access } | undefined {
  const knowing = snapshots
    .map((snapshot) => ({ snapshot, access: accessOf(match, authorization, snapshot.tokens) }))
    .filter(({ access }) => access.known);
  const spaceId = match.name === "webhookEndpoint" ? match.path.space_id : undefined;
  return knowing.find(({ snapshot }) => spaceId !== undefined && String(snapshot.spaceId()) === spaceId) ?? knowing[0];
}

/** An answer over the documented size is refused, as it would be there. */
function withinLimit(answer: ReplicaAnswer): ReplicaAnswer {
  const size = answer.body.reduce((sum, piece) => sum + piece.length, 0);
  if (size <= limits.answerBytes) return answer;
  return problem(422, { error: `The answer has more than ${limits.answerBytes} bytes: ask for fewer with per_page` });
}
