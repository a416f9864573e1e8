import { folderCount, folderText, linkText, type SpaceStory, storyAt, storyText } from "./records.js";

export interface SpaceShape {
  stories: number;
  languages: string[];
  /** Small stories that are made anew for every answer, so that the server keeps none; one language. */
  isNumbered?: boolean;
}

/** What the space holds, as bytes that are ready to be sent. */
export interface PreparedSpace {
  readonly cv: number;
  /** Bodies of a page of stories: all of one language, in listing order. */
  storyPage(language: string, page: number, perPage: number): Buffer[];
  /** Bodies of those of these stories that exist. */
  storiesByUuid(language: string, uuids: readonly string[]): Buffer[];
  /** Lines by uuid, each behind its name. */
  linksPage(page: number, perPage: number): { rows: Buffer[]; total: number };
  readonly total: number;
  /** Publishes `count` articles anew, or the author with this number; the cv moves by one. */
  edit(change: { articles: number } | { author: number }): void;
}

/** Prepares all bytes of a space: about 3 KB a story and language. */
export function prepareSpace({ stories: count, languages }: SpaceShape): PreparedSpace {
  // Old enough to be read at by the server's clock.
  let cv = Math.floor(Date.now() / 1000) - 10_000;
  let edits = 0;
  const stories: SpaceStory[] = [];
  const numbers = new Map<string, number>();
  const links: Buffer[] = [];
  const records = new Map<string, Buffer[]>();
  const write = (n: number): void => {
    const story = stories[n]!;
    links[n] = member(linkText(n, story));
    for (const language of ["default", ...languages]) {
      const texts = records.get(language) ?? [];
      texts[n] = Buffer.from(storyText(n, story, language));
      records.set(language, texts);
    }
  };
  for (let n = 0; n < count; n++) {
    const story = storyAt(n);
    stories.push(story);
    numbers.set(story.uuid, n);
    write(n);
  }
  const folders = Array.from({ length: folderCount(count) }, (_, n) => member(folderText(n)));

  return {
    get cv() {
      return cv;
    },
    total: count,
    storyPage(language, page, perPage) {
      return (records.get(language) ?? []).slice((page - 1) * perPage, page * perPage);
    },
    storiesByUuid(language, uuids) {
      const texts = records.get(language) ?? [];
      return uuids.flatMap((uuid) => {
        const n = numbers.get(uuid);
        return n === undefined ? [] : [texts[n]!];
      });
    },
    linksPage(page, perPage) {
      const from = (page - 1) * perPage;
      const rows: Buffer[] = folders.slice(from, from + perPage);
      if (rows.length < perPage) {
        const start = Math.max(0, from - folders.length);
        rows.push(...links.slice(start, start + perPage - rows.length));
      }
      return { rows, total: folders.length + links.length };
    },
    edit(change) {
      cv++;
      edits++;
      const numbersToEdit =
        "author" in change
          ? [change.author]
          : Array.from({ length: change.articles }, (_, at) => ((edits * 37 + at * 101) % (count - 1)) + 1);
      for (const n of numbersToEdit) {
        const story = stories[n]!;
        stories[n] = {
          ...story,
          revision: story.revision + 1,
          publishedAt: new Date(Date.parse(story.publishedAt) + 1_000).toISOString(),
        };
        write(n);
      }
    },
  };
}

/** A line as a member of the map that the listing is: under its uuid. */
function member(line: string): Buffer {
  const { uuid } = JSON.parse(line) as { uuid: string };
  return Buffer.from(`"${uuid}":${line}`);
}
