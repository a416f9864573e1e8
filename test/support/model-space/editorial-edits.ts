import type { Edit } from "./edits.js";
import type { Random } from "./random.js";
import type { SpaceState, Story } from "./space-state.js";
import {
  addDatasource,
  added,
  anyStory,
  editEntry,
  editList,
  newStory,
  published,
  renameTag,
  saved,
  withItem,
  without,
} from "./story-changes.js";

/** How many of the newest stories a team works on. */
const recentStories = 5;

/**
 * The usual edits of an editorial team. Mostly it republishes recent stories; now and then it
 * creates, deletes or renames one.
 */
export function editorialEdit(random: Random): Edit {
  const kind = random.next();
  if (kind < 0.6) {
    return onRecent("publish a recent story", (story, ms, state) => published(saved(story, ms, random), state, ms));
  }
  if (kind < 0.78) {
    return covered("create and publish", (state, ms) =>
      added(state, published(newStory(state, ms, random), state, ms)),
    );
  }
  if (kind < 0.83) {
    return covered("delete", (state) => {
      const story = anyStory(state, random);
      if (story === undefined || state.stories.size <= 2) return undefined;
      return { ...state, stories: without(state.stories, story.uuid) };
    });
  }
  return onRecent("rename the slug", (story) =>
    story.isStartpage ? undefined : { ...story, slug: `slug-${random.int(1, 40)}` },
  );
}

/** An edit of a part other than stories that does not move the space's cv. */
export function uncoveredEdit(random: Random): Edit {
  const kind = random.next();
  const apply = kind < 0.6 ? editEntry : kind < 0.8 ? addDatasource : renameTag;
  const what = kind < 0.6 ? "edit a datasource entry" : kind < 0.8 ? "add a datasource" : "rename a tag";
  return {
    name: `${what} without a new cv`,
    weight: 1,
    movesCv: () => false,
    apply: (state) => apply(state, random),
  };
}

/**
 * An edit of a list of any length other than stories.
 * @param movesCv whether it moves the space's cv
 */
export function listEdit(random: Random, movesCv: boolean): Edit {
  const name = movesCv ? "edit a list" : "edit a list without a new cv";
  return { name, weight: 1, movesCv: () => movesCv, apply: (state) => editList(state, random) };
}

function covered(name: string, apply: (state: SpaceState, ms: number) => SpaceState | undefined): Edit {
  return { name, weight: 1, movesCv: () => true, apply };
}

function onRecent(name: string, change: (story: Story, ms: number, state: SpaceState) => Story | undefined): Edit {
  const apply: Edit["apply"] = (state, ms, random) => {
    const recent = [...state.stories.values()]
      .sort((a, b) => (b.publishedMs ?? 0) - (a.publishedMs ?? 0))
      .slice(0, recentStories);
    const story = random.chance(0.8) && recent.length > 0 ? random.pick(recent) : anyStory(state, random);
    const next = story === undefined ? undefined : change(story, ms, state);
    return next === undefined ? undefined : { ...state, stories: withItem(state.stories, next.uuid, next) };
  };
  return { name, weight: 1, movesCv: () => true, apply };
}
