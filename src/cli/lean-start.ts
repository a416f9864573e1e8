import { setFlagsFromString } from "node:v8";
import type { OnProgress, Progress } from "../sync/crawl/run/progress.js";
import type { SyncOptions } from "../sync/sync-options.js";

type OpenAgent = NonNullable<SyncOptions["openAgent"]>;

/**
 * `liftoff-only`: the process would wait 40 ms until V8 has optimized undici's WebAssembly parser.
 * `heap-growing-percent`: V8 grows the heap by three times or more, though most data is outside it. Half of this
 * value saves 21 of 346 MB (a million stories) and costs a sync of few changes 7 % of its time.
 */
const growth = "--heap-growing-percent=100";
const flags = ["--liftoff-only", growth];

/** Sets V8 flags of the process and loads little of undici. Only for commands: not in other people's processes. */
export function leanStart(): OpenAgent {
  for (const flag of flags) setFlagsFromString(flag);
  return async (options) => (await import("./lean-agent.js")).openLeanAgent(options);
}

/** Lets the heap grow fourfold until the sync reports many stories or a large tree: 6 % faster, 30 MB more. */
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

/** Index rows, stories of a listing, files of a tree. Above, the larger heap costs more than it saves. */
const most = { index: 30_000, stories: 30_000, export: 1_000 } as const;
const mostRequests = 500;

function isLong(progress: Progress): boolean {
  if (progress.kind === "plan") return progress.requests > mostRequests;
  if (progress.kind !== "advance" || progress.stage === "parts" || progress.stage === "assets") return false;
  return (progress.total ?? progress.done) > most[progress.stage];
}
