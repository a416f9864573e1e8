import type { StoryChanges } from "./compare-stories.js";

export interface StoryCounts {
  added: number;
  changed: number;
  removed: number;
  moved: number;
}

/** A story counts once, by its change in the first edition that has one; a moved one counts as moved, too. */
export function countStories(changes: StoryChanges | undefined): StoryCounts {
  const seen = new Set<string>();
  const count = (stories: readonly { uuid: string }[] = []): number => {
    const fresh = new Set(stories.map(({ uuid }) => uuid).filter((uuid) => !seen.has(uuid)));
    for (const uuid of fresh) seen.add(uuid);
    return fresh.size;
  };
  const [added, removed, changed] = [count(changes?.added), count(changes?.removed), count(changes?.changed)];
  return { added, changed, removed, moved: new Set(changes?.moved.map(({ uuid }) => uuid)).size };
}
