import { setFlagsFromString } from "node:v8";
import type { OnProgress, Progress } from "../crawl/progress.js";
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
 * Tunes V8 for a sync of few stories, until its progress says that there are many, or that a large tree is rendered. Such a
 * sync is over within seconds, and what it runs once is most of it:
 *
 * - The heap may grow by four times before garbage is collected, which is a third less of collecting: a first sync of
 *   10,000 stories takes 0.94 of the time and 30 MB more.
 * - V8 compiles with all means later ({@link lateOptimization}): 0.87 of the processor time of all threads.
 *
 * @param onProgress is given every progress of the sync
 * @param setFlag sets a flag of V8 for the process
 * @returns what the sync is to report to
 */
export function tunedToSize(onProgress: OnProgress, setFlag = setFlagsFromString): OnProgress {
  let isTuned = true;
  for (const flag of ["--heap-growing-percent=400", ...interruptBudget(lateBudget)]) setFlag(flag);
  return (progress) => {
    if (isTuned && isLong(progress)) {
      isTuned = false;
      for (const flag of [growth, ...interruptBudget(usualBudget)]) setFlag(flag);
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

/** The first version of V8 that counts calls in place of what a function has run, and prints an error for the flag. Node 22 has 12.4. */
const countsCalls = 12;

/** What a function may run, in bytes of its code, before V8 compiles it with all means: by its own choice, and eight times as much. */
const usualBudget = 67_584;
const lateBudget = 8 * usualBudget;

function interruptBudget(bytes: number): string[] {
  return Number.parseInt(process.versions.v8, 10) < countsCalls ? [`--interrupt-budget=${bytes}`] : [];
}

/**
 * For a process that looks at much once and then ends: V8 compiles a function with all its means when that has run for
 * eight times as long as it would by V8's own choice. Compiling so was a sixth of the processor time of a check after few
 * changes; in a check of everything it is soon made up for. From Node 22 on it stays V8's own choice.
 */
export function lateOptimization(): void {
  for (const flag of interruptBudget(lateBudget)) setFlagsFromString(flag);
}
