import request from "undici/lib/api/api-request.js";
import Agent from "undici/lib/dispatcher/agent.js";
import type { SyncOptions } from "../sync/sync-options.js";

type OpenAgent = NonNullable<SyncOptions["openAgent"]>;

/** undici's `Agent` without fetch, WebSocket, caches and cookies, whose loading takes as long as a request. */
export const openLeanAgent: OpenAgent = (options) => {
  const agent = new Agent(options);
  return { request: (wanted) => request.call(agent, wanted), destroy: () => agent.destroy() };
};
