import type { Random } from "./random.js";
import type { Content, Folder, PublishedContent, SpaceState, Story } from "./space-state.js";

/** Names of all tags. */
const tags = ["red", "green", "blue"];

export function someTags(random: Random): string[] {
  return tags.filter(() => random.chance(0.3));
}

export function newStory(state: SpaceState, ms: number, random: Random): Story {
  const drawn = random.uuid();
  const uuid = state.pool?.find((one) => !state.stories.has(one) && !state.trash.has(one)) ?? drawn;
  const neighbour = random.chance(0.25) && state.pool === undefined ? anyStory(state, random) : undefined;
  return {
    id: freshId(random),
    uuid,
    slug: `slug-${random.int(1, 40)}`,
    parentId: anyFolder(state, random),
    isStartpage: false,
    position: random.int(-20, 20),
    groupId: neighbour?.groupId ?? random.uuid(),
    createdMs: ms,
    updatedMs: ms,
    publishedMs: null,
    firstPublishedMs: null,
    draft: {
      name: `Name ${random.int(1, 99)}`,
      headline: `text ${random.int(1, 1e6)}`,
      tags: someTags(random),
      translated: new Map(),
    },
    published: null,
  };
}

export function newFolder(state: SpaceState, ms: number, random: Random): Folder {
  const id = freshId(random);
  const parentId = random.chance(0.3) ? anyFolder(state, random) : 0;
  return {
    id,
    uuid: random.uuid(),
    slug: `folder-${random.int(1, 12)}`,
    parentId,
    name: `Folder ${id % 100}`,
    createdMs: ms,
  };
}

export function deleteFolder(state: SpaceState, random: Random): SpaceState | undefined {
  const folder = anyOf(state.folders, random);
  if (folder === undefined) return undefined;
  const gone = new Set([folder.id]);
  for (let before = 0; before !== gone.size; ) {
    before = gone.size;
    for (const { id, parentId } of state.folders.values()) if (gone.has(parentId)) gone.add(id);
  }
  const stories = new Map([...state.stories].filter(([, { parentId }]) => !gone.has(parentId)));
  if (stories.size <= 2) return undefined;
  const trash = new Map([...state.trash, ...[...state.stories].filter(([uuid]) => !stories.has(uuid))]);
  return { ...state, stories, trash, folders: new Map([...state.folders].filter(([id]) => !gone.has(id))) };
}

export function added(state: SpaceState, story: Story): SpaceState {
  return { ...state, stories: withItem(state.stories, story.uuid, story) };
}

export function withDraft(story: Story, ms: number, change: Partial<Content>): Story {
  return { ...story, updatedMs: ms, draft: { ...story.draft, ...change } };
}

export function saved(story: Story, ms: number, random: Random): Story {
  return withDraft(story, ms, { headline: `text ${random.int(1, 1e6)}` });
}

export function translated(story: Story, ms: number, state: SpaceState, random: Random): Story | undefined {
  if (state.languages.length === 0) return undefined;
  const language = random.pick(state.languages);
  return withDraft(story, ms, {
    translated: withItem(story.draft.translated, language, `${language} text ${random.int(1, 1e6)}`),
  });
}

/** Publishes the draft. Translations that are published individually keep what they were published with. */
export function published(story: Story, state: SpaceState, ms: number): Story {
  const content: PublishedContent = {
    ...story.draft,
    savedMs: story.updatedMs,
    languages: story.published?.languages ?? new Set(state.languages.slice(0, 1)),
  };
  return { ...story, published: content, publishedMs: ms, firstPublishedMs: story.firstPublishedMs ?? ms };
}

export function backDated(story: Story, ms: number): Story {
  return { ...story, publishedMs: ms, firstPublishedMs: ms };
}

