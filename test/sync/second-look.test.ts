import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadState, type SecondLook, saveState } from "../../src/snapshot/state.js";
import { createMemoryStore } from "../../src/snapshot/store/memory-store.js";
import {
  boundedLooks,
  dueAtMs,
  dueLooks,
  lookAfter,
  secondLookAfterMs,
} from "../../src/sync/crawl/stories/second-look.js";
import { sync } from "../../src/sync/sync.js";
import { readSnapshot } from "../simulation/snapshot-lines.js";
import { initialSpace } from "../support/model-space/edits.js";
import type { Lags } from "../support/model-space/lags.js";
import { createModelSpace } from "../support/model-space/model-space.js";
import { calm, createModelUpstream, type ModelUpstream } from "../support/model-space/model-upstream.js";
import { createRandom } from "../support/model-space/random.js";
import { type ModelServer, startModelServer } from "../support/model-space/serve-model-upstream.js";
import { newStory, published, saved, withItem } from "../support/model-space/story-changes.js";
import { sampleConfig } from "../support/sample-config.js";

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

const startMs = Date.UTC(2026, 0, 5, 9);

/** What an answer of the model holds. */
interface Body {
  cv?: number;
  stories?: Record<string, unknown>[];
  links?: Record<string, unknown>[] | Record<string, Record<string, unknown>>;
  datasources?: Record<string, unknown>[];
}

/** A space of twelve stories on its own clock, with one edge, and a store that is synced from it. */
function laggingSpace(lags: Lags, settleMs = 2_000, held: { holdsCv?: boolean; longestLagMs?: number } = {}) {
  const random = createRandom("second look");
  const dialect = {
    cvBy: "redirect" as const,
    longestLagMs: 0,
    rootParent: 0 as const,
    startpageSlashInLinks: false,
    translationsIndividually: false,
    linkAlternates: false,
    translatableSlugs: false,
    savesShow: false,
    totalOnLinks: true,
    linksPageCap: 1_000,
    storiesPageCap: 100,
    datasourcesRedirect: true,
    renamesTags: true,
    lags,
    ...held,
  };
  const start = initialSpace(startMs, random, { stories: 12, languages: 0 });
  const space = createModelSpace(start, dialect, startMs, random);
  const upstream = createModelUpstream(space, 1, "model-token", random);
  upstream.weather = calm;
  const store = createMemoryStore();
  const source = {
    ...sampleConfig.source,
    url: server.url,
    token: "model-token",
    versions: ["published" as const],
    settleMs,
    recheckMs: 86_400_000,
  };
  const config = {
    ...sampleConfig,
    source,
    queue: { ...sampleConfig.queue, rateLimit: false as const, timeoutMs: 10_000 },
  };
  /** Alters the body of an answer on its way; undefined leaves it as it is. */
  const state: { alters: ((path: string, body: Body) => void) | undefined; has404: string } = {
    alters: undefined,
    has404: "",
  };
  const altered: ModelUpstream = {
    ...upstream,
    handle(method, url) {
      const answer = upstream.handle(method, url);
      if (state.has404 !== "" && url.pathname.endsWith(state.has404)) return { ...answer, status: 404, body: "{}" };
      if (state.alters === undefined || answer.status !== 200) return answer;
      const body = JSON.parse(String(answer.body)) as Body;
      const before = body.stories?.length ?? 0;
      state.alters(url.pathname, body);
      const removed = before - (body.stories?.length ?? 0);
      const total = String(Number(answer.headers.total) - removed);
      const headers = removed === 0 ? answer.headers : { ...answer.headers, total };
      return { ...answer, headers, body: JSON.stringify(body) };
    },
  };
  const run = async (more: { full?: boolean } = {}) => {
    server.serve(altered);
    const from = upstream.requests;
    const report = await sync({
      ...more,
      config: { ...config, content: { ...config.content, formats: [] } },
      output: {
        dir: "/output",
        store,
        lock: async () => ({ assertHeld: async () => {}, release: async () => {} }) as never,
      },
      pacing: { sleep: async (ms) => space.advance(ms), now: () => space.nowMs, random: () => 0.5 },
    });
    return { ...report, asked: upstream.requests - from };
  };
  const edit = (at: number) =>
    space.write("publish", true, (state, ms) => {
      const story = [...state.stories.values()].filter(({ publishedMs }) => publishedMs !== undefined)[at];
      if (story === undefined) return undefined;
      const next = published(saved(story, ms, random), state, ms);
      return { ...state, stories: withItem(state.stories, story.uuid, next) };
    });
  const create = () => {
    const own = createRandom("created");
    let uuid = "";
    space.write("create", true, (state, ms) => {
      const story = published(newStory(state, ms, own), state, ms);
      uuid = story.uuid;
      return { ...state, stories: withItem(state.stories, uuid, story) };
    });
    return uuid;
  };
  const pointer = async () => JSON.parse(Buffer.from((await store.get("manifest.json")) ?? []).toString());
  return { space, upstream, store, run, edit, create, pointer, state };
}

