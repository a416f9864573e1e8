import type { Config } from "../../config/config.js";
import { isLoopbackHost } from "../../lib/loopback.js";

/** `published`: the tiers of `config/rate-tiers.json`; a number: requests a second; false: none. */
export type RateLimit = NonNullable<Config["queue"]["rateLimit"]>;

/**
 * The rate limit that requests are sent under: `queue.rateLimit`; where that is left out, none for an upstream on this
 * machine (the demo, a replica) and `published` for any other.
 */
export function effectiveRateLimit(rateLimit: RateLimit | undefined, sourceUrl: string): RateLimit {
  if (rateLimit !== undefined) return rateLimit;
  const { protocol, hostname } = new URL(sourceUrl);
  return protocol === "demo:" || isLoopbackHost(hostname) ? false : "published";
}
