import type { Config } from "../../config/config.js";
import type { CheckResult } from "../../content/check/run-check.js";
import type { Store } from "../../snapshot/store/store.js";
import type { SnapshotSource } from "../replica/snapshot-source.js";

/** What the explorer is given of a space: its settings, and where its snapshot lies. Nothing is ever written there. */
export interface ExploredSpace {
  config: Pick<Config, "resolve" | "assets" | "content">;
  /** Rooted at the output folder. */
  store: ReadingStore;
  /** What of `check.ignore` is told; default: nothing. */
  ignore?: Config["check"]["ignore"] | undefined;
  /**
   * Checks the current generation without writing anything; `previous`: tells what the one before it did not have. Other
   * requests must not wait for it. Undefined: nothing is checked.
   */
  check?: ((since?: "previous") => Promise<(CheckResult & { found?: number }) | undefined>) | undefined;
}

/** What of a store reads. */
export type ReadingStore = Store;

/** A space as pages see it. */
export interface ExplorerSpace extends ExploredSpace {
  source: SnapshotSource;
}
