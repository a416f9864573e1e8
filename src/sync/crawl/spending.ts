import type { Config } from "../../config/config.js";
import { effectiveRateLimit, intervalOf, loadRateTiers } from "../upstream/rate-tiers.js";
import type { PlanItem } from "./parts/part-reading.js";
import type { WayToSpend } from "./plan.js";

const quickest = 25;
/** The interface's maximum, which takes the fewest requests. */
const fewest = 100;

/** 100 takes the fewest requests; 25 moves the most stories under the published tiers, and only under those. */
export function storiesPerPage(config: Config, prefer = config.queue.prefer): number {
  const tiered = effectiveRateLimit(config.queue.rateLimit, config.source.url) === "published";
  return prefer === "speed" && tiered ? quickest : fewest;
}

/** Both ways to spend. @param itemsOf the bill with so many stories per request */
export function waysToSpend(config: Config, itemsOf: (storiesPerRequest: number) => PlanItem[]): WayToSpend[] {
  return (["requests", "speed"] as const).map((prefer) => {
    const storiesPerRequest = storiesPerPage(config, prefer);
    const items = itemsOf(storiesPerRequest);
    return {
      prefer,
      storiesPerRequest,
      items,
      requests: items.reduce((sum, { requests }) => sum + requests, 0),
      leastMs: leastMs(config, items),
    };
  });
}

function leastMs(config: Config, items: readonly PlanItem[]): number | null {
  const limit = effectiveRateLimit(config.queue.rateLimit, config.source.url);
  if (limit === false) return null;
  const tiers = loadRateTiers();
  const sum = items.reduce((ms, { requests, perPage }) => {
    const each =
      limit === "published"
        ? intervalOf({ group: "delivery", ...(perPage === undefined ? {} : { perPage }) }, tiers)
        : 1_000 / limit;
    return ms + requests * each;
  }, 0);
  return Math.round(sum);
}

/** The page size of stories: a little smaller if that gives new addresses, at the same cost. */
export function variedPages(config: Config, variation: number): { perPage: number; variation: number } {
  const perPage = storiesPerPage(config);
  if (variation === 0) return { perPage, variation };
  return { perPage: perPage - 1 - ((variation - 1) % Math.max(1, Math.floor(perPage / 5) - 1)), variation };
}