/** Publishes what one language has. No date moves; the flag of the language in the links may be set already. */
export function publishTranslation(story: Story, state: SpaceState, random: Random): Story | undefined {
  if (story.published === null || state.languages.length === 0) return undefined;
  const language = random.pick(state.languages);
  const text = story.draft.translated.get(language);
  const now = story.published.translated;
  return {
    ...story,
    published: {
      ...story.published,
      languages: new Set([...story.published.languages, language]),
      translated: text === undefined ? now : withItem(now, language, text),
    },
  };
}

export function editEntry(state: SpaceState, random: Random): SpaceState | undefined {
  const at = random.int(0, state.datasources.length - 1);
  const datasource = state.datasources[at];
  if (datasource === undefined) return undefined;
  const value = `value ${random.int(1, 1e6)}`;
  const entries =
    datasource.entries.length === 0
      ? [entry(freshId(random), value)]
      : datasource.entries.map((old, index) =>
          index > 0
            ? old
            : {
                ...old,
                value,
                translated: new Map(datasource.dimensions.map(({ code }) => [code, `${code} ${value}`])),
              },
        );
  return { ...state, datasources: state.datasources.with(at, { ...datasource, entries }) };
}

/** Edits, removes or adds an entry anywhere in a list, or puts another one at its end in the place of one. */
export function editList(state: SpaceState, random: Random): SpaceState | undefined {
  const at = random.int(0, state.datasources.length - 1);
  const datasource = state.datasources[at];
  if (datasource === undefined) return undefined;
  const { entries } = datasource;
  const place = random.int(0, Math.max(0, entries.length - 1));
  const fresh = entry(freshId(random), `value ${random.int(1, 1e6)}`);
  const changed = random.pick([
    entries.map((old, index) => (index === place ? { ...old, value: fresh.value } : old)),
    entries.toSpliced(place, 1),
    [...entries, fresh],
    [...entries.toSpliced(place, 1), fresh],
  ]);
  return { ...state, datasources: state.datasources.with(at, { ...datasource, entries: changed }) };
}

export function addDatasource(state: SpaceState, random: Random): SpaceState {
  const datasource = { id: freshId(random), slug: `list-${random.int(1, 1e9)}`, dimensions: [], entries: [] };
  return { ...state, datasources: [...state.datasources, datasource] };
}

/** Renames a tag in every story that carries it: no date of theirs moves. */
export function renameTag(state: SpaceState, random: Random): SpaceState | undefined {
  const [from, to] = [random.pick(tags), random.pick(tags)];
  if (from === to) return undefined;
  const renamed = <C extends Content>(content: C): C => ({
    ...content,
    tags: [...new Set(content.tags.map((tag) => (tag === from ? to : tag)))],
  });
  const stories = [...state.stories.values()].map((story): Story => {
    return {
      ...story,
      draft: renamed(story.draft),
      published: story.published === null ? null : renamed(story.published),
    };
  });
  return { ...state, stories: new Map(stories.map((story) => [story.uuid, story])) };
}

export function entry(id: number, value: string) {
  return { id, name: `entry ${id}`, value, translated: new Map<string, string>() };
}

export function anyStory(state: SpaceState, random: Random): Story | undefined {
  return anyOf(state.stories, random);
}

export function anyFolder(state: SpaceState, random: Random): number {
  if (state.folders.size === 0 || random.chance(0.4)) return 0;
  return random.pick([...state.folders.keys()]);
}

export function anyOf<T>(items: ReadonlyMap<unknown, T>, random: Random): T | undefined {
  return items.size === 0 ? undefined : random.pick([...items.values()]);
}

function freshId(random: Random): number {
  return random.int(1_000_000, 9_000_000_000);
}

export function withItem<K, V>(map: ReadonlyMap<K, V>, key: K, value: V): Map<K, V> {
  return new Map(map).set(key, value);
}

export function without<K, V>(map: ReadonlyMap<K, V>, key: K): Map<K, V> {
  const rest = new Map(map);
  rest.delete(key);
  return rest;
}
