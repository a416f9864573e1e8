/** What a sync does one after the other. */
export type Stage = "probe" | "index" | "stories" | "parts" | "assets" | "settle" | "commit" | "export";

/** What a running sync tells about itself; the command line draws it. */
export type Progress =
  | { kind: "stage"; stage: Stage }
  | { kind: "plan"; requests: number; stories: number }
  | { kind: "advance"; stage: "index" | "stories" | "parts" | "assets" | "export"; done: number; total: number | null }
  | { kind: "request"; total: number; retried: number }
  /** A sync that comes to no commit has kept so many stories for the next one. */
  | { kind: "staged"; stories: number }
  | { kind: "note"; message: string };

export type OnProgress = (progress: Progress) => void;
