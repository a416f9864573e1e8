import { setFlagsFromString } from "node:v8";
import type { OnProgress, Progress } from "../sync/crawl/run/progress.js";
import type { SyncOptions } from "../sync/sync-options.js";

type OpenAgent = NonNullable<SyncOptions["openAgent"]>;

/**
 * For a process that reads a space and then ends:
 *
 * - `liftoff-only`: undici's parser is WebAssembly, and V8 optimizes it in the background. That
 *   takes longer than most syncs run, and the process waits for it: it costs 40 ms of a sync that
 *   finds nothing new.
 * - `heap-growing-percent`: how much the heap may grow before garbage is collected. V8 itself lets
 *   it grow by three times or more. Most of a sync's data is in buffers outside the heap, so
 *   garbage as large as the live heap is little. A first sync of a million small stories takes 346
 *   MB at this value, and 325 MB at half of it. Half of it costs a sync of few changes 7 % more
 *   processor time.
 */
const growth = "--heap-growing-percent=100";
const flags = ["--liftoff-only", growth];

/**
 * Sets flags of V8 for the whole process, and returns an opener of connections that loads as little
 * of undici as possible. Only for commands: the library runs in other people's processes, and must
 * not change them.
 *
 * @returns see `lean-agent`, which is loaded when the first connection is opened
 */
export function leanStart(): OpenAgent {
  for (const flag of flags) setFlagsFromString(flag);
  return async (options) => (await import("./lean-agent.js")).openLeanAgent(options);
}

/**
 * Lets the heap grow by four times before garbage is collected, until the sync reports many stories
 * or a large tree. That saves a third of the collecting: a first sync of 10,000 stories takes 0.94
 * of the time and 30 MB more.
 *
 * @param onProgress receives every progress of the sync
 * @param setFlag sets a flag of V8 for the process
 * @returns the progress callback for the sync
 */
export function tunedToSize(onProgress: OnProgress, setFlag = setFlagsFromString): OnProgress {
  let isTuned = true;
  setFlag("--heap-growing-percent=400");
  return (progress) => {
    if (isTuned && isLong(progress)) {
      isTuned = false;
      setFlag(growth);
    }
    onProgress(progress);
  };
}

/**
 * Limits on index rows, stories of one listing, files of a tree, and requests. Above them, the
 * larger heap costs more than it saves.
 */
const most = { index: 30_000, stories: 30_000, export: 1_000 } as const;
const mostRequests = 500;

function isLong(progress: Progress): boolean {
  if (progress.kind === "plan") return progress.requests > mostRequests;
  if (progress.kind !== "advance" || progress.stage === "parts" || progress.stage === "assets") return false;
  return (progress.total ?? progress.done) > most[progress.stage];
}
