import type { Config } from "../../../config/config.js";
import type { CheckResult } from "../../../content/check/run-check.js";
import type { UsageOverview } from "../../../content/check/usage/usage.js";
import type { Manifest } from "../../../snapshot/manifest.js";
import { emptyState, loadState, type State } from "../../../snapshot/state.js";
import type { Store } from "../../../snapshot/store/store.js";
import type { SnapshotSource } from "../../replica/snapshot-source.js";

/** The settings and the snapshot of a space, for the explorer, which never writes to them. */
export interface ExploredSpace {
  config: Config;
  store: Store;
  /** The `check.ignore` entries to show; default: none. */
  ignore?: Config["check"]["ignore"] | undefined;
  /** Returns findings, with `previous` only new ones; must not block. Undefined: no checks. */
  check?: ((since?: "previous") => Promise<(CheckResult & { found?: number }) | undefined>) | undefined;
  /** Returns what is used nowhere; must not block. Undefined: not looked for. */
  unused?: (() => Promise<UsageOverview["unused"] | undefined>) | undefined;
}

export interface ExplorerSpace extends ExploredSpace {
  source: SnapshotSource;
}

/** Reads the state of a generation. Of another generation's state it keeps only the run log. */
export async function readOutputState(store: Store, { generation }: Manifest): Promise<State> {
  const state = await loadState(store);
  return state.generation === generation ? state : { ...emptyState(), runs: state.runs };
}
