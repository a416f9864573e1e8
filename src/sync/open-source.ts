import { setTimeout as delay } from "node:timers/promises";
import type { Config } from "../config/config.js";
import type { Pacing } from "../crawl/pin.js";
import type { OnProgress } from "../crawl/progress.js";
import { isLoopbackHost } from "../loopback.js";
import { toldTransport } from "../upstream/told-transport.js";
import { createTransport, type Transport } from "../upstream/transport.js";
import { createUpstream, type Upstream } from "../upstream/upstream.js";

/** The space that is read, and what its assets are fetched with. */
export interface Source {
  upstream: Upstream;
  /** Opened on first use. It never carries a token. */
  transport(): Transport;
  /** Real time that ends with the signal. */
  pacing: Pacing;
  close(): Promise<void>;
}

/** Opens the upstream of a configuration. `url` is the origin that answers: for `demo:`, where it was started. */
export function openSource(options: {
  config: Config;
  url: string;
  env: Readonly<Record<string, string | undefined>>;
  signal?: AbortSignal | undefined;
  /** How time passes for waits and retries; default: as it does, ended by the signal. */
  pacing?: Pacing | undefined;
  onProgress: OnProgress;
  /** What the upstream is read through; default: nothing. */
  through?: ((upstream: Upstream) => Upstream) | undefined;
}): Source {
  const { config, url, env, signal, onProgress, through = (upstream) => upstream } = options;
  const given: Pacing = options.pacing ?? {
    sleep: (ms) => delay(ms, undefined, signal === undefined ? {} : { signal }),
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
    ...(config.source.management === undefined ? {} : { management: config.source.management }),
    ...(signal === undefined ? {} : { signal }),
    ...(options.pacing === undefined ? {} : { sleep: (ms: number) => given.sleep(ms) }),
    ...(options.pacing?.random === undefined ? {} : { random: options.pacing.random }),
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
      transport ??= toldTransport(createTransport({ connections: config.queue.concurrency, env }), (sent) =>
        onProgress({ kind: "download", sent }),
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
