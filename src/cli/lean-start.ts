import { setFlagsFromString } from "node:v8";
import type { OpenAgent } from "../lib/http/http-agent.js";

/**
 * `liftoff-only`: the process would wait 40 ms until V8 has optimized undici's WebAssembly parser.
 * `heap-growing-percent`: V8 grows the heap by three times or more, though most data is outside it. Half of this
 * value saves 21 of 346 MB (a million stories) and costs a sync of few changes 7 % of its time.
 */
const flags = ["--liftoff-only", "--heap-growing-percent=100"];

/** Sets V8 flags of the process and loads little of undici. Only for commands: not in other people's processes. */
export function leanStart(): OpenAgent {
  for (const flag of flags) setFlagsFromString(flag);
  return async (options) => (await import("./lean-agent.js")).openLeanAgent(options);
}
