import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { readManifest } from "../../../src/snapshot/current-manifest.js";
import { cursorText, listCursors, readCursor } from "../../../src/snapshot/cursors.js";
import { consumerOf, cursorFile, generationFile, parts, shardFile } from "../../../src/snapshot/layout.js";
import { moveCursor } from "../../../src/watch/hooks/consumer.js";
import { type ConsumerProject, consumerProject, keepingHook } from "../../support/consumer-project.js";
import { story } from "../../support/sample-snapshot.js";

const one = { editions: { "published/default": [story(1)] } };
const two = { editions: { "published/default": [story(1), story(2)] } };

/** A consumer that has dealt with generation 1, and a second generation. */
async function behindByOne(): Promise<ConsumerProject> {
  const project = await consumerProject();
  await project.commit(one);
  await project.handOver();
  await project.commit(two);
  return project;
}

async function writeCursor({ dir }: ConsumerProject, text: string): Promise<void> {
  const file = join(dir, "output", cursorFile("site"));
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

async function cursorOf({ store }: ConsumerProject) {
  const cursor = await readCursor(store, "site");
  if (cursor === undefined || cursor === "damaged") throw new Error("no cursor");
  return cursor;
}

describe("a consumer gets a list of everything, with the reason, if its cursor", () => {
  const causes: [string, string, (project: ConsumerProject) => Promise<void>][] = [
    ["is garbage", "damaged", (project) => writeCursor(project, "\u0000garbage")],
    ["is cut off", "damaged", (project) => writeCursor(project, '{"format":1,"consumer":"site"')],
    ["is empty", "damaged", (project) => writeCursor(project, "")],
    [
      "is of a newer version of this program",
      "damaged",
      async (project) => writeCursor(project, JSON.stringify({ ...(await cursorOf(project)), format: 2 })),
    ],
    [
      "is of another consumer",
      "damaged",
      async (project) => writeCursor(project, cursorText({ ...(await cursorOf(project)), consumer: "search" })),
    ],
    [
      "names a generation that is to come",
      "gone",
      async (project) => writeCursor(project, cursorText({ ...(await cursorOf(project)), generation: 99 })),
    ],
    [
      "is of another space",
      "other-space",
      async (project) => writeCursor(project, cursorText({ ...(await cursorOf(project)), space: 8 })),
    ],
    [
      "is of a lost snapshot that was started again with the same numbers",
      "gone",
      async (project) => writeCursor(project, cursorText({ ...(await cursorOf(project)), checksum: "0".repeat(64) })),
    ],
    ["names a generation that was removed", "gone", ({ dir }) => rm(join(dir, "output", generationFile(1)))],
    [
      "names a generation with a shard that was removed",
      "gone",
      async ({ dir, store }) => {
        const part = parts.stories("published/default");
        const files = (await store.list("snapshot/stories")).map(({ name }) => name);
        const [shard] = (await readManifest(store, 1)).parts[part]!.shards;
        expect(files).toContain(shardFile(part, shard!));
        await rm(join(dir, "output", shardFile(part, shard!)));
      },
    ],
  ];
  test.each(causes)("%s", async (_, full, damage) => {
    const project = await behindByOne();
    await damage(project);
    const [done] = await project.handOver();
    expect(done).toMatchObject({ from: null, to: 2, result: "done", problems: [{ code: "CURSOR_RESET" }] });
    const list = (await project.handed()).at(-1);
    expect(list?.header).toMatchObject({ from: null, to: 2, full, counts: { upserts: 2 } });
    expect(list?.changes.map(({ change }) => change)).toEqual(["upsert", "upsert"]);
    expect(await project.handOver()).toMatchObject([{ result: "nothing" }]);
  });

  test("is of other content settings, with deleted and moved stories", async () => {
    const project = await behindByOne();
    await project.handOver();
    const moved = story(2, { slug: "elsewhere" });
    const manifest = await project.commit({ editions: { "published/default": [moved, story(3)] } });
    project.config.resolve = {
      ...project.config.resolve,
      links: { pattern: "/{language?}/{slug}/", home: "home", use: "path", outside: "url" },
    };
    await project.render(manifest);
    expect(await project.handOver()).toMatchObject([{ from: 2, problems: [{ code: "CURSOR_RESET" }] }]);
    const list = (await project.handed()).at(-1);
    expect(list?.header).toMatchObject({ from: 2, full: "settings", counts: { upserts: 1, moves: 1, deletes: 1 } });
    expect(list?.changes.find(({ change }) => change === "move")).toMatchObject({
      full_slug: "elsewhere",
      url: "/elsewhere/",
      from: { full_slug: "story-2" },
    });
  });
});

test("a new consumer gets everything without a warning", async () => {
  const project = await consumerProject();
  await project.commit(one);
  expect(await project.handOver()).toMatchObject([{ from: null, result: "done", problems: [] }]);
  expect((await project.handed())[0]?.header.full).toBe("first");
});

test("a change that was reverted is none, and the cursor moves without the command", async () => {
  const project = await consumerProject({ site: { run: "exit 1", timeoutMs: 20_000 } });
  const first = await project.commit(one);
  await moveCursor(project.config, "site", first, 0);
  await project.commit(two);
  expect(await project.handOver()).toMatchObject([{ from: 1, to: 2, result: "failed" }]);
  await project.commit(one);
  expect(await project.handOver()).toMatchObject([{ from: 1, to: 3, result: "nothing" }]);
  expect(await cursorOf(project)).toMatchObject({ generation: 3 });
});

test("consumer names that a disk may confuse get separate files", async () => {
  const names = ["site", "Site", "SITE", "s-i_t-e", "con", "NUL", "constructor", "__proto__", "-x".slice(1), "0"];
  const project = await consumerProject({});
  const manifest = await project.commit(one);
  for (const name of names) await moveCursor(project.config, name, manifest, 0);
  const cursors = await listCursors(project.store);
  expect(cursors.map(({ consumer }) => consumer)).toEqual([...names].sort());
  const files = names.map((name) => cursorFile(name));
  expect(new Set(files.map((file) => file.toLowerCase())).size).toBe(names.length);
  expect(files.map(consumerOf)).toEqual(names);
  for (const folder of await readdir(join(project.dir, "output", ".consumers"))) expect(folder).toMatch(/^for-/);
});

test("runs the hook of a consumer named like a property of every object", async () => {
  const project = await consumerProject({ constructor: keepingHook, toString: keepingHook });
  await project.commit(one);
  expect(await project.handOver()).toMatchObject([{ consumer: "constructor" }, { consumer: "toString" }]);
  expect(await project.handed()).toHaveLength(2);
});
