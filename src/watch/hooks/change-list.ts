import type { PlacedUrl } from "../../content/tree/shared-urls.js";
import type { PartChange } from "./compare-parts.js";

/** A story in one edition, with its current (or last) slug, URL and type. */
export interface StoryChange extends PlacedUrl {
  /** `move`: unchanged but for its slug or URL. `affected`: unchanged, but it shows something that changed. */
  change: "upsert" | "move" | "delete" | "affected";
  component: string;
  from?: { full_slug: string; url: string };
}

export type Change = StoryChange | PartChange;

/** Why a list names everything. `first`: no cursor yet; `gone`: the generation was removed. */
export type FullReason = "first" | "damaged" | "other-space" | "gone" | "settings";

export interface ChangeCounts {
  upserts: number;
  moves: number;
  deletes: number;
  affected: number;
  parts: number;
}

export interface ListHeader {
  format: 1;
  /** Id of the space; null if the upstream does not give it. */
  space: number | null;
  /** The generation the changes start from; null: none. */
  from: number | null;
  to: number;
  cv: number | null;
  /** null: the list holds the differences. Otherwise it holds every story, for this reason. */
  full: FullReason | null;
  counts: ChangeCounts;
  /** Cache tags of all pages that may differ, as `Snapshot.track` names them. */
  tags: readonly string[];
}

export interface ChangeList {
  header: ListHeader;
  /** Stories by edition, then uuid; the parts follow. */
  changes: readonly Change[];
}

export function countChanges(changes: readonly Change[]): ChangeCounts {
  const counts: ChangeCounts = { upserts: 0, moves: 0, deletes: 0, affected: 0, parts: 0 };
  for (const { change } of changes) counts[counters[change]]++;
  return counts;
}

const counters = {
  upsert: "upserts",
  move: "moves",
  delete: "deletes",
  affected: "affected",
  part: "parts",
} as const satisfies Record<Change["change"], keyof ChangeCounts>;

export function* changeLines({ header, changes }: ChangeList): Generator<string> {
  yield JSON.stringify(header);
  for (const change of changes) yield JSON.stringify(change);
}
