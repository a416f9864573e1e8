import type { Config } from "../../../config/config.js";
import type { CheckResult } from "../../../content/check/run-check.js";
import type { Manifest } from "../../../snapshot/manifest.js";
import { emptyState, loadState, type State } from "../../../snapshot/state.js";
import type { Store } from "../../../snapshot/store/store.js";
import type { SnapshotSource } from "../../replica/snapshot-source.js";

/** What the explorer is given of a space: its settings, and where its snapshot lies. Nothing is ever written there. */
export interface ExploredSpace {
  config: Pick<Config, "resolve" | "assets" | "content">;
  /** Rooted at the output folder. */
  store: Store;
  /** What of `check.ignore` is told; default: nothing. */
  ignore?: Config["check"]["ignore"] | undefined;
  /**
   * Checks the current generation without writing anything; `previous`: tells what the one before it did not have. Other
   * requests must not wait for it. Undefined: nothing is checked.
   */
  check?: ((since?: "previous") => Promise<(CheckResult & { found?: number }) | undefined>) | undefined;
}

/** A space as pages see it. */
export interface ExplorerSpace extends ExploredSpace {
  source: SnapshotSource;
}

/** What is known beside the generation. What is known of another one does not count, but for the log of runs. */
export async function readOutputState(store: Store, { generation }: Manifest): Promise<State> {
  const state = await loadState(store);
  return state.generation === generation ? state : { ...emptyState(), runs: state.runs };
}
