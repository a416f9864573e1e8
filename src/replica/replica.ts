import type { IncomingMessage } from "node:http";
import { type Context, Hono } from "hono";
import { limits } from "../contract/limits.js";
import { openApiDocument } from "../contract/openapi.js";
import type { RequestMatch } from "../contract/request.js";
import { assetBytes } from "../reader/asset-bytes.js";
import type { Reader } from "../reader/reader.js";
import { type AcceptedTokens, type Access, acceptsAnyone, accessOf } from "./access.js";
import { type BodyPiece, jsonAnswer, notFound, problem, type ReplicaAnswer, unauthorized } from "./answer.js";
import { answerAsset, createAssetFinder, type StoredAsset } from "./answer-asset.js";
import { answerRequest } from "./answer-request.js";
import { ignoredHeader } from "./answer-stories.js";
import { createBodyBuffers } from "./body-buffers.js";
import { editionHeader } from "./choose-edition.js";
import { assetHosts, withLocalAssets } from "./local-assets.js";
import { createRequestCache, type RequestCache } from "./request-cache.js";
import type { Dialect } from "./resolve-references.js";
import { createGenerations } from "./served-generation.js";

/** A snapshot and who may read it. */
export interface ServedSnapshot {
  /** The generation to answer from: asked for once a request, so that a new one takes over without a pause. */
  reader: () => Reader;
  /** Where the assets lie; only needed without `assetBytes`. */
  store?: Parameters<typeof assetBytes>[0];
  /** The bytes of a stored asset; undefined: not there. Without it they are read from `store`. */
  assetBytes?: (asset: StoredAsset) => Promise<Uint8Array | undefined>;
  /** Accepted tokens; without any, every token that is not blank is accepted. */
  tokens?: AcceptedTokens;
}

/** How a replica answers; the same for all of its snapshots. */
export interface ReplicaSettings {
  /** Default: `compatible`. */
  dialect?: Dialect;
  /** Whether a published request without the snapshot's cv is redirected, as on the platform. Default: true. */
  redirect?: boolean;
  /** Whether an edition that the snapshot lacks is not found, instead of being answered from the nearest one. */
  strict?: boolean;
  /** Whether URLs of stored assets name this replica in answers. Default: they stay as they are. */
  localAssets?: boolean;
  /** Version of this program, for the OpenAPI document. */
  version?: string;
  /** Told of every request that failed here (answered with status 500). */
  onError?: (error: unknown) => void;
  /** Told once for each generation and edition when another edition stands in for one that the snapshot lacks. */
  onStandIn?: (asked: string, answered: string) => void;
}

export interface ReplicaOptions extends ServedSnapshot, ReplicaSettings {
  /** Further snapshots at the same address. The token of a request decides which one answers it; the first that knows it. */
  others?: readonly ServedSnapshot[];
}

/** The content interface, answered from a snapshot. */
export interface Replica {
  /** @param incoming The request as Node received it, where it did: its headers are cheaper to read. */
  fetch(request: Request, incoming?: Pick<IncomingMessage, "headers">): Promise<Response>;
  /** The body of this response was sent: its memory may be used for another one. Need not be told. */
  sent(response: Response): void;
}

/** Addresses that are longer, in characters, are refused. */
const maxAddress = 32_000;
const methods = "GET, HEAD, OPTIONS";
const corsHeaders = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": `Total, Per-Page, ETag, ${editionHeader}, ${ignoredHeader}`,
};
const anyone: AcceptedTokens = { public: [], preview: [] };

/**
 * A server of the interface (seed sections 4 and 5, and the addresses documented beyond it), of the assets under `/f/` and
 * of its own description at `/openapi.json`, as a function from request to response.
 */
export function createReplica(options: ReplicaOptions): Replica {
  const { onError, version = "0" } = options;
  const snapshots = [options, ...(options.others ?? [])].map((snapshot) => serveSnapshot(snapshot, options));
  const openToAnyone = snapshots.some(({ tokens }) => acceptsAnyone(tokens));
  const app = new Hono<{ Bindings: Bindings }>();
  const buffers = createBodyBuffers();
  const bodies = new WeakMap<Response, Uint8Array>();
  const requests = createRequestCache();
  // Headers are set where the response is made: touching those of a finished one would copy its body.
  const respond = (context: ReplicaContext, answer: ReplicaAnswer): Response => {
    const cors = openToAnyone && !isLocalOrigin(headerOf(context, "origin")) ? {} : corsHeaders;
    const headers: Record<string, string> = { ...answer.headers, Vary: "Accept-Encoding,Origin", ...cors };
    if (answer.status === 304 || answer.status === 204) return new Response(null, { status: answer.status, headers });
    const body = buffers.join(answer.body);
    headers["Content-Length"] = String(body.byteLength);
    const response = new Response(body, { status: answer.status, headers });
    bodies.set(response, body);
    return response;
  };

  app.options("*", (context) => {
    const headers = {
      "Access-Control-Allow-Methods": methods,
      "Access-Control-Allow-Headers": headerOf(context, "access-control-request-headers") ?? "Authorization",
      "Access-Control-Max-Age": "600",
    };
    return respond(context, { status: 204, headers, body: [] });
  });
  app.get("/openapi.json", (context) => {
    const { origin } = new URL(context.req.url);
    return respond(context, jsonAnswer([JSON.stringify(openApiDocument(version, origin))]));
  });
  app.get("*", async (context) => respond(context, await answerGet(snapshots, requests, context)));
  app.all("*", (context) => respond(context, problem(405, { error: "Method Not Allowed" }, { Allow: methods })));
  app.onError((error, context) => {
    onError?.(error);
    return respond(context, problem(500, { error: "Internal Server Error" }));
  });
  return {
    fetch: async (request, incoming) => app.fetch(request, { incoming }),
    sent(response) {
      const body = bodies.get(response);
      if (body !== undefined) buffers.release(body);
    },
  };
}

