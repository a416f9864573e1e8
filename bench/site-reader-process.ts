import { openSnapshot, type Snapshot, type StoryReference } from "../src/index.js";
import { storyAt } from "./space/records.js";

/**
 * What site code asks of a large snapshot, as a process of its own; prints one line of JSON. `slugs <dir> <stories>`
 * opens it and asks for stories by slug, `iterate <dir>` goes through all, `iterate <dir> stored` as they are stored,
 * `pages <dir>` reads a thousand pages, without and with key and tags.
 */
const [mode = "", dir = "", more = ""] = process.argv.slice(2);

export interface SlugsTold {
  openMs: number;
  /** The first story by slug, when nothing is in memory. */
  firstMs: number;
  /** Median of a thousand others, which lie far apart. */
  slugMs: number;
  /** Memory beyond that of the program when it was loaded. */
  addedBytes: number;
}

const tell = (told: object): void => void process.stdout.write(`${JSON.stringify(told)}\n`);

async function slugs(): Promise<void> {
  const slugAt = (place: number): string => storyAt((place * 7_919) % Number(more)).fullSlug;
  const loadedBytes = process.memoryUsage().rss;
  const startedMs = performance.now();
  await using snapshot = await openSnapshot(dir);
  const openMs = performance.now() - startedMs;
  await snapshot.story(slugAt(1));
  const firstMs = performance.now() - startedMs - openMs;
  const times: number[] = [];
  for (let place = 2; place < 1_002; place++) {
    const askedMs = performance.now();
    if ((await snapshot.story(slugAt(place))) === undefined) throw new Error(`no ${slugAt(place)}`);
    times.push(performance.now() - askedMs);
  }
  const slugMs = times.sort((a, b) => a - b)[500]!;
  const told: SlugsTold = { openMs, firstMs, slugMs, addedBytes: process.memoryUsage().rss - loadedBytes };
  tell(told);
}

async function iterate(): Promise<void> {
  const startedMs = performance.now();
  await using snapshot = await openSnapshot(dir);
  let found = 0;
  const stories = snapshot.stories({ order: "stored" }, { resolve: more !== "stored" });
  for await (const { content } of stories) found += content.component === "" ? 0 : 1;
  tell({ ms: performance.now() - startedMs, found });
}

/** Pages with the rows of their folder and a language switcher, without and with tracking: in turns, on the same machine. */
async function pages(): Promise<void> {
  await using snapshot = await openSnapshot(dir);
  const rows = await snapshot.references();
  const read = async (s: Snapshot, { uuid, full_slug }: StoryReference) => {
    await s.story({ uuid });
    await s.references({ startsWith: full_slug.slice(0, full_slug.indexOf("/") + 1) });
    await s.translations(uuid);
  };
  const times = [0, 0];
  for (let place = 0; place < 1_000; place++) {
    const row = rows[(place * 7) % rows.length]!;
    await read(snapshot, row);
    // Which of them is first alternates: the second one finds more in memory.
    for (const turn of place % 2 === 0 ? [0, 1] : [1, 0]) {
      const startedMs = performance.now();
      await (turn === 0 ? read(snapshot, row) : snapshot.track((s) => read(s, row)));
      times[turn]! += performance.now() - startedMs;
    }
  }
  tell({ plainMs: times[0], trackedMs: times[1] });
}

const modes: Record<string, () => Promise<void>> = { slugs, iterate, pages };
await modes[mode]?.();
