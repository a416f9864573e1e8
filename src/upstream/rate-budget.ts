import { readFileSync } from "node:fs";
import { TokenBucket } from "limiter";
import type { Config } from "../config/config.js";

/** What a request asks for, as far as its cost goes. */
export interface RequestKind {
  group: "delivery" | "management" | "oauth";
  /** `per_page` of the query; undefined for a single record, or the interface's default of 25. */
  perPage?: number;
}

/**
 * The rate that one upstream is read at. All requests draw on it, retries included.
 *
 * A budget that adapts fits behind the same two calls: `take` decides when, `refused` tells that it was too soon.
 */
export interface RateBudget {
  /** Waits until a request of this kind may be sent. */
  take(kind: RequestKind): Promise<void>;
  /** The upstream answered 429. */
  refused(): void;
}

/**
 * The budget for a setting of `queue.rateLimit`: `published` follows the tiers of `config/rate-tiers.json`, a number is
 * requests a second, `false` is no limit. A loopback upstream (the demo, a replica) has no published tiers, so that
 * `published` means no limit there; a number holds for it too.
 *
 * Requests are spread evenly instead of sent in bursts: a request goes out at once and the next one waits until it is paid.
 */
export function createRateBudget(rateLimit: Config["queue"]["rateLimit"], loopback: boolean): RateBudget {
  if (rateLimit === false || (rateLimit === "published" && loopback)) return unlimited;
  if (rateLimit !== "published") return bucketBudget(rateLimit, 1, () => 1);
  const tiers = loadRateTiers();
  const dearest = Math.max(tiers.single, tiers.management, ...tiers.list.map(({ cost }) => cost));
  return bucketBudget(tiers.unitsPerSecond, dearest, (kind) => costOf(kind, tiers));
}

/** The content of `config/rate-tiers.json`. */
export interface RateTiers {
  unitsPerSecond: number;
  single: number;
  /** By ascending page size; `perPage` null: any larger one. */
  list: { perPage: number | null; cost: number }[];
  management: number;
}

/** What a request costs, in units of the tiers. */
export function costOf({ group, perPage }: RequestKind, tiers: RateTiers): number {
  if (group !== "delivery") return tiers.management;
  if (perPage === undefined) return tiers.single;
  const tier = tiers.list.find((candidate) => candidate.perPage === null || perPage <= candidate.perPage);
  return tier?.cost ?? tiers.single;
}

/** Reads `config/rate-tiers.json` of this package, wherever it is run from: `src`, or compiled into `dist/src`. */
export function loadRateTiers(): RateTiers {
  for (const up of ["../../", "../../../"]) {
    const text = readText(new URL(`${up}config/rate-tiers.json`, import.meta.url));
    if (text !== undefined) return JSON.parse(text);
  }
  throw new Error("config/rate-tiers.json is missing from this installation");
}

function readText(url: URL): string | undefined {
  try {
    return readFileSync(url, "utf8");
  } catch {
    return undefined;
  }
}

const unlimited: RateBudget = { take: () => Promise.resolve(), refused: () => {} };

function bucketBudget(perSecond: number, dearest: number, cost: (kind: RequestKind) => number): RateBudget {
  // 1 % longer than a second: a server's window and ours never begin together.
  const bucket = new TokenBucket({ bucketSize: dearest, tokensPerInterval: perSecond, interval: 1_010 });
  const pay = async (price: number): Promise<void> => {
    // What was left unused in a pause would allow a burst.
    bucket.drip();
    bucket.content = 0;
    await bucket.removeTokens(price);
  };
  let paid = Promise.resolve();
  return {
    take(kind) {
      const turn = paid;
      paid = turn.then(() => pay(cost(kind)));
      return turn;
    },
    refused: () => {},
  };
}
