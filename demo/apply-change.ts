import { storyId } from "./content-tree.js";
import type { DemoDatasource } from "./datasources.js";
import type { DemoStory } from "./demo-story.js";
import type { Change } from "./prepared-changes.js";
import type { Language } from "./space.js";
import type { SpaceState, StoryState } from "./space-state.js";
import { editTimes, type StoryTimes } from "./story-times.js";
import { withTranslation } from "./translated.js";

/**
 * The space after a change. Pure.
 *
 * @param cv Cv of the space since the change, in seconds since the epoch.
 * @returns Undefined where the change cannot be made: what it names is missing, already exists, or already has the value.
 */
export function applyChange(state: SpaceState, change: Change, cv: number): SpaceState | undefined {
  const edited = changed(state, change, cv);
  return edited === undefined ? undefined : { ...edited, cv };
}

function changed(state: SpaceState, change: Change, cv: number): SpaceState | undefined {
  switch (change.kind) {
    case "publish":
      return publish(state, change, cv);
    case "rename":
      return rename(state, change, cv);
    case "delete":
      return remove(state, change);
    case "create":
      return create(state, change, cv);
    case "translate":
      return translate(state, change, cv);
    case "datasource":
      return setEntry(state, change);
    case "unpublish":
      return change.isBack ? publishAgain(state, change.path, cv) : unpublish(state, change.path, cv);
  }
}

type Of<Kind extends Change["kind"]> = Extract<Change, { kind: Kind }>;

function publish(state: SpaceState, { path, name, content }: Of<"publish">, cv: number): SpaceState | undefined {
  return publishStory(state, path, cv, (story) => ({
    ...story,
    name: name ?? story.name,
    content: { ...story.content, ...content },
  }));
}

/** The stories below the folder move with it; their dates of publication stay. */
function rename(state: SpaceState, { path, slug }: Of<"rename">, cv: number): SpaceState | undefined {
  const found = state.folders.get(path);
  if (found === undefined) return undefined;
  const renamed = { ...found, slug, renamedAt: editTimes(cv).updated };
  return { ...state, folders: new Map(state.folders).set(path, renamed) };
}

/** Relations and links to the story stay as they are, and lead nowhere from then on. */
function remove(state: SpaceState, { path }: Of<"delete">): SpaceState | undefined {
  const stories = new Map(state.stories);
  return stories.delete(path) ? { ...state, stories } : undefined;
}

/** The story is a draft from then on, as it was. */
function unpublish(state: SpaceState, path: string, cv: number): SpaceState | undefined {
  const found = state.stories.get(path);
  if (found === undefined || found.story.state !== undefined) return undefined;
  const story: DemoStory = { ...found.story, state: "withdrawn" };
  const times = { ...found.times.draft, published: null, updated: editTimes(cv).updated };
  return {
    ...state,
    stories: new Map(state.stories).set(path, { ...found, story, times: { published: times, draft: times } }),
  };
}

function publishAgain(state: SpaceState, path: string, cv: number): SpaceState | undefined {
  const found = state.stories.get(path);
  if (found?.story.state !== "withdrawn") return undefined;
  const { state: _, ...story } = found.story;
  const times = publishedNow(found.times.draft, cv);
  return { ...state, stories: new Map(state.stories).set(path, { ...found, story, times }) };
}

function create(state: SpaceState, { story, number }: Of<"create">, cv: number): SpaceState | undefined {
  if (state.stories.has(story.path)) return undefined;
  const { published, updated } = editTimes(cv);
  const times = publishedNow({ created: published, published, firstPublished: published, updated }, cv);
  const made: StoryState = { story, id: storyId(story.date, createdFrom + number), times };
  return { ...state, stories: new Map(state.stories).set(story.path, made) };
}

/** The number of the first story that an editor creates; stories that are written have smaller ones. */
const createdFrom = 8000;

/** Publishes a translation, and with it the story. */
function translate(state: SpaceState, change: Of<"translate">, cv: number): SpaceState | undefined {
  const { path, language, slug, name, content } = change;
  if (state.stories.get(path)?.story.translations?.includes(language)) return undefined;
  return publishStory(state, path, cv, (story) => ({
    ...story,
    name: withTranslation(story.name, language, name),
    slugs: { ...story.slugs, [language]: slug },
    translations: [...(story.translations ?? []), language],
    content: { ...story.content, ...translatedFields(story, language, content) },
  }));
}

function translatedFields(story: DemoStory, language: Language, content: Record<string, string>) {
  const fields = Object.entries(content).map(([field, value]) => [
    field,
    withTranslation(story.content[field], language, value),
  ]);
  return Object.fromEntries(fields);
}

/** Changes the value of an entry, or adds the entry; a language without a value of its own keeps none. */
function setEntry(state: SpaceState, { datasource, entry, value }: Of<"datasource">): SpaceState | undefined {
  const found = state.datasources.find(({ record }) => record.slug === datasource);
  if (found === undefined || found.rows.some(([name, old]) => name === entry && old === value)) return undefined;
  const isNew = found.rows.every(([name]) => name !== entry);
  const rows: DemoDatasource["rows"] = isNew
    ? [...found.rows, [entry, value]]
    : found.rows.map((row) => (row[0] === entry ? [entry, value, row[2] ?? "", row[3] ?? ""] : row));
  const datasources = state.datasources.map((source) => (source === found ? { ...source, rows } : source));
  return { ...state, datasources };
}

/**
 * The space after the draft of a published story is published.
 *
 * @param edit Changes the draft before that.
 * @returns Undefined where there is no published story at the path.
 */
function publishStory(
  state: SpaceState,
  path: string,
  cv: number,
  edit: (story: DemoStory) => DemoStory,
): SpaceState | undefined {
  const found = state.stories.get(path);
  if (found === undefined || found.story.state !== undefined) return undefined;
  const { draft, ...published } = found.story;
  const content = { ...published.content, ...draft?.content };
  const story = edit({ ...published, name: draft?.name ?? published.name, content });
  const times = publishedNow(found.times.published, cv);
  return { ...state, stories: new Map(state.stories).set(path, { ...found, story, times }) };
}

function publishedNow(before: StoryTimes, cv: number): StoryState["times"] {
  const times = { ...before, ...editTimes(cv), firstPublished: before.firstPublished ?? editTimes(cv).published };
  return { published: times, draft: times };
}
