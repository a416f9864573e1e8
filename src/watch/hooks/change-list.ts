import type { PartChange } from "./compare-parts.js";

/** A story in one edition. Its slug, URL and type are the current ones; of a deleted story those that it had. */
export interface StoryChange {
  /**
   * `upsert`: it is new, or its record differs. `move`: the same, and its slug or URL differs. `delete`: it is gone.
   * `affected`: its record is the same, and it shows something that differs.
   */
  change: "upsert" | "move" | "delete" | "affected";
  /** Edition name, `published/de`. */
  edition: string;
  uuid: string;
  full_slug: string;
  /** Address on the site, as content names it. */
  url: string;
  /** Name of the content type. */
  component: string;
  /** Of a move: where it was. */
  from?: { full_slug: string; url: string };
}

/** One line of a list of changes. */
export type Change = StoryChange | PartChange;

/**
 * Why a list names everything: the consumer has no cursor yet (`first`), its cursor is damaged (`damaged`) or of another
 * space (`other-space`), the generation is not there any more (`gone`), or the settings of the content differ (`settings`).
 */
export type FullReason = "first" | "damaged" | "other-space" | "gone" | "settings";

/** How many lines of each kind a list has. */
export interface ChangeCounts {
  upserts: number;
  moves: number;
  deletes: number;
  affected: number;
  parts: number;
}

/** The first line of a list: what it leads from and to. */
export interface ListHeader {
  format: 1;
  /** Id of the space; null where the upstream does not give it. */
  space: number | null;
  /** The generation that the changes lead from; null where they lead from none. */
  from: number | null;
  /** The generation that they lead to. */
  to: number;
  /** The cv of that generation. */
  cv: number | null;
  /** null: the list holds what differs. Otherwise it holds every story, and this is why. */
  full: FullReason | null;
  counts: ChangeCounts;
}

/** What differs between two generations. */
export interface ChangeList {
  header: ListHeader;
  /** Stories by edition, then uuid; then the parts. */
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

/** The lines of a list: JSON, the header first. */
export function* changeLines({ header, changes }: ChangeList): Generator<string> {
  yield JSON.stringify(header);
  for (const change of changes) yield JSON.stringify(change);
}
