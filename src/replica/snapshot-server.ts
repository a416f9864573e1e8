import type { RequestMatch } from "../contract/request.js";
import { assetBytes } from "../reader/asset-bytes.js";
import type { Reader } from "../reader/reader.js";
import type { AcceptedTokens } from "./access.js";
import type { BodyPiece, ReplicaAnswer } from "./answer.js";
import { answerAsset, createAssetFinder, type StoredAsset } from "./answer-asset.js";
import { answerRequest } from "./answer-request.js";
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

/** One of the snapshots of a replica: who may read it, and its answers. */
export interface SnapshotServer {
  tokens: AcceptedTokens;
  spaceId(): number | null;
  asset(pathname: string, ifNoneMatch: string | undefined): Promise<ReplicaAnswer>;
  answer(request: SnapshotRequest, authorized: boolean): Promise<ReplicaAnswer>;
}

/** A request that was found to be for this snapshot. */
export interface SnapshotRequest {
  match: RequestMatch;
  pathname: string;
  search: string;
  address: string;
  origin: string;
  ifNoneMatch: string | undefined;
}

/** Answers from the generation that the snapshot has when a request comes. */
export function serveSnapshot(snapshot: ServedSnapshot, settings: ReplicaSettings): SnapshotServer {
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

const anyone: AcceptedTokens = { public: [], preview: [] };
