import type { Random } from "./random.js";
import type { Dialect, SpaceState, Story } from "./space-state.js";
import {
  addDatasource,
  added,
  anyFolder,
  anyOf,
  anyStory,
  backDated,
  deleteFolder,
  editEntry,
  entry,
  newFolder,
  newStory,
  published,
  publishTranslation,
  renameTag,
  saved,
  someTags,
  translated,
  withDraft,
  withItem,
  without,
} from "./story-changes.js";
import { initialTerms } from "./terms.js";

/** A kind of write that editors, importers and schedulers make. */
export interface Edit {
  readonly name: string;
  /** How often it is made, compared with the others. */
  readonly weight: number;
  readonly movesCv: (dialect: Dialect) => boolean;
  /** What it needs of the space; default: nothing. */
  readonly possible?: (dialect: Dialect) => boolean;
  /** The state afterwards; undefined where there is nothing to do it to. */
  readonly apply: (state: SpaceState, ms: number, random: Random, dialect: Dialect) => SpaceState | undefined;
}

const always = () => true;
const never = () => false;
const withSaves = (dialect: Dialect) => dialect.savesShow;
const dayMs = 86_400_000;

/** Every kind of write. */
const edits: readonly Edit[] = [
  edit("create a draft", 2, withSaves, (state, ms, random) => added(state, newStory(state, ms, random))),
  edit("create and publish", 4, always, (state, ms, random) =>
    added(state, published(newStory(state, ms, random), state, ms)),
  ),
  edit("create back-dated", 1, always, (state, ms, random) =>
    added(state, backDated(published(newStory(state, ms, random), state, ms), ms - random.int(1, 900) * dayMs)),
  ),
  edit("bulk import", 0.3, always, (state, ms, random) => {
    let next = state;
    for (let count = random.int(2, 8); count > 0; count--) {
      next = added(next, backDated(published(newStory(next, ms, random), next, ms), ms - random.int(1, 900) * dayMs));
    }
    return next;
  }),
  onStory("save", 4, withSaves, (story, ms, random) => saved(story, ms, random)),
  onStory("rename a draft", 1, withSaves, (story, ms, random) =>
    withDraft(story, ms, { name: `Name ${random.int(1, 99)}` }),
  ),
  onStory("save and publish", 8, always, (story, ms, random, state) => published(saved(story, ms, random), state, ms)),
  onStory("publish", 3, always, (story, ms, _, state) => published(story, state, ms)),
  onStory("publish back-dated", 1, always, (story, ms, random, state) =>
    backDated(published(saved(story, ms, random), state, ms), ms - random.int(1, 900) * dayMs),
  ),
  onStory("publish under another name", 3, always, (story, ms, random, state) =>
    published(withDraft(story, ms, { name: `Name ${random.int(1, 99)}` }), state, ms),
  ),
  onStory("unpublish", 4, always, (story) => (story.published === null ? undefined : { ...story, published: null })),
  onStory("change tags and publish", 3, always, (story, ms, random, state) =>
    published(withDraft(story, ms, { tags: someTags(random) }), state, ms),
  ),
  onStory("rename the slug", 3, always, (story, _, random) =>
    story.isStartpage ? undefined : { ...story, slug: `slug-${random.int(1, 40)}` },
  ),
  onStory("move", 3, always, (story, _, random, state) =>
    story.isStartpage ? undefined : { ...story, parentId: anyFolder(state, random) },
  ),
  onStory("reorder", 1, always, (story, _, random) => ({ ...story, position: random.int(-20, 20) })),
  onStory(
    "publish a translation",
    3,
    always,
    (story, _, random, state) => publishTranslation(story, state, random),
    (dialect) => dialect.translationsIndividually,
  ),
  onStory("save a translation", 2, withSaves, (story, ms, random, state) => translated(story, ms, state, random)),
  onStory("translate and publish", 3, always, (story, ms, random, state) => {
    const next = translated(story, ms, state, random);
    return next === undefined ? undefined : published(next, state, ms);
  }),
  edit("delete", 4, always, (state, _, random) => {
    const story = anyStory(state, random);
    if (story === undefined || state.stories.size <= 2) return undefined;
    return { ...state, stories: without(state.stories, story.uuid), trash: withItem(state.trash, story.uuid, story) };
  }),
  edit("restore", 2, always, (state, _, random) => {
    if (state.trash.size === 0) return undefined;
    const story = random.pick([...state.trash.values()]);
    const parentId = state.folders.has(story.parentId) ? story.parentId : 0;
    const isStartpage = story.isStartpage && parentId !== 0;
    const restored = { ...story, parentId, isStartpage };
    return {
      ...state,
      trash: without(state.trash, story.uuid),
      stories: withItem(state.stories, story.uuid, restored),
    };
  }),
  edit("replace under the same slug", 2, always, (state, ms, random) => {
    const story = anyStory(state, random);
    if (story === undefined) return undefined;
    const { slug, parentId, isStartpage } = story;
    const successor = { ...published(newStory(state, ms, random), state, ms), slug, parentId, isStartpage };
    return added({ ...state, stories: without(state.stories, story.uuid) }, successor);
  }),
  edit("rename a folder", 3, always, (state, _, random) => {
    const folder = anyOf(state.folders, random);
    if (folder === undefined) return undefined;
    return {
      ...state,
      folders: withItem(state.folders, folder.id, { ...folder, slug: `folder-${random.int(1, 12)}` }),
    };
  }),
  edit("create a folder", 1, always, (state, ms, random) => {
    const folder = newFolder(state, ms, random);
    return { ...state, folders: withItem(state.folders, folder.id, folder) };
  }),
  edit("delete a folder", 0.5, always, (state, _, random) => deleteFolder(state, random)),
  edit(
    "rename a tag",
    2,
    always,
    (state, _, random) => renameTag(state, random),
    (dialect) => dialect.renamesTags,
  ),
  edit("edit a datasource entry", 1.5, always, (state, _, random) => editEntry(state, random)),
  edit(
    "edit a datasource entry without a new cv",
    1.5,
    never,
    (state, _, random) => editEntry(state, random),
    (dialect) => !dialect.datasourcesRedirect,
  ),
  edit("add a datasource", 0.3, always, (state, _, random) => addDatasource(state, random)),
  edit("delete a datasource", 0.2, always, (state) => ({ ...state, datasources: state.datasources.slice(0, -1) })),
  edit("add a language", 0.4, always, (state) =>
    state.languages.length >= 3
      ? undefined
      : { ...state, languages: [...state.languages, ["de", "fr", "nl"][state.languages.length]!] },
  ),
  edit("edit in a release", 1, never, (state, _, random) => {
    const story = anyStory(state, random);
    const [release] = state.releases.keys();
    if (story === undefined || release === undefined) return undefined;
    const changes = withItem(state.releases.get(release) ?? new Map(), story.uuid, `released ${random.int(1, 999)}`);
    return { ...state, releases: withItem(state.releases, release, changes) };
  }),
  edit("merge a release", 0.4, always, (state, ms) => {
    const [release] = state.releases.keys();
    if (release === undefined) return undefined;
    let { stories } = state;
    for (const [uuid, headline] of state.releases.get(release) ?? []) {
      const story = stories.get(uuid);
      if (story !== undefined)
        stories = withItem(stories, uuid, published(withDraft(story, ms, { headline }), state, ms));
    }
    return { ...state, stories, releases: withItem(state.releases, release, new Map()) };
  }),
];

