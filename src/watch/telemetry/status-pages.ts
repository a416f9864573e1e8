import type { PageAnswer } from "../http/watch-server.js";
import type { Metrics } from "./metrics.js";
import { metricsText } from "./metrics-text.js";
import { isFresh, type SpaceFreshness } from "./space-freshness.js";

export interface StatusPagesOptions {
  metrics(): Metrics;
  version: string;
  now(): number;
}

export function statusPages({ metrics, version, now }: StatusPagesOptions): Record<string, () => PageAnswer> {
  const freshness = () => [...metrics().spaces.values()].map((space) => space.freshness);
  return {
    "/healthz": () => jsonPage(liveness()),
    "/readyz": () => jsonPage(readiness(freshness(), now())),
    "/metrics": () => ({
      status: 200,
      contentType: "text/plain; version=0.0.4; charset=utf-8",
      body: metricsText(metrics(), { version, nowMs: now() }),
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

/** `/readyz`: 503 while a space is not fresh, as {@link isFresh} has it; the body names it. */
export function readiness(spaces: readonly SpaceFreshness[], nowMs: number): HealthAnswer {
  const told = spaces.map((one) => ({
    space: one.space,
    ready: isFresh(one, nowMs),
    generation: one.generation,
    confirmedAt: one.confirmedAtMs === null ? null : new Date(one.confirmedAtMs).toISOString(),
    ageSeconds: one.confirmedAtMs === null ? null : Math.max(0, Math.round((nowMs - one.confirmedAtMs) / 1000)),
    maxAgeSeconds: one.maxAgeMs / 1000,
    ...(one.held ? { held: true } : {}),
    ...(one.standby === true ? { standby: true } : {}),
  }));
  const ready = told.every((one) => one.ready);
  return { status: ready ? 200 : 503, body: { ready, spaces: told } };
}
