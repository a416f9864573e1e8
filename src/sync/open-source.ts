import { setTimeout as delay } from "node:timers/promises";
import type { Config } from "../config/config.js";
import type { OpenAgent } from "../lib/http/http-agent.js";
import { createTransport, type Transport } from "../lib/http/transport.js";
import { isLoopbackHost } from "../lib/loopback.js";
import type { Pacing } from "./crawl/run/pin.js";
import type { OnProgress } from "./crawl/run/progress.js";
import type { Connections } from "./upstream/connections.js";
import { reportedDownloads } from "./upstream/request-event.js";
import { createUpstream, type Upstream } from "./upstream/upstream.js";

/** The space that is read, and what its assets are fetched with. */
export interface Source {
  upstream: Upstream;
  /** Opened on first use. It never carries a token. */
  transport(): Transport;
  /** Real time that ends with the signal. */
  pacing: Pacing;
  close(): Promise<void>;
}

/** How {@link openSource} reads. */
export interface SourceOptions {
  config: Config;
  /** The origin that answers: for `demo:`, where it was started. */
  url: string;
  env: Readonly<Record<string, string | undefined>>;
  signal?: AbortSignal | undefined;
  /** How time passes for waits and retries; default: as it does, ended by the signal. */
  pacing?: Pacing | undefined;
  /** Opens the connections that go through no proxy; default: undici's `Agent`. */
  openAgent?: OpenAgent | undefined;
  /** Connections that others use too, and whoever opened them closes; default: connections of its own. */
  connections?: Connections | undefined;
  onProgress: OnProgress;
  /** What the upstream is read through; default: nothing. */
  through?: ((upstream: Upstream) => Upstream) | undefined;
}

/** Opens the upstream of a configuration. */
export function openSource(options: SourceOptions): Source {
  const { config, url, env, signal, openAgent, connections, onProgress, through = (upstream) => upstream } = options;
  const given: Pacing = options.pacing ?? {
    sleep: (ms) => delay(ms, undefined, signal && { signal }),
    now: () => performance.now(),
  };
  const pacing: Pacing = {
    ...given,
    sleep(ms, reason) {
      if (reason !== undefined) onProgress({ kind: "wait", ms, reason });
      return given.sleep(ms, reason);
    },
  };
  const direct = createUpstream({
    url,
    token: config.source.token,
    queue: config.queue,
    env,
    openAgent,
    connections,
    management: config.source.management,
    signal,
    sleep: options.pacing === undefined ? undefined : (ms) => given.sleep(ms),
    random: options.pacing?.random,
    onWarning: (message) => onProgress({ kind: "note", message }),
    onWait: (ms, reason) => onProgress({ kind: "wait", ms, reason }),
    onRequest: (sent) => {
      const { total, retried } = direct.counts;
      onProgress({ kind: "request", total, retried, sent });
    },
  });
  const upstream = through(direct);
  let transport: Transport | undefined;
  return {
    upstream,
    transport() {
      transport ??= reportedDownloads(
        createTransport({ connections: config.queue.concurrency, env, openAgent }),
        (sent) => onProgress({ kind: "download", sent }),
      );
      return transport;
    },
    pacing,
    async close() {
      await Promise.all([upstream.close(), transport?.close()]);
    },
  };
}

/** How long to wait before the closing probe, in milliseconds: 2 s, and not at all for a loopback upstream. */
export function settleMs(config: Config, url: string): number {
  return config.source.settleMs ?? (isLoopbackHost(new URL(url).hostname) ? 0 : 2_000);
}
