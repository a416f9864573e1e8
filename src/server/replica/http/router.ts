import { limits } from "../../../contract/limits.js";
import { openApiDocument } from "../../../contract/openapi.js";
import { matchRequest, type RequestMatch } from "../../../contract/request.js";
import { inMap } from "../../../lib/collections/in-map.js";
import { Lru } from "../../../lib/collections/lru.js";
import { type Access, accessOf } from "../access.js";
import {
  byteLength,
  errorAnswer,
  jsonAnswer,
  notFound,
  type ReplicaAnswer,
  type StreamedAnswer,
  unauthorized,
} from "../answers/answer.js";
import { answerAsset } from "../answers/answer-asset.js";
import { answerRequest } from "../answers/answer-request.js";
import { createStandInNotice } from "../answers/choose-edition.js";
import { withLocalAssets } from "../answers/local-assets.js";
import type { Dialect } from "../answers/resolve-references.js";
import type { SnapshotSource } from "../snapshot-source.js";
import type { HttpRequest } from "./exchange.js";

/** Settings shared by all snapshots of a replica. */
export interface ReplicaSettings {
  /** Default: `compatible`. */
  dialect?: Dialect;
  /** Whether to redirect published requests without the snapshot's cv. Default: true. */
  redirect?: boolean;
  /** Whether a missing edition gives 404 instead of the nearest edition. */
  strict?: boolean;
  /** Whether URLs of stored assets point to this replica. Default: they stay unchanged. */
  localAssets?: boolean;
  /** Version of this program: in the OpenAPI document and in every ETag. */
  version?: string;
  /** Called for every request that got 500 or whose body was cut. */
  onError?: (error: unknown) => void;
  /** Called once per generation and edition when another edition substitutes for a missing one. */
  onStandIn?: (asked: string, answered: string) => void;
}

export type Router = (request: HttpRequest) => Promise<ReplicaAnswer | StreamedAnswer>;

export const descriptionPath = "/openapi.json";
/** Longer addresses are refused, in characters. */
const maxAddress = 32_000;

export function createRouter(sources: readonly SnapshotSource[], settings: ReplicaSettings): Router {
  const addressOf = createAddressReader();
  const { dialect = "compatible", redirect = true, strict = false, localAssets = false, version = "0" } = settings;
  const shared = { dialect, redirect, strict, version, onStandIn: createStandInNotice(settings.onStandIn) };
  return async (request) => {
    if (request.target.length > maxAddress) {
      return errorAnswer(414, { error: `The address is longer than ${maxAddress} characters` });
    }
    const address = addressOf(request.target);
    const { pathname, match } = address;
    if (pathname === descriptionPath) {
      return jsonAnswer([JSON.stringify(openApiDocument(version, request.origin))]);
    }
    if (pathname.startsWith("/f/")) return firstAsset(sources, pathname, request);
    if (match === undefined) return notFound();
    const chosen = chooseSource(sources, match, request.header("authorization") ?? "");
    if (chosen === undefined || !chosen.access.authorized) return unauthorized();
    const { links } = chosen.source;
    const view = chosen.source.view();
    const assetOrigin = localAssets ? request.origin : undefined;
    const asked = { ...address, match, ifNoneMatch: request.header("if-none-match") };
    const answer = await answerRequest(asked, { ...shared, view, assetOrigin, links });
    if (assetOrigin === undefined || answer.status !== 200) return withinLimit(answer);
    const { hosts, find } = await view.assets();
    const body = withLocalAssets(answer.body, hosts, find, assetOrigin);
    return withinLimit({ ...answer, body, ofViews: false });
  };
}

async function firstAsset(
  sources: readonly SnapshotSource[],
  pathname: string,
  { method, header }: HttpRequest,
): Promise<ReplicaAnswer | StreamedAnswer> {
  const conditions = {
    ifMatch: header("if-match"),
    ifNoneMatch: header("if-none-match"),
    ifRange: header("if-range"),
    // Ranges are defined only for GET.
    range: method === "GET" ? header("range") : undefined,
  };
  for (const source of sources) {
    const { find } = await source.view().assets();
    const answer = await answerAsset(find(pathname), source.readAsset, conditions);
    if (answer.status !== 404) return answer;
  }
  return notFound();
}

/** The first snapshot that accepts the token. For a webhook endpoint, its own space comes first. */
function chooseSource(
  sources: readonly SnapshotSource[],
  match: RequestMatch,
  authorization: string,
): { source: SnapshotSource; access: Access } | undefined {
  const accepting = sources
    .map((source) => ({ source, access: accessOf(match, authorization, source.tokens) }))
    .filter(({ access }) => access.accepted);
  const spaceId = match.name === "webhookEndpoint" ? match.path.space_id : undefined;
  const isOfSpace = (source: SnapshotSource) => String(source.view().reader.manifest.space.id) === spaceId;
  return accepting.find(({ source }) => spaceId !== undefined && isOfSpace(source)) ?? accepting[0];
}

function withinLimit(answer: ReplicaAnswer): ReplicaAnswer {
  // A UTF-16 unit has at most three bytes, so most answers need no exact count.
  const length = answer.body.reduce((sum, piece) => sum + piece.length, 0);
  if (length * 3 <= limits.answerBytes) return answer;
  const bytes = answer.body.reduce((sum, piece) => sum + byteLength(piece), 0);
  if (bytes <= limits.answerBytes) return answer;
  const error = `The answer has more than ${limits.answerBytes} bytes: ask for fewer with per_page`;
  return errorAnswer(422, { error });
}

/** Number of parsed addresses kept, because builds repeat them. */
const keptAddresses = 1000;
/** Longer addresses are not kept, in characters. */
const longestKept = 2000;

function createAddressReader() {
  const addresses = new Lru<string, ReturnType<typeof readAddress>>(keptAddresses);
  return (target: string) => {
    if (target.length > longestKept) return readAddress(target);
    return inMap(addresses, target, () => readAddress(target));
  };
}

function readAddress(target: string) {
  const { pathname, search } = new URL(`http://localhost${target}`);
  const parameters = new URLSearchParams(search);
  parameters.delete("token");
  return { pathname, search, match: matchRequest(pathname, search), addressWithoutToken: `${pathname}?${parameters}` };
}
