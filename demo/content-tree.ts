import type { DemoFolder, DemoStory } from "./demo-story.js";
import type { FolderPlace } from "./link-records.js";
import { type Language, space } from "./space.js";
import { aboutFolders, aboutStories } from "./stories/about.js";
import { austriaFolders, austriaStories } from "./stories/austria.js";
import { authorFolders, authorStories } from "./stories/authors.js";
import { bookFolders, bookSeriesStories } from "./stories/book-series.js";
import { bookStories } from "./stories/books.js";
import { eventFolders, eventStories } from "./stories/events.js";
import { glossaryFolders, glossaryStories } from "./stories/glossary.js";
import { helpFolders, helpStories } from "./stories/help.js";
import { homeStory, releaseStories, variants } from "./stories/home.js";
import { journalFolders, journalStories } from "./stories/journal.js";
import { pressFolders, pressStories } from "./stories/press.js";
import { readingListFolders, readingListStories } from "./stories/reading-lists.js";
import { shopFolders, shopStories } from "./stories/shops.js";
import { styleGuideFolders, styleGuideStories } from "./stories/style-guide.js";
import { subjectFolders, subjectStories } from "./stories/subjects.js";
import { type StoryPlace, translatedSlugsOf } from "./story-place.js";
import { timesOf } from "./story-times.js";

const folders: readonly DemoFolder[] = [
  ...aboutFolders,
  ...bookFolders,
  ...authorFolders,
  ...subjectFolders,
  ...shopFolders,
  ...helpFolders,
  ...glossaryFolders,
  ...readingListFolders,
  ...journalFolders,
  ...styleGuideFolders,
  ...pressFolders,
  ...eventFolders,
  ...austriaFolders,
];

const stories: readonly DemoStory[] = [
  homeStory,
  ...aboutStories,
  ...bookSeriesStories,
  ...bookStories,
  ...authorStories,
  ...subjectStories,
  ...shopStories,
  ...helpStories,
  ...glossaryStories,
  ...readingListStories,
  ...journalStories,
  ...styleGuideStories,
  ...pressStories,
  ...eventStories,
  ...austriaStories,
  ...releaseStories,
];

type Paths = StoryPlace["paths"];

/** All folders, stories and variant stories of the space, each with its id, its parent and its path in each language. */
export function contentTree(): { folders: FolderPlace[]; stories: StoryPlace[]; variants: StoryPlace[] } {
  const byPath = new Map<string, FolderPlace>();
  for (const [index, folder] of folders.entries()) {
    const parent = byPath.get(parentPath(folder.path));
    byPath.set(folder.path, {
      folder,
      id: idOf(folder.date, index),
      parentId: parent?.id ?? 0,
      paths: extend(parent?.paths, folder.path, folder.slugs),
    });
  }
  const groups = new Map<string, StoryPlace[]>();
  const place = (story: DemoStory, index: number): StoryPlace => {
    const own = story.startpage === true ? byPath.get(story.path) : undefined;
    const parent = own ?? byPath.get(parentPath(story.path));
    const name = story.group ?? story.path;
    const group = groups.get(name) ?? [];
    const paths = own?.paths ?? extend(parent?.paths, story.path, story.slugs);
    const placed: StoryPlace = {
      story,
      id: idOf(story.date, 1000 + index),
      parentId: parent?.id ?? 0,
      paths,
      times: timesOf(story),
      translatedSlugs: translatedSlugsOf(story, paths),
      group,
    };
    group.push(placed);
    groups.set(name, group);
    return placed;
  };
  return {
    folders: [...byPath.values()],
    stories: stories.map(place),
    variants: variants.map((story, index) => place(story, 5000 + index)),
  };
}

/** Ids of stories made since 2025 are larger than 2^32, as in spaces of today. */
function idOf(date: string, index: number): number {
  return date < "2025" ? 52_410_000 + index * 37 : 286_701_504_000_000 + index * 7919;
}

function parentPath(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

function extend(
  parent: Paths | undefined,
  path: string,
  slugs: { [language in Language]?: string } | undefined,
): Paths {
  const last = path.slice(path.lastIndexOf("/") + 1);
  const join = (before: string | undefined, segment: string) =>
    before === undefined ? segment : `${before}/${segment}`;
  const paths: Paths = { default: path, de: "", "pt-br": "" };
  for (const language of space.languages) paths[language] = join(parent?.[language], slugs?.[language] ?? last);
  return paths;
}
