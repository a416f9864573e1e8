import type { Config } from "../../config/config.js";
import { isLoopbackHost } from "../../lib/loopback.js";
import { packageFile } from "../../lib/package-file.js";

/** The properties of a request that its cost depends on. */
export interface RequestKind {
  group: "delivery" | "management" | "oauth";
  /** `per_page` of the query; undefined for a single record, or the interface's default of 25. */
  perPage?: number;
  /** Reads drafts, of which the interface serves a limited number at once. */
  draft?: boolean;
}

/** The content of `config/rate-tiers.json`. */
export interface RateTiers {
  unitsPerSecond: number;
  single: number;
  /** By ascending page size; `perPage` null: every larger one. */
  list: { perPage: number | null; cost: number }[];
  management: number;
  /** Draft reads under way at once. */
  draftsAtOnce: number;
}

/** The cost of a request, in units of the tiers. */
export function costOf({ group, perPage }: RequestKind, tiers: RateTiers): number {
  if (group !== "delivery") return tiers.management;
  if (perPage === undefined) return tiers.single;
  const tier = tiers.list.find((candidate) => candidate.perPage === null || perPage <= candidate.perPage);
  return tier?.cost ?? tiers.single;
}

/** Milliseconds between this request and the next under the tiers. */
export function intervalOf(kind: RequestKind, tiers: RateTiers): number {
  return (costOf(kind, tiers) / tiers.unitsPerSecond) * 1_000;
}

/** Reads `config/rate-tiers.json` of this package. */
export function loadRateTiers(): RateTiers {
  return JSON.parse(packageFile("config/rate-tiers.json"));
}

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
