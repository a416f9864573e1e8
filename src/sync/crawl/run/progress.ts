import type { ErrorCode } from "../../../lib/errors.js";
import type { RequestEvent } from "../../upstream/request-event.js";

export type ProgressStage = "probe" | "index" | "stories" | "parts" | "assets" | "settle" | "commit" | "export";

/** One HTTP request (a GET) and its answer; its address contains no secret. */
export type SentRequest = Omit<RequestEvent, "endpoint">;

/** What a running sync reports; the command line prints it. */
export type Progress =
  | { kind: "stage"; stage: ProgressStage }
  | { kind: "plan"; requests: number; stories: number }
  | { kind: "advance"; stage: "index" | "stories" | "parts" | "assets" | "export"; done: number; total: number | null }
  | { kind: "request"; total: number; retried: number; sent: SentRequest }
  /** A request for an asset, or one that it redirects to. */
  | { kind: "download"; sent: SentRequest }
  /** `reason`: why nothing is sent. A wait for the rate limit is reported at its end. */
  | { kind: "wait"; ms: number; reason: string }
  /** A sync without a commit has staged so many stories for the next one. */
  | { kind: "staged"; stories: number }
  | { kind: "note"; message: string };

export type OnProgress = (progress: Progress) => void;

export interface RemovalStop {
  code: ErrorCode;
  message: string;
  /** Begins the hint: what was kept, and when to force the removal. The command follows. */
  when: string;
}
