import { createRandom, type Random } from "../../test/support/model-space/random.js";

/** A space that people publish in, on a clock of its own. */
export interface LiveSpace {
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
  readonly cv: number;
  /** Everything that was published, oldest first. */
  readonly publishes: readonly Publish[];
  /** Lets time pass; what is published meanwhile is visible afterwards. */
  advanceTo(ms: number): void;
  /** One line of JSON a story and folder, in the order in which they were created. */
  links(): string[];
  /** JSON of a published story; undefined: there is none of that uuid. */
  story(uuid: string): string | undefined;
}

/** One press of the button. */
export interface Publish {
  uuid: string;
  atMs: number;
}

export interface LiveSpaceShape {
  stories: number;
  /** Someone publishes so often; undefined: nobody does. */
  everyMs: number | undefined;
  seed: string;
}

interface LiveStory {
  n: number;
  uuid: string;
  slug: string;
  publishedMs: number;
  link: string;
}

const startMs = Date.UTC(2026, 0, 5, 9);
const storiesPerFolder = 500;
/** The cv follows a publish within so many milliseconds. */
const longestCvDelayMs = 1_500;
/** What is worked on: so many stories that were published last. */
const recentStories = 20;

/** Stories of about 700 bytes, in folders of 500. Of ten publishes eight are of something that was published lately or before. */
export function createLiveSpace({ stories: count, everyMs, seed }: LiveSpaceShape): LiveSpace {
  const random = createRandom(seed);
  const stories = new Map<string, LiveStory>();
  const recent: string[] = [];
  const publishes: Publish[] = [];
  let nowMs = startMs;
  let cv = startMs / 1000 - 600;
  let due: { ms: number; happens: () => void }[] = [];

  const at = (ms: number, happens: () => void): void => {
    due.push({ ms, happens });
    due.sort((a, b) => a.ms - b.ms);
  };
  const put = (story: Omit<LiveStory, "link">): void => {
    stories.set(story.uuid, { ...story, link: linkText(story) });
  };
  const moveCv = (): void => {
    const delayMs = random.int(1, longestCvDelayMs);
    at(nowMs + delayMs, () => {
      cv = Math.max(cv, Math.floor(nowMs / 1000));
    });
  };

  function publish(): void {
    const kind = random.next();
    const uuid = kind < 0.08 ? create() : random.chance(0.7) && recent.length > 0 ? random.pick(recent) : anyOf();
    const story = stories.get(uuid);
    if (story === undefined) return;
    if (kind > 0.96) {
      stories.delete(uuid);
      recent.splice(0, recent.length, ...recent.filter((other) => other !== uuid));
    } else {
      put({ ...story, publishedMs: nowMs, slug: kind > 0.9 ? `renamed-${random.int(1, 1e9)}` : story.slug });
      publishes.push({ uuid, atMs: nowMs });
      recent.push(uuid);
      if (recent.length > recentStories) recent.shift();
    }
    moveCv();
  }

  function create(): string {
    const n = count + publishes.length;
    const uuid = random.uuid();
    put({ n, uuid, slug: `article-${n}`, publishedMs: nowMs });
    return uuid;
  }

  function anyOf(): string {
    return random.pick([...stories.keys()]);
  }

  for (let n = 0; n < count; n++) {
    put({ n, uuid: random.uuid(), slug: `article-${n}`, publishedMs: startMs - (count - n) * 60_000 });
  }
  if (everyMs !== undefined) publishEvery(everyMs, random.stream("pauses"));

  function publishEvery(ms: number, pauses: Random): void {
    at(nowMs + Math.round(ms * (0.5 + pauses.next())), () => {
      publish();
      publishEvery(ms, pauses);
    });
  }

  return {
    get nowMs() {
      return nowMs;
    },
    get cv() {
      return cv;
    },
    publishes,
    advanceTo(ms) {
      for (let next = due[0]; next !== undefined && next.ms <= ms; next = due[0]) {
        due = due.slice(1);
        nowMs = Math.max(nowMs, next.ms);
        next.happens();
      }
      nowMs = Math.max(nowMs, ms);
    },
    links: () => [
      ...Array.from({ length: Math.ceil(count / storiesPerFolder) }, (_, n) => folderText(n)),
      ...[...stories.values()].map(({ link }) => link),
    ],
    story(uuid) {
      const story = stories.get(uuid);
      return story === undefined ? undefined : storyText(story);
    },
  };
}

function folderOf(n: number): number {
  return Math.floor(n / storiesPerFolder);
}

function slugOf({ n, slug }: Pick<LiveStory, "n" | "slug">): string {
  return `section-${folderOf(n)}/${slug}`;
}

function dateOf(ms: number): string {
  return new Date(ms).toISOString();
}

function folderText(n: number): string {
  const uuid = `f0000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
  const slug = `section-${n}`;
  return JSON.stringify({ id: 100 + n, uuid, slug, parent_id: 0, name: slug, is_folder: true, published: false });
}

function linkText(story: Omit<LiveStory, "link">): string {
  const { n, uuid, publishedMs } = story;
  return JSON.stringify({
    id: 1_000_000 + n,
    uuid,
    slug: slugOf(story),
    path: null,
    parent_id: 100 + folderOf(n),
    name: `Article ${n}`,
    is_folder: false,
    published: true,
    is_startpage: false,
    position: 0,
    real_path: `/${slugOf(story)}`,
    published_at: dateOf(publishedMs),
    created_at: dateOf(startMs),
    updated_at: dateOf(publishedMs),
  });
}

function storyText(story: LiveStory): string {
  const { n, uuid, slug, publishedMs } = story;
  return JSON.stringify({
    name: `Article ${n}`,
    created_at: dateOf(startMs),
    published_at: dateOf(publishedMs),
    updated_at: dateOf(publishedMs),
    id: 1_000_000 + n,
    uuid,
    content: { _uid: uuid, component: "article", title: `Article ${n}`, text: `As published ${dateOf(publishedMs)}` },
    slug,
    full_slug: slugOf(story),
    sort_by_date: null,
    position: 0,
    tag_list: [],
    is_startpage: false,
    parent_id: 100 + folderOf(n),
    meta_data: null,
    group_id: uuid,
    first_published_at: dateOf(startMs),
    release_id: null,
    lang: "default",
    path: null,
    alternates: [],
    default_full_slug: null,
    translated_slugs: null,
  });
}
