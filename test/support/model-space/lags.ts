import type { ModelRequest } from "./origin.js";
import type { Random } from "./random.js";

/** The parts of the interface that answer from their own copies, and the cv. */
export const laggingParts = ["cv", "links", "batches", "pages", "tags", "datasources"] as const;
export type LaggingPart = (typeof laggingParts)[number];

/** How far one part lags behind the space. */
export interface Lag {
  /** In milliseconds. */
  longestMs: number;
  /** Always by the longest; else by another time at every request. */
  steady: boolean;
}

/** How far each part lags; a part that is not named does not. */
export type Lags = Readonly<Partial<Record<LaggingPart, Lag>>>;

/** The longest that any part lags, in milliseconds. */
export function longestLagMs(lags: Lags): number {
  return Math.max(0, ...Object.values(lags).map(({ longestMs }) => longestMs));
}

/** How far a part lags at a request, in milliseconds. */
export function lagMs(lag: Lag | undefined, random: Random): number {
  if (lag === undefined || lag.longestMs === 0) return 0;
  return lag.steady ? lag.longestMs : random.int(0, lag.longestMs);
}

/** The part that answers a request; undefined: one that never lags. */
export function partOf({ pathname, query }: ModelRequest): LaggingPart | undefined {
  const name = pathname.split("/")[3];
  if (name === "links" || name === "tags") return name;
  if (name === "datasources" || name === "datasource_entries") return "datasources";
  if (name !== "stories") return undefined;
  return query.has("by_uuids") ? "batches" : "pages";
}
