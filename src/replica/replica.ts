import { Hono } from "hono";
import { limits } from "../contract/limits.js";
import { openApiDocument } from "../contract/openapi.js";
import { matchRequest, type RequestMatch } from "../contract/request.js";
import { assetBytes } from "../reader/asset-bytes.js";
import type { Reader } from "../reader/reader.js";
import { type AcceptedTokens, type Access, acceptsAnyone, accessOf } from "./access.js";
import { type BodyPiece, joinBody, jsonAnswer, notFound, problem, type ReplicaAnswer, unauthorized } from "./answer.js";
import { answerAsset, createAssetFinder, type StoredAsset } from "./answer-asset.js";
import { answerRequest } from "./answer-request.js";
import { ignoredHeader } from "./answer-stories.js";
import { editionHeader } from "./choose-edition.js";
import { assetHosts, withLocalAssets } from "./local-assets.js";
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
  fetch(request: Request): Promise<Response>;
}

/** Addresses that are longer, in characters, are refused. */
const maxAddress = 32_000;
const methods = "GET, HEAD, OPTIONS";
const anyone: AcceptedTokens = { public: [], preview: [] };

/**
 * A server of the interface (seed sections 4 and 5, and the addresses documented beyond it), of the assets under `/f/` and
 * of its own description at `/openapi.json`, as a function from request to response.
 */
export function createReplica(options: ReplicaOptions): Replica {
  const { onError, version = "0" } = options;
  const snapshots = [options, ...(options.others ?? [])].map((snapshot) => serveSnapshot(snapshot, options));
  const openToAnyone = snapshots.some(({ tokens }) => acceptsAnyone(tokens));
  const app = new Hono();

  app.use(async (context, next) => {
    await next();
    const { headers } = context.res;
    headers.set("Vary", "Accept-Encoding,Origin");
    // Where any token will do, nothing but this would keep the pages of other sites from reading along.
    if (openToAnyone && !isLocalOrigin(context.req.header("Origin"))) return;
    headers.set("Access-Control-Allow-Origin", "*");
    headers.set("Access-Control-Expose-Headers", `Total, Per-Page, ETag, ${editionHeader}, ${ignoredHeader}`);
  });
  app.options("*", (context) => {
    const headers = context.req.header("Access-Control-Request-Headers") ?? "Authorization";
    return context.body(null, 204, {
      "Access-Control-Allow-Methods": methods,
      "Access-Control-Allow-Headers": headers,
      "Access-Control-Max-Age": "600",
    });
  });
  app.get("/openapi.json", (context) => {
    return respond(jsonAnswer([JSON.stringify(openApiDocument(version, new URL(context.req.url).origin))]));
  });
  app.get("*", async (context) => {
    const { pathname, search, origin } = new URL(context.req.url);
    if (pathname.length + search.length > maxAddress) {
      return respond(problem(414, { error: `The address is longer than ${maxAddress} characters` }));
    }
    const ifNoneMatch = context.req.header("If-None-Match");
    if (pathname.startsWith("/f/")) {
      for (const snapshot of snapshots) {
        const answer = await snapshot.asset(pathname, ifNoneMatch);
        if (answer.status !== 404) return respond(answer);
      }
      return respond(notFound());
    }
    const match = matchRequest(pathname, search);
    if (match === undefined) return respond(notFound());
    const authorization = context.req.header("Authorization") ?? "";
    const chosen = chooseSnapshot(snapshots, match, authorization);
    if (chosen === undefined) return respond(unauthorized());
    const request = { match, pathname, search, origin, ifNoneMatch };
    return respond(withinLimit(await chosen.snapshot.answer(request, chosen.access.authorized)));
  });
  app.all("*", () => respond(problem(405, { error: "Method Not Allowed" }, { Allow: methods })));
  app.onError((error) => {
    onError?.(error);
    return respond(problem(500, { error: "Internal Server Error" }));
  });
  return { fetch: async (request) => app.fetch(request) };
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

function respond(answer: ReplicaAnswer): Response {
  if (answer.status === 304) return new Response(null, { status: 304, headers: answer.headers });
  const body = joinBody(answer.body);
  const headers = { ...answer.headers, "Content-Length": String(body.byteLength) };
  return new Response(body, { status: answer.status, headers });
}
