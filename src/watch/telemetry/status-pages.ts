import { type HealthAnswer, liveness, readiness } from "./health.js";
import type { Metrics } from "./metrics.js";
import { metricsText } from "./metrics-text.js";

/** What a page answers. */
export interface StatusPage {
  status: number;
  contentType: string;
  body: string;
}

/** What the pages tell of. */
export interface StatusPagesOptions {
  /** The metrics of now. */
  metrics(): Metrics;
  /** Of this program. */
  version: string;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** The pages of a server by their path: `/healthz`, `/readyz`, `/metrics`. */
export function statusPages({ metrics, version, now }: StatusPagesOptions): Record<string, () => StatusPage> {
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

function jsonPage({ status, body }: HealthAnswer): StatusPage {
  return { status, contentType: "application/json; charset=utf-8", body: `${JSON.stringify(body)}\n` };
}
