import type { Config } from "../config/config.js";
import { isLoopbackHost } from "../loopback.js";

/**
 * The rate limit that is kept to: what the configuration says, else that of `published` tiers, and none (`false`) for an
 * upstream on this machine, which is the demo or a replica.
 */
export function effectiveRateLimit(
  rateLimit: Config["queue"]["rateLimit"],
  sourceUrl: string,
): NonNullable<Config["queue"]["rateLimit"]> {
  if (rateLimit !== undefined) return rateLimit;
  const { protocol, hostname } = new URL(sourceUrl);
  return protocol === "demo:" || isLoopbackHost(hostname) ? false : "published";
}
