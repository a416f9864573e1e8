import { Lru } from "../../lib/collections/lru.js";
import type { Problem } from "../../lib/errors.js";
import type { EditionEntry } from "../../snapshot/manifest.js";
import type { NotedReader } from "../../snapshot/reader/reader.js";
import { createStoryResolver, type ResolvedStory, type StoryResolver } from "../render/resolve-story.js";
import { haveSameAddresses } from "./asset-location.js";
import type { ContentInputs } from "./content-inputs.js";

/** Stories wait for their pages until their lines have so many characters together. */
const waitingCharacters = 1 << 20;

/** The stories of one edition, resolved for its files. */
export interface EditionStories {
  /** For a line of JSON, at the path of its file: numbers keep their text. */
  forLine(uuid: string, path: string): StoryForLine | undefined;
  /** For the Markdown file at a path: the waiting story, or the story resolved again; reads and reports are the same. */
  forPage(uuid: string, path: string): ResolvedStory | undefined;
  /** The site's URL of a story of this edition. */
  url: StoryResolver["url"];
}

export interface StoryForLine {
  story: ResolvedStory;
  /** Lets it wait for its page. Only for a story in which every number is plain. @param characters of its line */
  waitForPage(characters: number): void;
}

/** Resolves each story once for its line and its page, where the page is made soon after the line. */
export function editionStories(inputs: ContentInputs, edition: EditionEntry): EditionStories {
  const { config, assetUrl, blocks } = inputs;
  // A renderer of the caller's may change the blocks that it is given.
  const havePages = config.content.formats.includes("markdown") && blocks.size === 0;
  const waiting = new Lru<string, WaitingStory>(waitingCharacters, ({ characters }) => characters);
  const plain = createStoryResolver(inputs, edition);
  const exact = repeatableStories(inputs, edition);
  return {
    forLine(uuid, path) {
      const found = exact(uuid, path);
      if (found === undefined) return undefined;
      return {
        story: found.story,
        waitForPage(characters) {
          if (havePages) waiting.set(uuid, { ...found, characters });
        },
      };
    },
    forPage(uuid, path) {
      const found = waiting.get(uuid);
      waiting.delete(uuid);
      if (!found?.isFor(path)) return plain.story(uuid, (url) => assetUrl(url, path));
      found.repeat();
      return found.story;
    },
    url: plain.url,
  };
}

/** A story as it is resolved for one file. */
interface RepeatableStory {
  story: ResolvedStory;
  /** True if it would be the same in the file at another path. */
  isFor(path: string): boolean;
  /** Repeats the reads and reports of resolving it. */
  repeat(): void;
}

interface WaitingStory extends RepeatableStory {
  /** Of its line. */
  characters: number;
}

/** Resolves stories with the text of every number. */
function repeatableStories(
  { read, config, target, assetUrl, report }: ContentInputs,
  edition: EditionEntry,
): (uuid: string, path: string) => RepeatableStory | undefined {
  let reported: Problem[] = [];
  const reportNow = (problem: Problem): void => {
    reported.push(problem);
    report(problem);
  };
  const resolver = createStoryResolver({ read: withExactNumbers(read), config, target, report: reportNow }, edition);
  return (uuid, path) => {
    const problems: Problem[] = [];
    reported = problems;
    let showsAssets = false;
    const address = (url: string): string | undefined => {
      const found = assetUrl(url, path);
      showsAssets ||= found !== undefined;
      return found;
    };
    const { result: story, readAgain } = read.recorded(() => resolver.story(uuid, address));
    if (story === undefined) return undefined;
    return {
      story,
      isFor: (other) => !showsAssets || haveSameAddresses(config, path, other),
      repeat() {
        readAgain();
        for (const problem of problems) report(problem);
      },
    };
  };
}

function withExactNumbers(read: NotedReader): NotedReader {
  return {
    ...read,
    story: (edition, uuid) => read.story(edition, uuid, { exact: true }),
    assetMetadata: (id) => read.assetMetadata(id, { exact: true }),
  };
}