describe("a commit of a space whose parts may lag", () => {
  test("is confirmed by the first sync a minute later, which writes no generation, and from then on a sync takes one request", async () => {
    const { space, run, pointer } = laggingSpace({});
    expect(await run()).toMatchObject({ outcome: "committed", consistency: "exact", confirmed: false });
    expect(await pointer()).toMatchObject({ generation: 1, confirmed: false, assumedLagMs: 1_000 });
    space.advance(20_000);
    expect(await run()).toMatchObject({ outcome: "unchanged", confirmed: false, asked: 1 });
    space.advance(40_000);
    expect(await run()).toMatchObject({ outcome: "unchanged", generation: 1, confirmed: true });
    expect(await pointer()).toMatchObject({ generation: 1, confirmed: true, assumedLagMs: 60_000 });
    space.advance(60_000);
    expect(await run()).toMatchObject({ outcome: "unchanged", confirmed: true, asked: 1 });
  });

  test("requests again all that it has read, and nothing else", async () => {
    const { space, upstream, run, edit } = laggingSpace({});
    await run();
    space.advance(3_600_000);
    await run();
    edit(3);
    space.advance(5_000);
    expect(await run()).toMatchObject({ outcome: "committed", stories: { changed: 1 }, confirmed: false });
    space.advance(61_000);
    const from = upstream.log.length;
    expect(await run()).toMatchObject({ outcome: "unchanged", confirmed: true });
    const batches = upstream.log.slice(from).filter((line) => line.includes("by_uuids"));
    const edited = [...space.state.stories.values()].filter(({ publishedMs }) => publishedMs !== undefined)[3]?.uuid;
    expect(batches).toHaveLength(1);
    expect(batches[0]).toContain(edited);
  });

  test.each([
    { publishes: 0, name: "no other publish" },
    { publishes: 6, name: "six publishes" },
  ])("of a row whose story lags behind is not confirmed until the story comes ($name)", async ({ publishes }) => {
    const { space, run, edit, create, pointer } = laggingSpace({ batches: { longestMs: 5_500, steady: true } });
    space.advance(60_000);
    await run();
    const before = (await pointer()).parts["stories/published/default"].records;
    space.advance(120_000);
    create();
    space.advance(1_000);
    // It is a second look at the first reading, too, which asks for what was published lately.
    expect(await run()).toMatchObject({ outcome: "committed", confirmed: false });
    expect((await pointer()).parts["stories/published/default"].records).toBe(before);
    for (let count = 0; count < publishes; count++) {
      edit(count);
      space.advance(7_000);
      await run();
    }
    space.advance(70_000);
    await run();
    expect((await pointer()).parts["stories/published/default"].records).toBe(before + 1);
    space.advance(70_000);
    expect(await run()).toMatchObject({ outcome: "unchanged", confirmed: true });
  });

  test("of a row whose story never comes is checked ever more rarely, and never confirmed", async () => {
    const { space, upstream, run, create, pointer, state } = laggingSpace({});
    await run();
    space.advance(61_000);
    await run();
    const uuid = create();
    state.alters = (_path, body) => {
      if (body.stories !== undefined) body.stories = body.stories.filter((story) => story.uuid !== uuid);
    };
    space.advance(5_000);
    await run();
    const from = upstream.requests;
    for (let hour = 0; hour < 24; hour += 1 / 6) {
      space.advance(600_000);
      await run();
    }
    expect(await pointer()).toMatchObject({ confirmed: false });
    // A probe each time, and about thirty looks of some fifteen requests.
    expect(upstream.requests - from).toBeLessThan(144 + 32 * 16);
    state.alters = undefined;
    space.advance(65 * 60_000);
    expect(await run()).toMatchObject({ outcome: "committed" });
    space.advance(61_000);
    expect(await run()).toMatchObject({ confirmed: true });
  });

  test("that was torn is repaired by it", async () => {
    const { space, run, edit } = laggingSpace({ links: { longestMs: 20_000, steady: true } });
    space.advance(60_000);
    await run();
    space.advance(70_000);
    await run();
    edit(2);
    space.advance(5_000);
    // The index does not show the edit yet, and the cv has moved long ago.
    expect(await run()).toMatchObject({ outcome: "unchanged", consistency: "exact", confirmed: false });
    space.advance(30_000);
    expect(await run()).toMatchObject({ outcome: "unchanged", asked: 1 });
    space.advance(31_000);
    expect(await run()).toMatchObject({ outcome: "committed", stories: { changed: 1 }, confirmed: false });
    space.advance(61_000);
    expect(await run()).toMatchObject({ outcome: "unchanged", confirmed: true });
  });

  test("is checked even if the note of its reading was lost", async () => {
    const { space, store, run, edit, pointer } = laggingSpace({});
    await run();
    edit(1);
    space.advance(5_000);
    await run();
    await store.remove(".state.json");
    space.advance(61_000);
    expect(await run()).toMatchObject({ outcome: "unchanged", confirmed: true });
    expect(await pointer()).toMatchObject({ confirmed: true });
  });

  test.each([0, 3])("is checked under another address than it was read at, in any second (%i)", async (digit) => {
    const { space, run, edit } = laggingSpace({ links: { longestMs: 20_000, steady: true } });
    space.advance(60_000);
    await run();
    space.advance(70_000);
    await run();
    edit(2);
    space.advance(5_000);
    expect(await run()).toMatchObject({ outcome: "unchanged", confirmed: false });
    space.advance(61_000);
    while (Math.floor(space.nowMs / 1_000) % 10 !== digit) space.advance(1_000);
    expect(await run()).toMatchObject({ outcome: "committed", stories: { changed: 1 } });
  });

  test("of an upstream without a links listing bypasses the edges' copies, too", async () => {
    const { space, run, edit, state } = laggingSpace({ pages: { longestMs: 20_000, steady: true } });
    state.has404 = "/links";
    space.advance(60_000);
    await run();
    space.advance(70_000);
    await run();
    edit(2);
    space.advance(5_000);
    expect(await run()).toMatchObject({ outcome: "unchanged", confirmed: false });
    space.advance(61_000);
    expect(await run()).toMatchObject({ outcome: "committed", stories: { changed: 1 } });
  });

  test("is checked together with an unusable record", async () => {
    const { space, run, edit, state } = laggingSpace({});
    edit(2);
    const uuid = [...space.state.stories.values()].filter(({ publishedMs }) => publishedMs !== undefined)[2]?.uuid;
    state.alters = (_path, { stories = [] }) => {
      for (const story of stories) if (story.uuid === uuid) story.alternates = [null];
    };
    space.advance(5_000);
    expect((await run()).problems).toMatchObject([{ code: "FIELD_UNUSABLE" }]);
    space.advance(61_000);
    expect(await run()).toMatchObject({ outcome: "unchanged", confirmed: true });
  });

  test("reports the problems of five records until each of them has changed", async () => {
    const { space, run, edit, state } = laggingSpace({});
    const uuids = [...space.state.stories.values()].flatMap((story) =>
      story.publishedMs === undefined ? [] : [story.uuid],
    );
    const wrong = new Set(uuids.slice(0, 5));
    state.alters = (_path, { stories = [] }) => {
      for (const story of stories) if (wrong.has(String(story.uuid))) story.tag_list = "none";
    };
    const about = ({ problems }: Awaited<ReturnType<typeof run>>) =>
      problems.flatMap(({ code, count, about }) => [code, count, about?.uuids.length]);
    space.advance(60_000);
    expect(about(await run())).toEqual(["FIELD_UNUSABLE", 5, 5]);
    edit(6);
    space.advance(61_000);
    expect(about(await run())).toEqual(["FIELD_UNUSABLE", 5, 5]);
    const mended = uuids[4] ?? "";
    wrong.delete(mended);
    edit(4);
    space.advance(61_000);
    expect(about(await run())).toEqual(["FIELD_UNUSABLE", 4, 4]);
  });

  test("with a record that differs in every answer is not checked for ever", async () => {
    const { space, run, edit, state } = laggingSpace({});
    let answers = 0;
    const uuid = [...space.state.stories.values()].filter(({ publishedMs }) => publishedMs !== undefined)[1]?.uuid;
    state.alters = (_path, { stories = [] }) => {
      for (const story of stories) if (story.uuid === uuid) story.meta_data = { signed: answers++ };
    };
    space.advance(60_000);
    await run();
    edit(1);
    const asked: number[] = [];
    for (let count = 0; count < 10; count++) {
      space.advance(300_000);
      asked.push((await run()).asked);
    }
    expect(asked.slice(-3)).toEqual([1, 1, 1]);
  });

  test("of the other parts alone is not confirmed by the sync that makes it", async () => {
    const { space, run, pointer, state } = laggingSpace({});
    await run();
    space.advance(61_000);
    expect(await run()).toMatchObject({ confirmed: true });
    state.alters = (_path, { datasources = [] }) => {
      for (const datasource of datasources) datasource.name = "Renamed without a new cv";
    };
    space.advance(86_500_000);
    expect(await run()).toMatchObject({ outcome: "committed", generation: 2 });
    expect(await pointer()).toMatchObject({ confirmed: false, assumedLagMs: 1_000 });
    space.advance(61_000);
    expect(await run()).toMatchObject({ outcome: "unchanged", confirmed: true });
  });

  test.each([{ full: false }, { full: true }])(
    "keeps the folder and the story whose rows have lost their uuid (full: $full)",
    async ({ full }) => {
      const { space, run, edit, pointer, state } = laggingSpace({});
      await run();
      space.advance(61_000);
      await run();
      const before = (await pointer()).parts["links/published"].records;
      const lost = new Set<unknown>();
      state.alters = (path, { links = [] }) => {
        if (!path.endsWith("/links")) return;
        const rows = Object.values(links);
        for (const isFolder of [true, false]) lost.add(rows.find((row) => row.is_folder === isFolder)?.uuid);
        for (const row of rows) if ([...lost].slice(0, 2).includes(row.uuid)) row.uuid = null;
      };
      edit(2);
      space.advance(5_000);
      await run({ full });
      space.advance(61_000);
      await run({ full });
      expect((await pointer()).parts["links/published"].records).toBe(before);
    },
  );

  test("needs no second look if nothing is expected to lag", async () => {
    const { space, run, pointer } = laggingSpace({}, 0);
    expect(await run()).toMatchObject({ outcome: "committed", confirmed: true });
    expect(await pointer()).not.toHaveProperty("confirmed");
    space.advance(61_000);
    expect(await run()).toMatchObject({ outcome: "unchanged", asked: 1 });
  });
});

