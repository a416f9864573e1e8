import { inMap } from "../lib/collections/in-map.js";
import type { StoryChange, StoryChanges } from "./compare-stories.js";
import type { EditionEntry } from "./manifest.js";

/** What happened to a story between two generations, across its editions. */
export interface StoryDifference {
  kind: (typeof differenceKinds)[number];
  uuid: string;
  /** In the first edition that has the difference. */
  full_slug: string;
  /** The earlier full slug of a moved story. */
  from?: string;
  /** The editions that have it, in the order of the manifest: `published/de`. */
  editions: string[];
}

export const differenceKinds = ["added", "changed", "moved", "removed"] as const;

/** Each story once, by slug: as added or removed, else moved, else changed. @param editions in the order of the manifest */
export function storyDifferences(
  changes: StoryChanges,
  editions: readonly Pick<EditionEntry, "name">[],
): StoryDifference[] {
  const rank = new Map(editions.map(({ name }, at) => [name, at]));
  const rankOf = ({ edition }: StoryChange) => rank.get(edition) ?? rank.size;
  const found = new Map<string, StoryDifference>();
  for (const kind of ["added", "removed", "moved", "changed"] as const) {
    const stories = new Map<string, (StoryChange & { from?: string })[]>();
    for (const change of changes[kind]) {
      if (!found.has(change.uuid)) inMap(stories, change.uuid, () => []).push(change);
    }
    for (const [uuid, list] of stories) {
      const [first, ...others] = list.sort((a, b) => rankOf(a) - rankOf(b));
      const { full_slug, from, edition } = first!;
      const all = [edition, ...others.map((other) => other.edition)];
      found.set(uuid, { kind, uuid, full_slug, ...(from === undefined ? {} : { from }), editions: all });
    }
  }
  return [...found.values()].sort((a, b) => (a.full_slug < b.full_slug ? -1 : a.full_slug > b.full_slug ? 1 : 0));
}

/**
 * How many stories differ. `changed` counts the moved ones, too; `moved` also those that are new or gone in another edition.
 */
export type DifferenceCounts = Record<(typeof differenceKinds)[number], number>;

/** Counts as {@link storyDifferences} lists, without a list: of a first generation all stories differ. */
export function countDifferences({ added, changed, removed, moved }: StoryChanges): DifferenceCounts {
  const seen = new Set<string>();
  const count = (stories: readonly StoryChange[]): number => {
    const before = seen.size;
    for (const { uuid } of stories) seen.add(uuid);
    return seen.size - before;
  };
  const [ofAdded, ofRemoved, ofChanged] = [count(added), count(removed), count(changed)];
  return { added: ofAdded, changed: ofChanged, moved: new Set(moved.map(({ uuid }) => uuid)).size, removed: ofRemoved };
}

/** `1 added, 8 changed (7 moved), 0 removed` */
export function differenceCountsText({ added, changed, moved, removed }: DifferenceCounts): string {
  const ofChanged = Math.min(moved, changed);
  return `${added} added, ${changed} changed${ofChanged > 0 ? ` (${ofChanged} moved)` : ""}, ${removed} removed`;
}

type Moved = Pick<StoryDifference, "from" | "full_slug">;

/** `press/a → newsroom/a`. A story moves within its slug if its real path changed. */
export function movedText({ from, full_slug }: Moved): string {
  return from === undefined || from === full_slug ? full_slug : `${from} → ${full_slug}`;
}

/** A folder with another slug. */
export interface MovedFolder {
  /** The slugs of the folder, without a slash at the end. */
  from: string;
  to: string;
  /** The stories below it that moved with it. */
  stories: StoryDifference[];
}

/** Moved stories of which two or more lie below one folder are that folder. @returns also all other differences */
export function movedFolders(differences: readonly StoryDifference[]): {
  folders: MovedFolder[];
  others: StoryDifference[];
} {
  const folders = new Map<string, MovedFolder>();
  for (const story of differences) {
    const [from, to] = folderOf(story);
    if (from !== "" && to !== "")
      inMap(folders, `${from}\n${to}`, () => ({ from, to, stories: [] })).stories.push(story);
  }
  const found = [...folders.values()].filter(({ stories }) => stories.length > 1);
  const inFolders = new Set(found.flatMap(({ stories }) => stories));
  return { folders: found, others: differences.filter((story) => !inFolders.has(story)) };
}

/** The folders that make the difference: `press` and `newsroom` for `press/2025/a` and `newsroom/2025/a`. Empty: none do. */
function folderOf({ kind, from = "", full_slug }: StoryDifference): [from: string, to: string] {
  if (kind !== "moved") return ["", ""];
  const [before, after] = [from.split("/"), full_slug.split("/")];
  let same = 0;
  while (same < before.length && same < after.length && before.at(-1 - same) === after.at(-1 - same)) same += 1;
  return same === 0 ? ["", ""] : [before.slice(0, -same).join("/"), after.slice(0, -same).join("/")];
}

/** `published/de` → `de`, `draft/default` → `draft`, `draft/de` → `draft de` */
export function editionText(name: string): string {
  const [version, ...rest] = name.split("/");
  const language = rest.join("/");
  if (version === "published") return language;
  return language === "default" ? `${version}` : `${version} ${language}`;
}
