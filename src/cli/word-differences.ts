import { diffStory } from "../content/diff/diff-story.js";
import { differenceEntries } from "../content/diff/difference-entries.js";
import { differenceMarkdown } from "../content/diff/difference-markdown.js";
import { nameEntries } from "../content/diff/named-entries.js";
import type { Manifest } from "../snapshot/manifest.js";
import { storedStory } from "../snapshot/reader/stored-story.js";
import type { Store } from "../snapshot/store/store.js";
import type { StoryChange } from "../watch/hooks/change-list.js";

export interface ComparedGenerations {
  /** Undefined: unknown, so nothing is compared. */
  before: Manifest | undefined;
  after: Manifest;
}

/** How each story differs by words, as Markdown. Stories that are new are left out: all of their words are. */
export async function* wordDifferences(
  store: Store,
  { before, after }: ComparedGenerations,
  stories: readonly StoryChange[],
): AsyncGenerator<string> {
  if (before === undefined) return;
  for (const { edition, uuid, full_slug: slug } of stories) {
    const [old, now] = [
      await storedStory(store, before, edition, uuid),
      await storedStory(store, after, edition, uuid),
    ];
    const { change, fields } = diffStory(old, now);
    if (old === undefined || now === undefined) continue;
    const told = fields.filter(({ field }) => ["name", "content", "tag_list"].includes(field));
    const { entries } = await nameEntries(store, after, differenceEntries(told));
    if (entries.length === 0) continue;
    const { name = "" } = JSON.parse(now) as { name?: string };
    const generations = { from: before.generation, to: after.generation };
    yield differenceMarkdown({ name, slug, edition, ...generations, change, entries });
  }
}
