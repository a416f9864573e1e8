import type { Config } from "../../config/config.js";
import { sleepUntilAborted } from "../../lib/http/end-by-signal.js";
import type { OpenAgent } from "../../lib/http/http-agent.js";
import { createTransport, type Transport } from "../../lib/http/transport.js";
import { baseUrl } from "./endpoint-access.js";
import { createRateBudget, type RateBudget } from "./rate-budget.js";
import { effectiveRateLimit } from "./rate-tiers.js";
import { type PaceHolder, paceFile } from "./shared-pace.js";

/** Open sockets, and the rate that they are used at. Several upstreams of one space may use them, in turn or at once. */
export interface Connections {
  transport: Transport;
  budget: RateBudget;
  /** Ends everything that is under way and closes the sockets. */
  close(): Promise<void>;
}

/** How {@link openConnections} sends. */
export interface ConnectionsOptions {
  /** Origin of the content delivery interface; a path in front of it is kept. */
  url: string;
  /**
   * Delivery token, sent as query parameter, and part of no URL that is logged or thrown. Processes that read with the same
   * one share their pace.
   */
  token: string;
  queue: Pick<Config["queue"], "concurrency" | "rateLimit">;
  /** Environment with the proxy variables; default: the process environment. */
  env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Opens the connections that go through no proxy; default: undici's `Agent`. */
  openAgent?: OpenAgent | undefined;
  /** Where the pace is kept; default: a file that the processes of this user share. */
  pace?: PaceHolder | undefined;
  /** Waits for the rate or for another attempt; default: real time. Has to end with the signal. */
  sleep?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
  /** Milliseconds since the epoch. */
  now?: (() => number) | undefined;
  /** Called with what does not end a call: the rate budget cannot be shared, a request has to wait. */
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
