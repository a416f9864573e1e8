import type { UpstreamFacts } from "./ask-upstream.js";
import { type Finding, finding } from "./diagnosis-finding.js";

const largestSkewMs = 60_000;

export function checkClock({ published: { status, skewMs } }: Pick<UpstreamFacts, "published">): Finding[] {
  if (status === undefined) return [];
  if (skewMs === undefined) return [finding("CLOCK_UNKNOWN", "The upstream does not say its time.")];
  const seconds = Math.round(Math.abs(skewMs) / 1000);
  if (Math.abs(skewMs) <= largestSkewMs) {
    return [finding("CLOCK_OK", `The clock agrees with that of the upstream${seconds > 1 ? ` to ${seconds} s` : ""}.`)];
  }
  const way = skewMs > 0 ? "behind" : "ahead of";
  const hint = "Let the machine keep its time (NTP). Ages, locks and signed webhooks are judged by it.";
  return [finding("CLOCK_SKEWED", `The clock of this machine is ${seconds} s ${way} that of the upstream.`, hint)];
}
