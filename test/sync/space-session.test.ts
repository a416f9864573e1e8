import { fork } from "node:child_process";
import { once } from "node:events";
import { readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Agent } from "undici";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Config } from "../../src/config/config.js";
import { commit } from "../../src/snapshot/commit.js";
import { readManifest } from "../../src/snapshot/current-manifest.js";
import { shardFile } from "../../src/snapshot/layout.js";
import { openOutput } from "../../src/snapshot/open-output.js";
import { openSpaceSession, type SpaceSession } from "../../src/sync/space-session.js";
import type { SyncOptions } from "../../src/sync/sync-options.js";
import { type EditableContent, type EditableSpace, startEditableSpace, uuidOf } from "../support/editable-space.js";
import { crawlYaml, type SyncFolder, syncFolder } from "../support/sync-folder.js";

interface Opened {
  space: EditableSpace;
  folder: SyncFolder;
  session: SpaceSession;
}

/** With small shards, so that a change leaves most of them as they were. */
async function configOf(folder: SyncFolder): Promise<Config> {
  const config = await folder.config();
  return { ...config, output: { ...config.output, shardBytes: 4_096 } };
}

async function opened(options: Partial<SyncOptions> = {}, stories = 40): Promise<Opened> {
  const space = await startEditableSpace({
    stories: Array.from({ length: stories }, (_, at) => ({ name: `Story ${at}`, slug: `stories/${at}` })),
  });
  const folder = await syncFolder(crawlYaml(space.url));
  const session = openSpaceSession({ config: await configOf(folder), ...options });
  onTestFinished(async () => {
    await session.close();
    await space.close();
  });
  return { space, folder, session };
}

function edited(at: number, times: number) {
  return ({ stories }: EditableContent) =>
    Object.assign(stories[at] ?? {}, {
      headline: `Edit ${times}`,
      publishedAt: new Date(1.74e12 + times * 1e3).toISOString(),
    });
}

/** The file of a shard of the index in which nobody edits a story. */
async function indexFile(folder: SyncFolder): Promise<string> {
  const part = "links/published";
  const { parts } = await folder.manifest();
  const edits = [1, 2, 3, 20].map((at) => uuidOf(`Story ${at}`));
  for (const shard of parts[part]?.shards ?? []) {
    const file = join(folder.output, shardFile(part, shard));
    const text = await readFile(file, "utf8");
    if (!edits.some((uuid) => text.includes(uuid))) return file;
  }
  throw new Error("every shard holds an edited story");
}

async function fresh(url: string): Promise<Record<string, string[]>> {
  const folder = await syncFolder(crawlYaml(url));
  await folder.sync({ config: await configOf(folder) });
  return folder.records();
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
    await space.publish(edited(1, 1));
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
        await space.publish(edited(2, 50));
        await folder.sync({ config: await configOf(folder) });
      },
    ],
    [
      "another process goes back to the first generation, and releases it",
      async ({ folder }) => {
        const { store } = openOutput({ dir: folder.output });
        await commit(store, await readManifest(store, 1));
      },
    ],
    ["the output folder is emptied", ({ folder }) => rm(folder.output, { recursive: true })],
    [
      "a shard of the index is cut off",
      async ({ folder }) => {
        const file = await indexFile(folder);
        await writeFile(file, (await readFile(file)).subarray(0, -7));
      },
    ],
    [
      "a shard of the index is changed in its place and keeps its size",
      async ({ folder }) => {
        const file = await indexFile(folder);
        await writeFile(file, (await readFile(file, "utf8")).replace("Story", "Stori"));
        await utimes(file, new Date(), new Date((await stat(file)).mtimeMs + 5_000));
      },
    ],
    ["a shard of the index is removed", async ({ folder }) => rm(await indexFile(folder))],
  ];

  test.each(meanwhile)("comes to what a new process comes to where between its syncs %s", async (_, happens) => {
    const all = await opened({}, 150);
    const { space, folder, session } = all;
    await session.sync();
    for (const round of [1, 2, 3]) {
      await space.publish(({ stories }) => {
        edited(round, round)({ stories } as EditableContent);
        if (round === 2) stories.splice(20, 1);
        if (round === 3) stories.unshift({ name: "First of all", slug: "first" });
      });
      // By then the rows of all shards are kept.
      if (round === 2) await happens(all);
      await session.sync();
      expect(await folder.records()).toEqual(await fresh(space.url));
    }
  });

  /** `OFFPRINT_TICKS=10000` for a day of them. */
  const ticks = Number(process.env.OFFPRINT_TICKS ?? 300);

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
      await space.publish(edited(number % 40, number));
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
