import type { Progress } from "../sync/crawl/run/progress.js";
import type { SyncReport } from "../sync/report.js";

/** Requests to the API, each retry too. */
export type SentRequests = Pick<SyncReport["requests"], "total" | "retried" | "rateLimited">;

export const noRequests: SentRequests = { total: 0, retried: 0, rateLimited: 0 };

/** Returns the counts after a report of progress. For runs that fail before they have a report of their own. Pure. */
export function requestsAfter(before: SentRequests, progress: Progress): SentRequests {
  if (progress.kind !== "request") return before;
  const { total, retried, sent } = progress;
  return { total, retried, rateLimited: before.rateLimited + (sent.status === 429 ? 1 : 0) };
}
