import { setFlagsFromString } from "node:v8";
import type { OnProgress, Progress } from "../sync/crawl/run/progress.js";
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
const growth = "--heap-growing-percent=100";
const flags = ["--liftoff-only", growth];

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

/**
 * Lets the heap grow by four times before garbage is collected, until the progress of a sync says that there are many stories, or
 * that a large tree is rendered. That is a third less of collecting: a first sync of 10,000 stories takes 0.94 of the time
 * and 30 MB more.
 *
 * @param onProgress is given every progress of the sync
 * @param setFlag sets a flag of V8 for the process
 * @returns what the sync is to report to
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

/** With more rows, stories of one listing, files of a tree, or requests there is more to do than is gained. */
const most = { index: 30_000, stories: 30_000, export: 1_000 } as const;
const mostRequests = 500;

function isLong(progress: Progress): boolean {
  if (progress.kind === "plan") return progress.requests > mostRequests;
  if (progress.kind !== "advance" || progress.stage === "parts" || progress.stage === "assets") return false;
  return (progress.total ?? progress.done) > most[progress.stage];
}
