import type { PageAnswer } from "../http/watch-server.js";
import type { Metrics } from "./metrics.js";
import { metricsText } from "./metrics-text.js";
import { isFresh, type SpaceFreshness } from "./space-freshness.js";

export interface StatusPagesOptions {
  metrics(): Metrics;
  /** Names of spaces in a bucket, whose lease has to be read before this process can work. Default: none. */
  inBucket?: readonly string[];
  version: string;
  commit?: string | undefined;
  now(): number;
}

/**
 * `/readyz` is for rollouts: this process can work, however old the copies are. `/fresh` and `/fresh/<space>` are for
 * whoever needs current content, and 503 while a copy is too old.
 */
export function statusPages(options: StatusPagesOptions): Record<string, () => PageAnswer> {
  const { metrics, inBucket = [], version, commit, now } = options;
  const freshness = () => [...metrics().spaces.values()].map((space) => space.freshness);
  return {
    "/healthz": () => jsonPage(liveness()),
    "/readyz": () => jsonPage(readiness(freshness(), inBucket)),
    "/fresh": () => jsonPage(freshnessAnswer(freshness(), now())),
    ...Object.fromEntries(
      [...metrics().spaces.keys()].map((space) => [
        `/fresh/${encodeURIComponent(space)}`,
        () => jsonPage(freshnessAnswer([metrics().spaces.get(space)!.freshness], now())),
      ]),
    ),
    "/metrics": () => ({
      status: 200,
      contentType: "text/plain; version=0.0.4; charset=utf-8",
      body: metricsText(metrics(), { version, commit, nowMs: now(), residentBytes: process.memoryUsage.rss() }),
    }),
  };
}

function jsonPage({ status, body }: HealthAnswer): PageAnswer {
  return { status, contentType: "application/json; charset=utf-8", body: `${JSON.stringify(body)}\n` };
}

interface HealthAnswer {
  status: 200 | 503;
  /** Sent as JSON. It contains spaces, numbers and times, never an address or a secret. */
  body: Readonly<Record<string, unknown>>;
}

export function liveness(): HealthAnswer {
  return { status: 200, body: { alive: true } };
}

/** 503 until the lease of each bucket was read once. Whoever can answer has read its configuration, and a worker its queue. */
export function readiness(spaces: readonly SpaceFreshness[], inBucket: readonly string[]): HealthAnswer {
  const waitsFor = spaces.filter(({ space, standby }) => inBucket.includes(space) && standby === undefined);
  const ready = waitsFor.length === 0;
  return {
    status: ready ? 200 : 503,
    body: { ready, ...(ready ? {} : { waitsFor: waitsFor.map(({ space }) => space) }) },
  };
}

/** 503 while a space is not fresh, as {@link isFresh} has it; the body names it. */
export function freshnessAnswer(spaces: readonly SpaceFreshness[], nowMs: number): HealthAnswer {
  const told = spaces.map((one) => ({
    space: one.space,
    fresh: isFresh(one, nowMs),
    generation: one.generation,
    confirmedAt: one.confirmedAtMs === null ? null : new Date(one.confirmedAtMs).toISOString(),
    ageSeconds: one.confirmedAtMs === null ? null : Math.max(0, Math.round((nowMs - one.confirmedAtMs) / 1000)),
    maxAgeSeconds: one.maxAgeMs / 1000,
    ...(one.held ? { held: true } : {}),
    ...(one.standby === true ? { standby: true } : {}),
  }));
  const fresh = told.every((one) => one.fresh);
  return { status: fresh ? 200 : 503, body: { fresh, spaces: told } };
}
