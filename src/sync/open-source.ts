import { setTimeout as delay } from "node:timers/promises";
import type { Config } from "../config/config.js";
import { createTransport, type Transport } from "../lib/http/transport.js";
import { isLoopbackHost } from "../lib/loopback.js";
import type { CrawlRules } from "./crawl/rules.js";
import type { Pacing } from "./crawl/run/pin.js";
import type { OnProgress } from "./crawl/run/progress.js";
import type { SyncOptions } from "./sync-options.js";
import type { Connections } from "./upstream/connections.js";
import { reportedDownloads } from "./upstream/request-event.js";
import { createUpstream, type Upstream } from "./upstream/upstream.js";

export interface Source {
  upstream: Upstream;
  /** Opened on first use. It never carries a token. */
  transport(): Transport;
  pacing: Pacing;
  close(): Promise<void>;
}

export interface SourceOptions extends Pick<SyncOptions, "config" | "env" | "signal" | "pacing" | "openAgent"> {
  /** The origin that answers: for `demo:`, the address of its server. */
  url: string;
  onProgress: OnProgress;
  /** Shared connections, which their opener closes; default: own connections. */
  connections?: Connections | undefined;
  /** Rules of the crawl to replace. */
  rules?: Partial<CrawlRules> | undefined;
}

export function openSource(options: SourceOptions): Source {
  const { config, url, env = {}, signal, openAgent, connections, onProgress, rules } = options;
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
  const upstream = rules?.upstream?.(direct) ?? direct;
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

/** How long to wait before the closing probe, in milliseconds: 2 s; 0 for a loopback upstream. */
export function settleMs(config: Config, url: string): number {
  return config.source.settleMs ?? (isLoopbackHost(new URL(url).hostname) ? 0 : 2_000);
}
