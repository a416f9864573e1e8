import type { LinkSettings } from "../../content/resolve/link-pattern.js";
import { inMap } from "../../lib/collections/in-map.js";
import { createGate } from "../../lib/concurrency/gate.js";
import { readAsset } from "../../snapshot/generation-files.js";
import type { AssetRecord } from "../../snapshot/manifest.js";
import type { Reader } from "../../snapshot/reader/reader.js";
import type { Store } from "../../snapshot/store/store.js";
import type { AcceptedTokens } from "./access.js";
import { createGenerationView, type GenerationView } from "./generation-view.js";
import { createColumnStore } from "./query/columns.js";
import type { SliceRunner } from "./query/slices.js";

export interface SnapshotOptions {
  /** Returns the current generation. Called per request, so a new one takes over at once. */
  reader: () => Reader;
  /** Holds the assets. Without it there are none. */
  store?: Pick<Store, "read">;
  /** Accepted tokens; by default every non-blank token. */
  tokens?: AcceptedTokens;
  /** How stories become URLs (`resolve.links`): answers have cache tags then. */
  links?: LinkSettings | undefined;
}

export type SnapshotSource = ReturnType<typeof createSnapshotSource>;

/** Number of lists selected at once: each keeps its fields in memory until it is done. */
const selectionsAtOnce = 16;
const anyone: AcceptedTokens = { public: [], preview: [] };

/** A served snapshot: who may read it, and its current generation. */
export function createSnapshotSource({ reader, store, tokens = anyone, links }: SnapshotOptions, slices: SliceRunner) {
  const context = { columns: createColumnStore(), gate: createGate(selectionsAtOnce), slices };
  const views = new WeakMap<Reader, GenerationView>();
  return {
    tokens,
    links,
    /** The current generation; the same view until it changes. */
    view(): GenerationView {
      const generation = reader();
      return inMap(views, generation, () => createGenerationView(generation, context));
    },
    /** @throws OffprintError `SNAPSHOT_DAMAGED` if its file is missing or has another size */
    readAsset: async (asset: AssetRecord) => (store === undefined ? undefined : readAsset(store, asset)),
  };
}
