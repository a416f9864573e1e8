import { isObject, uuid as uuidShape } from "../../lib/shape.js";
import type { Manifest } from "../../snapshot/manifest.js";
import { storedStory } from "../../snapshot/reader/stored-story.js";
import type { Store } from "../../snapshot/store/store.js";
import { knownStories } from "../names/known-stories.js";
import { storyTitle } from "../names/story-title.js";
import { diffStory } from "./diff-story.js";
import { bothTexts } from "./diff-text.js";
import { type DifferenceEntry, differenceEntries } from "./difference-entries.js";

interface StoryInTwo {
  before: Manifest;
  after: Manifest;
  /** The current generation; default: `after`. */
  current?: Manifest;
  edition: string;
  uuid: string;
}

/** How a story differs between two generations in an edition. @throws OffprintError `SNAPSHOT_DAMAGED` */
export async function compareStory(store: Store, { before, after, current = after, edition, uuid }: StoryInTwo) {
  const old = await storedStory(store, before, edition, uuid);
  const now = await storedStory(store, after, edition, uuid);
  const { change, fields } = diffStory(old, now);
  const record: unknown = JSON.parse(now ?? old ?? "{}");
  const text = (name: string) => (isObject(record) && typeof record[name] === "string" ? record[name] : "");
  const unnamed = differenceEntries(fields);
  const named = await nameEntries(store, current, unnamed);
  return { change, fields, name: text("name"), slug: text("full_slug"), unnamed, ...named };
}

/**
 * Entries with the names of stories in place of uuids, and what is known of these stories.
 * @param manifest the current generation: what it lacks is looked up in those before it
 */
export async function nameEntries(store: Store, manifest: Manifest, entries: readonly DifferenceEntry[]) {
  const values = entries.map(valuesOf);
  const uuids = values.flatMap(({ before, after }) => [before, after].filter(isUuid));
  const known = await knownStories(store, manifest, uuids);
  const named = (value: string | undefined) => {
    const story = value === undefined ? undefined : known.get(value);
    return story === undefined ? value : storyTitle(story);
  };
  return {
    entries: entries.map((entry, at): DifferenceEntry => {
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
function valuesOf({ words, before, after }: DifferenceEntry): Partial<Record<"before" | "after", string | undefined>> {
  if (words === undefined) return { before, after };
  const [old, now] = bothTexts(words);
  return isUuid(old) || isUuid(now) ? { before: old, after: now } : {};
}

function isUuid(value: string | undefined): value is string {
  return value !== undefined && uuidShape.is(value);
}
