import { createGate } from "../../lib/concurrency/gate.js";
import { readAsset } from "../../snapshot/generation-files.js";
import type { AssetRecord } from "../../snapshot/manifest.js";
import type { Reader } from "../../snapshot/reader/reader.js";
import type { Store, StoredBytes } from "../../snapshot/store/store.js";
import type { AcceptedTokens } from "./access.js";
import { createGenerationView, type GenerationView } from "./generation-view.js";
import { createColumnStore } from "./query/columns.js";
import type { SliceRunner } from "./query/slices.js";

/** A snapshot to be served. */
export interface SnapshotOptions {
  /**
   * Returns the generation to answer from. Called for every request, so that a new one takes over without a pause.
   */
  reader: () => Reader;
  /** Where the assets lie. Without it no asset is found. */
  store?: Pick<Store, "read">;
  /** Accepted tokens; without any, every token that is not blank is accepted. */
  tokens?: AcceptedTokens;
}

/** A snapshot that is served: who may read it, and what there is to read at this moment. */
export interface SnapshotSource {
  readonly tokens: AcceptedTokens;
  /** The generation that the snapshot has now; the same view as long as it is the same generation. */
  view(): GenerationView;
  /**
   * The bytes of a stored asset, to be read by pieces; undefined where there are none.
   * @throws OffprintError `SNAPSHOT_DAMAGED` where the asset's file is missing or has another size
   */
  readAsset(asset: AssetRecord): Promise<StoredBytes | undefined>;
}

/** Lists of stories that are selected at once: each keeps the fields that it reads in memory until then. */
const selectionsAtOnce = 16;
const anyone: AcceptedTokens = { public: [], preview: [] };

export function createSnapshotSource(
  { reader, store, tokens = anyone }: SnapshotOptions,
  slices: SliceRunner,
): SnapshotSource {
  const context = { columns: createColumnStore(), gate: createGate(selectionsAtOnce), slices };
  const views = new WeakMap<Reader, GenerationView>();
  return {
    tokens,
    view() {
      const generation = reader();
      const view = views.get(generation) ?? createGenerationView(generation, context);
      views.set(generation, view);
      return view;
    },
    readAsset: async (asset) => (store === undefined ? undefined : readAsset(store, asset)),
  };
}
