// @module-tag long
import { fork } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Agent } from "undici";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Config } from "../../src/config/config.js";
import { readManifest } from "../../src/snapshot/current-manifest.js";
import { shardFile } from "../../src/snapshot/layout.js";
import { openOutput } from "../../src/snapshot/open-output.js";
import { commit } from "../../src/snapshot/write/commit.js";
import { decidingBatches } from "../../src/sync/crawl/stories/batches.js";
import type { SyncReport } from "../../src/sync/report.js";
import { openSpaceSession, type SpaceSession } from "../../src/sync/space-session.js";
import type { SyncOptions } from "../../src/sync/sync-options.js";
import type { Upstream } from "../../src/sync/upstream/upstream.js";
import { type EditableContent, type EditableSpace, startEditableSpace, uuidOf } from "../support/editable-space.js";
import { crawlYaml, type SyncFolder, syncFolder } from "../support/sync-folder.js";

interface Opened {
  space: EditableSpace;
  folder: SyncFolder;
  session: SpaceSession;
}

/** Rows a page of the index, so that a change leaves most pages as they were. */
const rowsPerPage = 12;
const storyNames = Array.from({ length: 48 }, (_, at) => `Story ${at}`);
/** One that is edited and removed again. */
const lastStory = storyNames.toSorted((a, b) => (uuidOf(a) < uuidOf(b) ? -1 : 1)).at(-1) ?? "";

/** With small shards, for the same reason. */
async function configOf(folder: SyncFolder): Promise<Config> {
  const config = await folder.config();
  return { ...config, output: { ...config.output, shardBytes: 4_096 } };
}

/** Small pages; and no story is asked for that nothing points to: the audit would find by luck what was overlooked. */
function rulesOf(upstream: (real: Upstream) => Upstream = (real) => real): SyncOptions["rules"] {
  return {
    decidingBatches: (editions, diff, size) => decidingBatches(editions, diff, size, { cursor: "", uuids: [] }),
    upstream(real) {
      const through = upstream(real);
      return { ...through, links: (query, options) => through.links({ ...query, per_page: rowsPerPage }, options) };
    },
  };
}

async function opened(options: Partial<SyncOptions> = {}, more = ""): Promise<Opened> {
  const space = await startEditableSpace({
    stories: storyNames.map((name, at) => ({
      name,
      slug: `stories/${at}`,
      ...(at === 2 && { relations: ["Story 40"] }),
    })),
  });
  const folder = await syncFolder(crawlYaml(space.url, more));
  const session = openSpaceSession({ config: await configOf(folder), ...options });
  onTestFinished(async () => {
    await session.close();
    await space.close();
  });
  return { space, folder, session };
}

function edited(name: string, times: number) {
  return ({ stories }: Pick<EditableContent, "stories">) =>
    Object.assign(stories.find((story) => story.name === name) ?? {}, {
      headline: `Edit ${times}`,
      publishedAt: new Date(1.74e12 + times * 1e3).toISOString(),
    });
}

/** The file of the shard of the index that holds a story. */
async function indexFile(folder: SyncFolder, name: string): Promise<string> {
  const part = "links/published";
  const { parts } = await folder.manifest();
  for (const shard of parts[part]?.shards ?? []) {
    const file = join(folder.output, shardFile(part, shard));
    if ((await readFile(file, "utf8")).includes(uuidOf(name))) return file;
  }
  throw new Error(`no shard holds ${name}`);
}

/** The result of a sync. */
async function outcomeOf(folder: SyncFolder, { outcome, stories, problems, requests, rounds }: SyncReport) {
  const { editions } = await folder.manifest();
  const newest = editions.map(({ newestPublishedAt, newestUpdatedAt }) => [newestPublishedAt, newestUpdatedAt]);
  const codes = problems.map(({ code }) => code);
  return { outcome, stories, codes, requests: requests.total, rounds, newest, records: await folder.records() };
}

/** A sync of the session, and one of a new process that found the very same folder. */
async function bothWays({ space, folder, session }: Opened, rules = rulesOf()) {
  const other = await syncFolder(await readFile(join(folder.dir, "sync.config.yaml"), "utf8"));
  await cp(folder.output, other.output, { recursive: true, preserveTimestamps: true });
  space.seen.length = 0;
  const stays = await outcomeOf(folder, await session.sync());
  const isNew = await outcomeOf(other, await other.sync({ config: await configOf(other), rules }));
  return { stays, isNew };
}

async function fresh({ space, folder }: Opened): Promise<Record<string, string[]>> {
  const other = await syncFolder(await readFile(join(folder.dir, "sync.config.yaml"), "utf8"));
  await other.sync({ config: await configOf(other) });
  space.seen.length = 0;
  return other.records();
}