interface Bindings {
  incoming: Pick<IncomingMessage, "headers"> | undefined;
}

type ReplicaContext = Context<{ Bindings: Bindings }>;

/** A header of the request; `name` in lower case. */
function headerOf(context: ReplicaContext, name: string): string | undefined {
  const { incoming } = context.env;
  if (incoming === undefined) return context.req.header(name);
  const value = incoming.headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}

/** An asset or an answer of the interface, from the snapshot that the request is for. */
async function answerGet(
  snapshots: readonly SnapshotServer[],
  requests: RequestCache,
  context: ReplicaContext,
): Promise<ReplicaAnswer> {
  const { pathname, search, origin } = new URL(context.req.url);
  if (pathname.length + search.length > maxAddress) {
    return problem(414, { error: `The address is longer than ${maxAddress} characters` });
  }
  const ifNoneMatch = headerOf(context, "if-none-match");
  if (pathname.startsWith("/f/")) {
    for (const snapshot of snapshots) {
      const answer = await snapshot.asset(pathname, ifNoneMatch);
      if (answer.status !== 404) return answer;
    }
    return notFound();
  }
  const { match, address } = requests(pathname, search);
  if (match === undefined) return notFound();
  const chosen = chooseSnapshot(snapshots, match, headerOf(context, "authorization") ?? "");
  if (chosen === undefined) return unauthorized();
  const asked = { match, pathname, search, address, origin, ifNoneMatch };
  return withinLimit(await chosen.snapshot.answer(asked, chosen.access.authorized));
}

interface SnapshotServer {
  tokens: AcceptedTokens;
  spaceId(): number | null;
  asset(pathname: string, ifNoneMatch: string | undefined): Promise<ReplicaAnswer>;
  answer(request: SnapshotRequest, authorized: boolean): Promise<ReplicaAnswer>;
}

interface SnapshotRequest {
  match: RequestMatch;
  pathname: string;
  search: string;
  address: string;
  origin: string;
  ifNoneMatch: string | undefined;
}

function serveSnapshot(snapshot: ServedSnapshot, settings: ReplicaSettings): SnapshotServer {
  const { dialect = "compatible", redirect = true, strict = false, localAssets = false } = settings;
  const { tokens = anyone, store } = snapshot;
  const generationOf = createGenerations();
  const findAsset = createAssetFinder();
  const hosts = new WeakMap<Reader, string[]>();
  const told = new WeakMap<Reader, Set<string>>();
  const readAsset =
    snapshot.assetBytes ?? (async (asset) => (store === undefined ? undefined : assetBytes(store, asset)));
  const localized = (reader: Reader, body: readonly BodyPiece[], origin: string): BodyPiece[] => {
    const known = hosts.get(reader) ?? assetHosts(reader);
    hosts.set(reader, known);
    return withLocalAssets(body, known, (pathname) => findAsset(reader, pathname), origin);
  };
  return {
    tokens,
    spaceId: () => snapshot.reader().manifest.space.id,
    asset: (pathname, ifNoneMatch) => answerAsset(findAsset(snapshot.reader(), pathname), readAsset, ifNoneMatch),
    async answer(request, authorized) {
      const reader = snapshot.reader();
      const answer = await answerRequest(request, authorized, {
        generation: generationOf(reader),
        dialect,
        redirect,
        strict,
        variant: localAssets ? request.origin : "",
        onStandIn(asked, answered) {
          const known = told.get(reader) ?? new Set();
          told.set(reader, known);
          if (known.has(asked) || known.size > 1000) return;
          known.add(asked);
          settings.onStandIn?.(asked, answered);
        },
      });
      if (!localAssets || answer.status !== 200) return answer;
      return { ...answer, body: localized(reader, answer.body, request.origin) };
    },
  };
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

/** An absent origin is no page of a browser. */
function isLocalOrigin(origin: string | undefined): boolean {
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  return isLoopbackName(new URL(origin).hostname);
}

/** Whether a host name, as `URL` spells it, means this machine. */
export function isLoopbackName(hostname: string): boolean {
  return (
    hostname === "localhost" ||
    hostname.endsWith(".localhost") ||
    hostname === "[::1]" ||
    hostname === "::1" ||
    /^127\.\d+\.\d+\.\d+$/.test(hostname)
  );
}
