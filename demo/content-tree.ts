import type { DemoStory, Slugs } from "./demo-story.js";
import type { FolderPlace } from "./link-records.js";
import { type Language, space } from "./space.js";
import type { SpaceState, StoryState } from "./space-state.js";
import { lastSegment, type StoryPlace, translatedSlugsOf } from "./story-place.js";
import { timesOf } from "./story-times.js";
import { writtenSpace } from "./written-space.js";

type Paths = StoryPlace["paths"];

/** The space before the first edit, with the id of each folder and story. */
export function initialState(): SpaceState {
  const { folders, stories, variants, datasources } = writtenSpace();
  const stateOf = (story: DemoStory, index: number): StoryState => ({
    story,
    id: storyId(story.date, index),
    times: timesOf(story),
  });
  return {
    cv: space.cv,
    folders: new Map(folders.map((folder, index) => [folder.path, { folder, id: idOf(folder.date, index) }])),
    stories: new Map(stories.map((story, index) => [story.path, stateOf(story, index)])),
    variants: variants.map((story, index) => stateOf(story, variantsFrom + index)),
    datasources,
  };
}

/** All folders, stories and variant stories of the space, each with its id, its parent and its path in each language. */
export function contentTree(state: SpaceState): {
  folders: FolderPlace[];
  stories: StoryPlace[];
  variants: StoryPlace[];
} {
  const byPath = new Map<string, FolderPlace>();
  for (const { folder, id, slug, renamedAt } of state.folders.values()) {
    const parent = byPath.get(parentPath(folder.path));
    byPath.set(folder.path, {
      folder,
      id,
      parentId: parent?.id ?? 0,
      paths: extend(parent?.paths, slug ?? lastSegment(folder.path), folder.slugs),
      renamedAt,
    });
  }
  const groups = new Map<string, StoryPlace[]>();
  const place = ({ story, id, times }: StoryState): StoryPlace => {
    const own = story.startpage === true ? byPath.get(story.path) : undefined;
    const parent = own ?? byPath.get(parentPath(story.path));
    const name = story.group ?? story.path;
    const group = groups.get(name) ?? [];
    const paths = own?.paths ?? extend(parent?.paths, lastSegment(story.path), story.slugs);
    const placed: StoryPlace = {
      story,
      id,
      parentId: parent?.id ?? 0,
      paths,
      times,
      translatedSlugs: translatedSlugsOf(story, paths),
      group,
    };
    group.push(placed);
    groups.set(name, group);
    return placed;
  };
  return {
    folders: [...byPath.values()],
    stories: [...state.stories.values()].map(place),
    variants: state.variants.map(place),
  };
}

/** The number of the first variant story, beyond those of all stories. */
const variantsFrom = 5000;

/** The id of a story: of its day and its number among the stories. */
export function storyId(date: string, number: number): number {
  return idOf(date, 1000 + number);
}

/** Ids of stories made since 2025 are larger than 2^32, as in spaces of today. */
function idOf(date: string, index: number): number {
  return date < "2025" ? 52_410_000 + index * 37 : 286_701_504_000_000 + index * 7919;
}

function parentPath(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** The path in each language: below the parent's, with the segment of the language where it has one. */
function extend(parent: Paths | undefined, segment: string, slugs: Slugs = {}): Paths {
  const join = (language: Language | "default", own: string) =>
    parent === undefined ? own : `${parent[language]}/${own}`;
  const paths: Paths = { default: join("default", segment), de: "", "pt-br": "" };
  for (const language of space.languages) paths[language] = join(language, slugs[language] ?? segment);
  return paths;
}