describe("a session", () => {
  test("opens connections once for all its probes and syncs, and a tick that finds nothing new is one request without a write", async () => {
    let agents = 0;
    const openAgent: SyncOptions["openAgent"] = (options) => {
      agents++;
      return new Agent(options);
    };
    const { space, folder, session } = await opened({ openAgent });
    await session.sync();
    await session.sync();
    const [files, requests] = [await folder.files(), space.requests()];
    await session.probe();
    expect(space.requests()).toBe(requests + 1);
    expect((await session.sync()).outcome).toBe("unchanged");
    expect(space.requests()).toBe(requests + 2);
    expect(await folder.files()).toEqual(files);
    expect(agents).toBe(1);
  });

  test("counts the requests of each sync by itself, and ends one by its signal without ending the next", async () => {
    const { space, session } = await opened();
    const first = await session.sync();
    await space.publish(edited("Story 1", 1));
    const ended = AbortSignal.abort(new Error("stopped"));
    await expect(session.sync({ signal: ended })).rejects.toThrow("stopped");
    const second = await session.sync();
    expect(second.stories.changed).toBe(1);
    expect(second.requests.total).toBeLessThanOrEqual(first.requests.total);
  });

  const meanwhile: [string, (opened: Opened) => Promise<unknown>][] = [
    ["nothing else happens", async () => {}],
    [
      "another process syncs",
      async ({ space, folder }) => {
        await space.publish(edited("Story 20", 50));
        await folder.sync({ config: await configOf(folder) });
      },
    ],
    [
      "another process syncs with other settings",
      async ({ folder }) => {
        const { source, output, ...config } = await configOf(folder);
        const include = { ...source.include, excludeSlugs: ["stories/3*"] };
        const other = { ...config, source: { ...source, include }, output: { ...output, shardBytes: 8_192 } };
        await folder.sync({ config: other });
      },
    ],
    [
      "another process goes back to the first generation, and releases it",
      async ({ folder }) => {
        const { store } = openOutput({ dir: folder.output });
        await commit(store, await readManifest(store, 1));
      },
    ],
    [
      "the output folder is emptied",
      async ({ folder }) => {
        await rm(folder.output, { recursive: true });
        await mkdir(folder.output);
      },
    ],
    [
      "a shard of the index is cut off, and keeps its time",
      async ({ folder }) => {
        const file = await indexFile(folder, "Story 30");
        const { mtime } = await stat(file);
        await writeFile(file, (await readFile(file)).subarray(0, -7));
        await utimes(file, mtime, mtime);
      },
    ],
    [
      "a shard of the index is changed in its place and keeps its size",
      async ({ folder }) => {
        const file = await indexFile(folder, "Story 30");
        await writeFile(file, (await readFile(file, "utf8")).replace("Story", "Stori"));
        await utimes(file, new Date(), new Date((await stat(file)).mtimeMs + 5_000));
      },
    ],
    ["a shard of the index is removed", async ({ folder }) => rm(await indexFile(folder, "Story 30"))],
  ];

  const firstEdit = edited("Story 2", 1);
  /** The next publish: an edit, after which most pages are as they were, a removal, and a new story. */
  const publications = [
    edited(lastStory, 2),
    (content: EditableContent) => {
      content.stories = content.stories.filter(({ name }) => name !== lastStory);
    },
    ({ stories }: EditableContent) =>
      stories.unshift({ name: "First", slug: "stories/first", uuid: "00000000-0000-4000-a000-000000000000" }),
  ];

  test.each(meanwhile)("has the same result as a new process if between its syncs %s", async (_, happens) => {
    const all = await opened({ rules: rulesOf() });
    await all.session.sync();
    await all.space.publish(firstEdit);
    await all.session.sync();
    await happens(all);
    for (const publication of publications) {
      await all.space.publish(publication);
      const { stays, isNew } = await bothWays(all);
      expect(stays).toEqual(isNew);
    }
    expect(await all.folder.records()).toEqual(await fresh(all));
  });

  /** `OFFPRINT_TICKS=10000` for a day of them. */
  const ticks = Number(process.env.OFFPRINT_TICKS ?? 150);

  test(`of ${ticks} syncs, some of which find changes, keeps less than 5 MB more than at first`, async () => {
    const { space, folder } = await opened();
    const child = fork(fileURLToPath(new URL("../support/tick-child.mjs", import.meta.url)), [folder.dir], {
      execArgv: ["--expose-gc"],
    });
    onTestFinished(() => void child.kill());
    const heapAfter = async (count: number): Promise<number> => {
      const told = once(child, "message");
      child.send(count);
      return (await told)[0];
    };
    const between = 30;
    const round = async (number: number) => {
      space.seen.length = 0;
      await space.publish(edited(`Story ${number % 40}`, number));
      return heapAfter(between);
    };
    await round(0);
    await round(1);
    const before = await round(2);
    let after = before;
    for (let number = 3; number * between < ticks; number++) after = await round(number);
    expect(after).toBeGreaterThan(0);
    expect(after - before).toBeLessThan(5 * 1024 * 1024);
  }, 900_000);
});
