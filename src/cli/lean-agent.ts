import request from "undici/lib/api/api-request.js";
import Agent from "undici/lib/dispatcher/agent.js";
import type { SyncOptions } from "../sync/sync-options.js";

type OpenAgent = NonNullable<SyncOptions["openAgent"]>;

/**
 * Opens undici's `Agent` without loading fetch, WebSocket, caches and cookies, which takes as long
 * as a request. Adds the method `request`, which undici adds only when all of it is loaded.
 */
export const openLeanAgent: OpenAgent = (options) => {
  const agent = new Agent(options);
  return { request: (wanted) => request.call(agent, wanted), destroy: () => agent.destroy() };
};
