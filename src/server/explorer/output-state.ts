import type { Manifest } from "../../snapshot/manifest.js";
import { emptyState, loadState, type State } from "../../snapshot/state.js";
import type { ReadingStore } from "./explorer-space.js";

/** What is known beside the generation. What is known of another one does not count, but for the log of runs. */
export async function readOutputState(store: ReadingStore, { generation }: Manifest): Promise<State> {
  const state = await loadState(store);
  return state.generation === generation ? state : { ...emptyState(), runs: state.runs };
}
