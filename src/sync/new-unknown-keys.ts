import { sameKey, type UnknownKey, unknownKeyText } from "../contract/unknown-key.js";
import type { Problem } from "../lib/errors.js";
import type { State } from "../snapshot/state.js";
import type { SyncContext } from "./sync-context.js";

/** Most keys that a space's state remembers: a hostile upstream may name new ones at each sync. */
const mostRemembered = 200;
const hint = "Nothing is wrong. `offprint doctor --contract` prints all; a newer version may know them.";

/** What the state remembers, and the problems that no earlier sync has reported. A full reading forgets what is gone. */
export function newUnknownKeys(
  { source, options }: Pick<SyncContext, "source" | "options">,
  { unknownKeys }: Pick<State, "unknownKeys">,
): { remembered: UnknownKey[]; problems: Problem[] } {
  const found = [...source.upstream.unknown.values()];
  const isIn = (keys: readonly UnknownKey[]) => (one: UnknownKey) => keys.some((other) => sameKey(one, other));
  const kept = options.full ? unknownKeys.filter(isIn(found)) : unknownKeys;
  const fresh = found.filter((one) => !isIn(unknownKeys)(one)).slice(0, Math.max(0, mostRemembered - kept.length));
  const problems = fresh.map((one): Problem => ({ code: "CONTRACT_UNKNOWN", message: unknownKeyText(one), hint }));
  return { remembered: [...kept, ...fresh], problems };
}
