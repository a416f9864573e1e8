import type { Config } from "../config/config.js";
import { duration, grouped, plural } from "../lib/quantity-text.js";
import type { SyncPlan } from "../sync/crawl/plan.js";
import type { Terminal } from "./terminal.js";

/** Prints what each value of `queue.prefer` would spend, item by item. */
export function printPlan(terminal: Terminal, plan: SyncPlan, configured: Config["queue"]["prefer"]): void {
  const [first, second] = plan.ways;
  const same = JSON.stringify(first?.items) === JSON.stringify(second?.items);
  for (const way of same ? plan.ways.slice(0, 1) : plan.ways) {
    const chosen = way.prefer === configured ? ", as configured" : "";
    const name = same ? "Either way" : `queue.prefer: ${way.prefer}${chosen}`;
    terminal.say(`${name}: ${plural(way.storiesPerRequest, "story", "stories")} a request`);
    for (const { what, requests } of way.items) terminal.say(`  ${grouped(requests).padStart(8)}  ${what}`);
    const least = way.leastMs === null ? "without a rate limit" : `at least ${duration(way.leastMs)} by the rate limit`;
    terminal.say(`  ${grouped(way.requests).padStart(8)}  requests, ${least}`);
  }
  for (const { version, added, changed, vanished, kept } of plan.changes) {
    terminal.say(`${version}: ${added} new, ${changed} changed, ${vanished} gone, ${kept} as before`);
  }
  const { requests, fullCrawlWouldCost } = plan;
  terminal.say(
    `This sync takes ${plural(requests, "request")}; reading everything would take ${grouped(fullCrawlWouldCost)}. Nothing was written.`,
  );
}
