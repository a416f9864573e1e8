import type { Problem } from "../lib/errors.js";
import type { SyncReport } from "../sync/report.js";

/** Something that happened while spaces are watched: what a line of the log, a metric, a span is made of. */
export type WatchEvent =
  | { kind: "run-started"; space: string; atMs: number; reasons: RunReason[] }
  | RunEnded
  | { kind: "webhook"; space: string | undefined; atMs: number; result: WebhookResult; event?: string | undefined }
  | {
      kind: "expectation";
      space: string;
      atMs: number;
      /** `seen`: the cv has passed the event's time. `not-seen`: two minutes have passed, and it has not. */
      result: "seen" | "not-seen";
      probes: number;
      waitedMs: number;
      /** EVENT_NOT_SEEN. */
      problem?: Problem;
    }
  /** Another process has the right to write this space: nothing is asked, and nothing synced, until it is ours. */
  | { kind: "standing-by"; space: string; atMs: number; holder: { host: string; pid: number; since: string } | null }
  /** The right to write is ours. */
  | { kind: "took-over"; space: string; atMs: number }
  | {
      kind: "hook";
      space: string;
      atMs: number;
      consumer: string;
      /** The generations that it was handed; null: everything. */
      from: number | null;
      to: number;
      result: "done" | "failed" | "timed-out";
      durationMs: number;
    };

/** A sync that ended, with what it said. */
export interface RunEnded {
  kind: "run-ended";
  space: string;
  /** Milliseconds since the epoch. */
  atMs: number;
  reasons: RunReason[];
  outcome: SyncReport["outcome"] | "failed";
  durationMs: number;
  /** What `offprint sync` would have ended with. */
  exitCode: number;
  /** undefined: the run failed before there was one. */
  report?: SyncReport | undefined;
  problems: Problem[];
  /** Milliseconds since the epoch; null: there is no next turn. */
  nextAtMs: number | null;
}

/** Why a space is synced: its text stands in the line of the run. */
export type RunReason =
  | { kind: "start" }
  | { kind: "schedule" }
  /** `published 4711`: the action and the id of what it was done to. */
  | { kind: "webhook"; event: string }
  /** What was read lately is looked at once more. */
  | { kind: "recheck" };

/** What became of a request to `/hooks/<space>`. */
export type WebhookResult =
  | "accepted"
  /** Of another space: answered, and not acted upon. */
  | "foreign"
  | "unsigned"
  /** Signed too long ago, or taken before. */
  | "stale"
  | "too-large"
  | "malformed"
  | "unknown-space";
