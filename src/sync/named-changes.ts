import type { StoryChanges } from "../snapshot/compare-stories.js";
import type { EditionEntry } from "../snapshot/manifest.js";
import {
  differenceKinds,
  movedFolders,
  type StoryDifference,
  storyDifferences,
} from "../snapshot/story-differences.js";

/** A change of a story, across all its editions; or a folder that moved with its stories. */
export interface NamedChange extends Pick<StoryDifference, "kind" | "full_slug" | "from"> {
  /** Of a folder: how many stories moved with it. */
  stories?: number;
  /** The editions with the change if the first edition lacks it: `published/de`. Else empty. */
  onlyIn: string[];
}

/** How many changes of a kind of record a report names. */
export const named = 10;

/** Some of every kind; each story once. @param editions in order */
export function namedChanges(
  changes: StoryChanges | undefined,
  editions: readonly Pick<EditionEntry, "name">[],
): NamedChange[] {
  if (changes === undefined) return [];
  const { folders, others } = movedFolders(storyDifferences(changes, editions));
  const found: NamedChange[] = [
    ...folders.map(({ from, to, stories }) => {
      return { kind: "moved" as const, full_slug: to, from, stories: stories.length, onlyIn: [] };
    }),
    ...others.map(({ editions: own, uuid: _, ...difference }) => {
      return { ...difference, onlyIn: own[0] === editions[0]?.name ? [] : own };
    }),
  ];
  const lists = differenceKinds.map((kind) => found.filter((change) => change.kind === kind));
  const chosen = new Set(firstOfEach(lists, named));
  return lists.flat().filter((change) => chosen.has(change));
}

/** Takes turns, so that a single removal shows among a hundred edits. */
function firstOfEach<T>(lists: readonly (readonly T[])[], count: number): T[] {
  const taken: T[] = [];
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  for (let at = 0; at < longest && taken.length < count; at++) {
    for (const list of lists) {
      const item = list[at];
      if (item !== undefined && taken.length < count) taken.push(item);
    }
  }
  return taken;
}
