import { createRequire } from "node:module";
import { setFlagsFromString } from "node:v8";
import type { SyncOptions } from "../sync/sync-options.js";

type OpenAgent = NonNullable<SyncOptions["openAgent"]>;
type Agent = NonNullable<ReturnType<OpenAgent>>;

/**
 * For a process that reads a space and then ends:
 *
 * - `liftoff-only`: undici's parser is WebAssembly. V8 takes longer to optimize it than most syncs run, and the process
 *   does not end before: 40 ms of a sync that finds nothing new.
 * - `heap-growing-percent`: how much garbage may wait beside what is in use. By V8's own choice a first sync of 50,000
 *   stories holds 330 MB and takes 3.5 s, this way 209 MB and 4.1 s; of 10,000
 *   stories 195 MB and 1.1 s, this way 152 MB and 1.2 s.
 */
const flags = ["--liftoff-only", "--heap-growing-percent=50"];

/**
 * Sets flags of V8 for the whole process, and gives what opens connections quickly. For commands alone: the library
 * works in processes of others, and with undici as it is.
 *
 * @returns opens connections with undici's agent, without loading fetch, WebSocket, caches and cookies, which takes
 *   as long as a request. The files are no part of undici's interface: where a version has others, the transport
 *   loads all of it.
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