describe("a sync after one that kept the previous generation", () => {
  test("uses addresses for which no edge has a late answer", async () => {
    const { space, run, pointer } = laggingSpace({ batches: { longestMs: 20_000, steady: true } });
    space.advance(60_000);
    await run();
    space.advance(70_000);
    await run();
    const before = (await pointer()).parts["stories/published/default"].records;
    space.write("delete", true, (state) => {
      const uuid = [...state.stories.values()].find(({ published: now }) => now !== null)?.uuid ?? "";
      return { ...state, stories: new Map([...state.stories].filter(([one]) => one !== uuid)) };
    });
    space.advance(1_000);
    // The rounds last about fifteen seconds: each of them is answered with the story that the index lists no more.
    expect(await run()).toMatchObject({ outcome: "kept" });
    space.advance(300_000);
    expect(await run()).toMatchObject({ outcome: "committed", consistency: "exact", stories: { removed: 1 } });
    expect((await pointer()).parts["stories/published/default"].records).toBe(before - 1);
  });
});

describe("an answer of a lagging origin, which says that its cv is older", () => {
  test.each([{ settleMs: 0 }, { settleMs: 2_000 }])(
    "brings nothing, and is asked for again in the next round (settle $settleMs ms)",
    async ({ settleMs }) => {
      const { space, run, edit, store, state } = laggingSpace({}, settleMs);
      space.advance(60_000);
      await run();
      const readers = space.cv;
      space.advance(120_000);
      edit(3);
      space.advance(5_000);
      let olds = 0;
      const uuid = [...space.state.stories.values()].filter(({ publishedMs }) => publishedMs !== undefined)[3]?.uuid;
      // The dates are those of the edit, as if it had been made at the same dates before.
      state.alters = (_path, body) => {
        const story = body.stories?.find((one) => one.uuid === uuid);
        if (story === undefined || olds++ > 0) return;
        story.content = { component: "page", headline: "An older text" };
        body.cv = readers;
      };
      const report = await run();
      expect(report).toMatchObject({ outcome: "committed", consistency: "exact" });
      expect(olds).toBeGreaterThan(1);
      const lines = (await readSnapshot(store))?.lines.get("stories/published/default");
      expect(lines?.get(uuid ?? "")).toContain("headline");
      expect(lines?.get(uuid ?? "")).not.toContain("An older text");
    },
  );
});