/** Picks a kind of write by weight. */
export function anyEdit(dialect: Dialect, random: Random): Edit {
  const possible = edits.filter((candidate) => candidate.possible?.(dialect) ?? true);
  let at = random.next() * possible.reduce((sum, { weight }) => sum + weight, 0);
  for (const candidate of possible) {
    at -= candidate.weight;
    if (at < 0) return candidate;
  }
  return possible[0]!;
}

/** A space to start from. */
export function initialSpace(
  ms: number,
  random: Random,
  size: {
    stories: number;
    languages: number;
    relates?: boolean;
    moreEntries?: number | undefined;
    termEditShare?: number | undefined;
  },
): SpaceState {
  let state: SpaceState = {
    pool: size.relates ? Array.from({ length: size.stories + 6 }, () => random.uuid()) : undefined,
    languages: ["de", "fr"].slice(0, size.languages),
    folders: new Map(),
    stories: new Map(),
    trash: new Map(),
    datasources: [
      {
        id: 71,
        slug: "colors",
        dimensions: [{ id: 711, code: "de" }],
        entries: [entry(1, "red"), entry(2, "green"), ...moreEntries(size.moreEntries)],
      },
      { id: 72, slug: "sizes", dimensions: [], entries: [entry(3, "small")] },
    ],
    releases: new Map([["9001", new Map()]]),
  };
  for (let count = random.int(0, 4); count > 0; count--) {
    const folder = newFolder(state, ms, random);
    state = { ...state, folders: withItem(state.folders, folder.id, folder) };
    if (!random.chance(0.5)) continue;
    const start = { ...newStory(state, ms, random), parentId: folder.id, isStartpage: true, slug: folder.slug };
    state = added(state, published(start, state, ms - dayMs));
  }
  while (state.stories.size < size.stories) {
    const story = newStory(state, ms - random.int(2, 500) * dayMs, random);
    const old = random.chance(0.85) ? published(story, state, story.createdMs + 1) : story;
    state = added(state, old);
  }
  if (size.termEditShare === undefined) return state;
  return { ...state, terms: initialTerms(random, [...state.stories.keys()]) };
}

function moreEntries(count = 0) {
  return Array.from({ length: count }, (_, at) => entry(100 + at, `color ${at}`));
}

function edit(
  name: string,
  weight: number,
  movesCv: Edit["movesCv"],
  apply: Edit["apply"],
  possible?: Edit["possible"],
): Edit {
  return { name, weight, movesCv, apply, ...(possible === undefined ? {} : { possible }) };
}

type StoryChange = (story: Story, ms: number, random: Random, state: SpaceState, dialect: Dialect) => Story | undefined;

function onStory(
  name: string,
  weight: number,
  movesCv: Edit["movesCv"],
  change: StoryChange,
  possible?: Edit["possible"],
): Edit {
  const apply: Edit["apply"] = (state, ms, random, dialect) => {
    const story = anyStory(state, random);
    const next = story === undefined ? undefined : change(story, ms, random, state, dialect);
    return next === undefined ? undefined : { ...state, stories: withItem(state.stories, next.uuid, next) };
  };
  return edit(name, weight, movesCv, apply, possible);
}
