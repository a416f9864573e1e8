import { createRequire } from "node:module";
import { setFlagsFromString } from "node:v8";
import type { SyncOptions } from "../sync/sync-options.js";

type OpenAgent = NonNullable<SyncOptions["openAgent"]>;
type Agent = NonNullable<ReturnType<OpenAgent>>;

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
 * @returns opens undici's `Agent` without loading fetch, WebSocket, caches and cookies, which takes as long as a
 *   request. Its file is no part of undici's interface: in a version without it this returns undefined, and the
 *   transport loads all of undici.
 */
export function leanStart(): OpenAgent {
  for (const flag of flags) setFlagsFromString(flag);
  return (options) => {
    const files = agentFiles();
    if (files === undefined) return undefined;
    const agent = new files.Agent(options);
    return { request: (request) => files.request.call(agent, request), destroy: () => agent.destroy() };
  };
}

/**
 * For a process that looks at much once and then ends: V8 compiles a function with all its means when that has run for
 * eight times as long as it would by V8's own choice. Compiling so was a sixth of the processor time of a check after few
 * changes; in a check of everything it is soon made up for.
 */
export function lateOptimization(): void {
  setFlagsFromString("--interrupt-budget=540000");
}

/** The agent, and the method that undici adds to it when all of it is loaded. */
interface AgentFiles {
  Agent: new (options: Parameters<OpenAgent>[0]) => Omit<Agent, "request">;
  request: Agent["request"];
}

function agentFiles(): AgentFiles | undefined {
  const require = createRequire(import.meta.url);
  try {
    return { Agent: require("undici/lib/dispatcher/agent.js"), request: require("undici/lib/api/api-request.js") };
  } catch {
    return undefined;
  }
}
