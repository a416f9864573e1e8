import type { Config } from "../../config/config.js";
import { isLoopbackHost } from "../../lib/loopback.js";
import { packageFile } from "../../lib/package-file.js";

export interface RequestKind {
  group: "delivery" | "management" | "oauth";
  /** `per_page` of the query; undefined for a single record, or the interface's default of 25. */
  perPage?: number;
  /** Reads drafts; the interface limits how many are in flight. */
  draft?: boolean;
}

export interface RateTiers {
  unitsPerSecond: number;
  single: number;
  /** By ascending page size; `perPage` null: every larger one. */
  list: { perPage: number | null; cost: number }[];
  management: number;
  /** The most draft reads in flight. */
  draftsAtOnce: number;
}

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

export function loadRateTiers(): RateTiers {
  return JSON.parse(packageFile("config/rate-tiers.json"));
}

/** `published`: the tiers of `config/rate-tiers.json`; a number: requests a second; false: none. */
export type RateLimit = NonNullable<Config["queue"]["rateLimit"]>;

/** `queue.rateLimit`; default: none for an upstream on this machine, `published` for any other. */
export function effectiveRateLimit(rateLimit: RateLimit | undefined, sourceUrl: string): RateLimit {
  if (rateLimit !== undefined) return rateLimit;
  const { protocol, hostname } = new URL(sourceUrl);
  return protocol === "demo:" || isLoopbackHost(hostname) ? false : "published";
}
