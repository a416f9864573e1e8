import { uuid as uuidShape } from "../../lib/shape.js";
import type { Manifest } from "../../snapshot/manifest.js";
import type { Store } from "../../snapshot/store/store.js";
import { type KnownStory, knownStories } from "../names/known-stories.js";
import { storyTitle } from "../names/story-title.js";
import { bothTexts } from "./diff-text.js";
import type { DifferenceEntry } from "./difference-entries.js";

/** Entries with the names of stories in place of uuids, and what is known of these stories. */
export interface NamedEntries {
  entries: DifferenceEntry[];
  stories: KnownStory[];
}

/** @param manifest the current generation: what it lacks is looked up in those before it */
export async function nameEntries(
  store: Store,
  manifest: Manifest,
  entries: readonly DifferenceEntry[],
): Promise<NamedEntries> {
  const values = entries.map(valuesOf);
  const uuids = values.flatMap(({ before, after }) => [before, after].filter(isUuid));
  const known = await knownStories(store, manifest, uuids);
  const named = (value: string | undefined) => {
    const story = value === undefined ? undefined : known.get(value);
    return story === undefined ? value : storyTitle(story);
  };
  return {
    entries: entries.map((entry, at) => {
      const { before, after } = values[at]!;
      if (named(before) === before && named(after) === after) return entry;
      const { words: _, ...rest } = entry;
      return {
        ...rest,
        ...(before === undefined ? {} : { before: named(before)! }),
        ...(after === undefined ? {} : { after: named(after)! }),
      };
    }),
    stories: [...known.values()],
  };
}

/** The old and the new value; of a text that changed by words, the whole texts. */
function valuesOf({ words, before, after }: DifferenceEntry): {
  before?: string | undefined;
  after?: string | undefined;
} {
  if (words === undefined) return { before, after };
  const [old, now] = bothTexts(words);
  return isUuid(old) || isUuid(now) ? { before: old, after: now } : {};
}

function isUuid(value: string | undefined): value is string {
  return value !== undefined && uuidShape.is(value);
}
