import { percentDecoded } from "../lib/percent-decoded.js";
import { printable } from "../lib/printable.js";
import { duration, size } from "../lib/quantity-text.js";
import type { AnsweredRequest } from "../server/replica/http/exchange.js";
import type { SentRequest } from "../sync/crawl/run/progress.js";

/** A request of a sync: `GET /v2/cdn/links?page=1 200 in 134 ms, 12.3 KB (Hit from cloudfront, 12 s old)` */
export function sentText({ url, status, durationMs, bytes, cache, attempt, error }: SentRequest): string {
  const answer = status === null ? (error ?? "no answer") : `${status}`;
  const failed = status !== null && error !== undefined ? ` ${error}` : "";
  const again = attempt > 1 ? `, attempt ${attempt}` : "";
  const from = cache === undefined ? "" : ` (${cache})`;
  return printable(`  GET ${url} ${answer}${failed} in ${duration(durationMs)}, ${size(bytes)}${again}${from}`);
}

/** A request to the replica: `GET /v2/cdn/stories?token=[redacted] 200 in 3 ms` */
export function answeredText({ method, target, status, complete, durationMs }: AnsweredRequest): string {
  const answer = status === null ? "no answer" : `${status}${complete ? "" : " cut off"}`;
  return printable(`${method} ${shownTarget(target)} ${answer} in ${duration(durationMs)}`);
}

const longestTarget = 300;
const secretName = /token|secret|passw|signature|credential|auth|api_?key/i;

/** A path and query without the values of secret parameters, whose names are percent-decoded first. */
function shownTarget(target: string): string {
  const shown = target.replace(/([?&])([^=&#]*)=([^&#]*)/g, (parameter, mark: string, name: string) =>
    secretName.test(percentDecoded(name)) ? `${mark}${name}=[redacted]` : parameter,
  );
  return shown.length > longestTarget ? `${shown.slice(0, longestTarget)}…` : shown;
}
