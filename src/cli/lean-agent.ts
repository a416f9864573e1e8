import request from "undici/lib/api/api-request.js";
import Agent from "undici/lib/dispatcher/agent.js";
import type { OpenAgent } from "../lib/http/http-agent.js";

/** undici's `Agent` without fetch, WebSocket, caches and cookies, whose loading takes as long as a request. */
export const openLeanAgent: OpenAgent = (options) => {
  const agent = new Agent(options);
  return { request: (wanted) => request.call(agent, wanted), destroy: () => agent.destroy() };
};
