import type { Config } from "../../config/config.js";
import { sleepUntilAborted } from "../../lib/http/deadline.js";
import type { OpenAgent } from "../../lib/http/http-agent.js";
import { createTransport, type Transport } from "../../lib/http/transport.js";
import { baseUrl } from "./endpoint-access.js";
import { createRateBudget, type RateBudget } from "./rate-budget.js";
import { effectiveRateLimit } from "./rate-tiers.js";
import { type PaceHolder, paceFile } from "./shared-pace.js";

/** Open sockets and their rate limit. Several upstreams of one space may share them. */
export interface Connections {
  transport: Transport;
  budget: RateBudget;
  /** Aborts all requests and closes the sockets. */
  close(): Promise<void>;
}

export interface ConnectionsOptions {
  /** Origin of the content delivery interface; a path prefix is kept. */
  url: string;
  /** Delivery token, a query parameter, never logged. Its processes share their pace. */
  token: string;
  queue: Pick<Config["queue"], "concurrency" | "rateLimit">;
  env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Opens connections without a proxy; default: undici's `Agent`. */
  openAgent?: OpenAgent | undefined;
  /** Where the pace is kept; default: a file that the processes of this user share. */
  pace?: PaceHolder | undefined;
  /** Waits for the rate limit or for a retry; default: real time. Must end with the signal. */
  sleep?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
  /** Milliseconds since the epoch. */
  now?: (() => number) | undefined;
  /** Reports what does not end a call: the rate budget cannot be shared, a request must wait. */
  onWarning?: ((message: string) => void) | undefined;
}

/** Opens no socket before the first request. */
export function openConnections(options: ConnectionsOptions): Connections {
  const { url, token, queue, env = process.env, openAgent, pace, sleep = sleepUntilAborted, now = Date.now } = options;
  const closing = new AbortController();
  const transport = createTransport({ connections: queue.concurrency, env, openAgent });
  return {
    transport,
    budget: createRateBudget({
      rateLimit: effectiveRateLimit(queue.rateLimit, baseUrl(url, "source.url").href),
      file: paceFile(token, env),
      pace,
      warn: options.onWarning,
      now,
      sleep: (ms) => sleep(ms, closing.signal),
    }),
    async close() {
      closing.abort();
      await transport.close();
    },
  };
}
