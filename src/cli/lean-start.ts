import { setFlagsFromString } from "node:v8";
import type { SyncOptions } from "../sync/sync-options.js";

type OpenAgent = NonNullable<SyncOptions["openAgent"]>;

/**
 * For a process that reads a space and then ends:
 *
 * - `liftoff-only`: undici's parser is WebAssembly, and V8 optimizes it in the background. That takes longer than most
 *   syncs run, and the process does not end before: it costs 40 ms of a sync that finds nothing new.
 * - `heap-growing-percent`: how much the heap may grow before garbage is collected. By V8's own choice it may grow by
 *   three times and more. What a sync keeps lies mostly in buffers beside the heap, so that as much garbage as there is in
 *   use is little: a first sync of a million small stories takes 346 MB with it and 325 MB with half of that, which
 *   costs a sync of few changes 7 % more processor time.
 */
const flags = ["--liftoff-only", "--heap-growing-percent=100"];

/**
 * Sets flags of V8 for the whole process, and returns what opens connections with as little of undici as possible.
 * Only for commands: the library runs in the processes of others, and takes undici as it is.
 *
 * @returns see `lean-agent`, which is loaded when the first connection is opened
 */
export function leanStart(): OpenAgent {
  for (const flag of flags) setFlagsFromString(flag);
  return async (options) => (await import("./lean-agent.js")).openLeanAgent(options);
}

/** The first version of V8 that counts calls in place of what a function has run, and prints an error for the flag. Node 22 has 12.4. */
const countsCalls = 12;

/**
 * For a process that looks at much once and then ends: V8 compiles a function with all its means when that has run for
 * eight times as long as it would by V8's own choice. Compiling so was a sixth of the processor time of a check after few
 * changes; in a check of everything it is soon made up for. From Node 22 on it stays V8's own choice.
 */
export function lateOptimization(): void {
  if (Number.parseInt(process.versions.v8, 10) < countsCalls) setFlagsFromString("--interrupt-budget=540000");
}
