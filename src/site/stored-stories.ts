import { mapBounded } from "../lib/concurrency/map-bounded.js";
import type { StoredStory } from "./loaded-stories.js";
import type { RowFilter } from "./slug-list.js";
import type { StoryFilter } from "./snapshot.js";
import type { OpenEdition } from "./snapshot-editions.js";

/** How many stories are read together where they lie far apart, and how many at the same time. */
const batchStories = 64;
const concurrency = 8;

/** The stories that fit, as they are stored, some at a time. */
export async function* storedStories({ stories }: OpenEdition, filter: StoryFilter): AsyncGenerator<StoredStory[]> {
  if (filter.order === "stored") {
    yield* stories.stored(rowFilter(filter));
    return;
  }
  const rows = await stories.rows(rowFilter(filter));
  for (let start = 0; start < rows.length; start += batchStories) {
    const batch = rows.slice(start, start + batchStories);
    const found = await mapBounded(batch, concurrency, ({ uuid }) => stories.record(uuid));
    yield found.filter((stored) => stored !== undefined);
  }
}

/** What a question says about the stories that it means, as the index is asked for them. */
export function rowFilter({ component, startsWith = "" }: StoryFilter): RowFilter {
  const components = typeof component === "string" ? [component] : component;
  return { components: components && new Set(components), startsWith: startsWith.replace(/^\/+/, "") };
}