describe("a minimum cache time that holds the cv back", () => {
  test.each([
    { what: "during the sync", request: 6, consistency: "stable" },
    { what: "never", request: undefined, consistency: "exact" },
  ])("makes a reading with a publish $what $consistency", async ({ request, consistency }) => {
    const { upstream, run, edit } = laggingSpace({}, 2_000, { holdsCv: true, longestLagMs: 60_000 });
    if (request !== undefined) upstream.before(request, () => edit(2));
    expect(await run()).toMatchObject({ outcome: "committed", consistency });
  });
});

describe("a space with a commit every seven seconds", () => {
  test("is checked again all the same", { tags: "long" }, async () => {
    const { space, store, run, edit } = laggingSpace({});
    await run();
    const oldest: number[] = [];
    for (let count = 0; count < 120; count++) {
      edit(count % 5);
      space.advance(7_000);
      await run();
      const ages = (await loadState(store)).looks.map(({ readAtMs }) => space.nowMs - readAtMs);
      oldest.push(Math.max(...ages));
    }
    expect(Math.max(...oldest)).toBeLessThan(80_000);
  });
});

describe("the second look", () => {
  const times = { startedMs: 1_000_000, readAtMs: 2_000_000 };

  test("contains every story that was read, by version", () => {
    const read = new Map([
      ["published", { uuids: ["b", "a"], all: false }],
      ["draft", { uuids: [], all: false }],
    ] as const);
    expect(lookAfter(read, times)).toEqual({
      readAtMs: 2_000_000,
      stories: { published: ["a", "b"], draft: [] },
      datedSinceMs: null,
    });
  });

  test.each([
    ["a reading of everything", { uuids: ["a"], all: true }, { published: ["a"] }],
    ["a reading of very many", { uuids: Array.from({ length: 2_001 }, (_, at) => String(at)), all: false }, {}],
  ])("after %s is what was published shortly before, with what was doubtful", (_, read, stories) => {
    expect(lookAfter(new Map([["published", read]]), times)).toEqual({
      readAtMs: 2_000_000,
      stories,
      datedSinceMs: 400_000,
    });
  });

  test("is due a minute later, and if the clock was set back", () => {
    const look: SecondLook = { readAtMs: 1_000_000, stories: {}, datedSinceMs: null };
    const isDue = (nowMs: number) => dueLooks([look], nowMs).length === 1;
    expect([999_999, 1_000_000, 1_000_000 + secondLookAfterMs - 1, 1_000_000 + secondLookAfterMs].map(isDue)).toEqual([
      true,
      false,
      false,
      true,
    ]);
  });

  test("is combined with the youngest if many wait, so that older ones come due", () => {
    const looks = Array.from({ length: 12 }, (_, at) => ({
      readAtMs: at,
      stories: { published: [String(at)] },
      datedSinceMs: null,
    }));
    const bounded = boundedLooks(looks);
    expect(bounded).toHaveLength(8);
    expect(bounded.slice(0, 7)).toEqual(looks.slice(0, 7));
    expect(bounded[7]).toEqual({
      readAtMs: 11,
      stories: { published: ["10", "11", "7", "8", "9"] },
      datedSinceMs: null,
    });
  });

  test("for stories that are still missing waits twice as long each time, an hour at most", () => {
    const minutes = (inARow: number) => dueAtMs({ readAtMs: 0, stories: {}, datedSinceMs: null, inARow }) / 60_000;
    expect([0, 3, 4, 5, 6, 9, 40].map(minutes)).toEqual([1, 1, 2, 4, 8, 64, 64]);
  });

  test("is kept in the state", async () => {
    const store = createMemoryStore();
    const looks = [{ readAtMs: 5, stories: { published: ["a"] }, datedSinceMs: null }];
    await saveState(store, { ...(await loadState(store)), looks });
    expect((await loadState(store)).looks).toEqual(looks);
  });
});
