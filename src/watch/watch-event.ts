import type { ErrorCode, Problem } from "../lib/errors.js";
import type { Progress } from "../sync/crawl/run/progress.js";
import type { SyncReport } from "../sync/report.js";

export type WatchEvent =
  /** `run`: identifies the run in its other events. */
  | { kind: "run-started"; space: string; atMs: number; run: string; reasons: RunReason[] }
  | RunEnded
  | { kind: "webhook"; space: string | undefined; atMs: number; result: WebhookResult; event?: string | undefined }
  | {
      kind: "expectation";
      space: string;
      atMs: number;
      /** `seen`: the cv has passed the event. `not-seen`: it has not within two minutes. */
      result: "seen" | "not-seen";
      probes: number;
      waitedMs: number;
      problem?: Problem;
    }
  /** Another process holds the right to write this space; we ask and sync nothing. */
  | { kind: "standing-by"; space: string; atMs: number; holder: { host: string; pid: number; since: string } | null }
  | { kind: "took-over"; space: string; atMs: number }
  /** Refused for so long that it is tried less often. */
  | { kind: "parked"; space: string; atMs: number; sinceMs: number; code: ErrorCode; nextAtMs: number | null }
  | {
      kind: "hook";
      space: string;
      atMs: number;
      /** The run that it followed. */
      run?: string | undefined;
      consumer: string;
      from: number | null;
      to: number;
      /** `nothing`: what failed before is over, and not by this run. */
      result: "done" | "failed" | "timed-out" | "nothing";
      durationMs: number;
      /** Failures in a row, this one included. `againAtMs`: it waits until then; null: it does not wait. */
      failures?: { times: number; sinceMs: number; againAtMs: number | null } | undefined;
    };

export interface RunEnded {
  kind: "run-ended";
  space: string;
  atMs: number;
  /** Of its `run-started`; undefined: it failed before it began. */
  run?: string | undefined;
  reasons: RunReason[];
  outcome: SyncReport["outcome"] | "failed";
  durationMs: number;
  exitCode: number;
  /** undefined: the run failed before it had a report. */
  report?: SyncReport | undefined;
  /** What a run without a report sent; undefined: nothing. */
  requests?: SentRequests | undefined;
  problems: Problem[];
  /** Milliseconds since the epoch; null: there is no next turn. */
  nextAtMs: number | null;
}

/** Why a space is synced, as shown in the log line of the run. */
export type RunReason =
  | { kind: "start" }
  | { kind: "schedule" }
  | { kind: "webhook"; event: string }
  /** `offprint resume` */
  | { kind: "resume" }
  /** A second look at recently read records. */
  | { kind: "recheck" };

export type WebhookResult =
  | "accepted"
  /** Of another space: answered and ignored. */
  | "foreign"
  | "unsigned"
  /** Signed too long ago, or accepted before. */
  | "stale"
  | "too-large"
  | "malformed"
  | "unknown-space";

/** Requests to the API, each retry too. */
export type SentRequests = Pick<SyncReport["requests"], "total" | "retried" | "rateLimited">;

export const noRequests: SentRequests = { total: 0, retried: 0, rateLimited: 0 };

/** Returns the counts after a report of progress. For runs that fail before they have a report of their own. Pure. */
export function requestsAfter(before: SentRequests, progress: Progress): SentRequests {
  if (progress.kind !== "request") return before;
  const { total, retried, sent } = progress;
  return { total, retried, rateLimited: before.rateLimited + (sent.status === 429 ? 1 : 0) };
}
