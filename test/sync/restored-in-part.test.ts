// @module-tag long
import { cp, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadConfig } from "../../src/config/load/load-spaces.js";
import { readManifest } from "../../src/snapshot/current-manifest.js";
import { shardFile } from "../../src/snapshot/layout.js";
import { openOutput } from "../../src/snapshot/open-output.js";
import { fallBack } from "../../src/sync/fall-back.js";
import type { SyncReport } from "../../src/sync/report.js";
import { sync } from "../../src/sync/sync.js";
import type { SyncOptions } from "../../src/sync/sync-options.js";
import { verifyOutput } from "../../src/sync/verify-output.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { startTinySpace, type TinySpace } from "../support/tiny-space.js";

/** A project that was synced, with pages, records and an asset. */
async function project(more = "") {
  const space = await startTinySpace({
    languages: ["de"],
    stories: Array.from({ length: 20 }, (_, n) => ({ slug: `blog/${n}`, headline: `Post ${n}`, image: n < 2 })),
  });
  const dir = await temporaryFolder();
  const yaml =
    `source: { url: "${space.url}", token: test-token }\nassets: { download: true }\nqueue: { retries: 0 }\n` +
    `content: { formats: [json, markdown] }\n${more}`;
  await writeFile(join(dir, "sync.config.yaml"), yaml);
  const at = (folder: string) => synced(space, folder);
  await at(dir).sync();
  return { space, at, ...at(dir), original: await at(dir).tree() };
}

function synced(space: TinySpace, dir: string) {
  const output = join(dir, "output");
  const content = join(output, "content");
  return {
    dir,
    output,
    content,
    sync: async (options: Partial<SyncOptions> = {}): Promise<SyncReport & { asked: number }> => {
      const before = space.requests;
      const report = await sync({ config: await loadConfig({ cwd: dir, env: {} }), ...options });
      return { ...report, asked: space.requests - before };
    },
    verify: async () => {
      const config = await loadConfig({ cwd: dir, env: {} });
      return (await verifyOutput(openOutput(config.output), config))?.problems;
    },
    /** Bytes by path of everything below the content folder. */
    async tree(): Promise<Record<string, string>> {
      const paths = await filesBelow(content);
      const texts = paths.map(async (path) => [path, await readFile(join(content, path), "base64")] as const);
      return Object.fromEntries(await Promise.all(texts));
    },
  };
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return paths.map((path) => path.slice(folder.length + 1)).sort();
}

/** Every second of the files that are content, as a cache that came back in part would leave them. */
async function removeEverySecond(folder: string): Promise<number> {
  const paths = (await filesBelow(folder)).filter((path) => path !== "index.json" && !path.startsWith(".offprint"));
  const lost = paths.filter((_, n) => n % 2 === 1);
  for (const path of lost) await rm(join(folder, path));
  return lost.length;
}

const damage = ({ problems }: SyncReport) => problems.filter(({ code }) => code === "SNAPSHOT_DAMAGED");

describe("a partly restored content tree", () => {
  test("is written again with one request, and reported", async () => {
    const { sync, tree, content, original } = await project();
    const lost = await removeEverySecond(content);
    const report = await sync();
    expect(report).toMatchObject({ outcome: "unchanged", asked: 1, content: { written: lost } });
    expect(damage(report)).toEqual([
      expect.objectContaining({ isNew: true, message: expect.stringContaining(`lacks ${lost} of its `) }),
    ]);
    expect(await tree()).toEqual(original);
    expect(await sync()).toMatchObject({ asked: 1, content: { written: 0, removed: 0 }, problems: [] });
  });

  test.each([
    ["a recheck", { recheck: "asked for" }],
    ["--full", { full: true }],
  ])("is written again by %s", async (_, options) => {
    const { sync, tree, content, original, verify } = await project();
    await removeEverySecond(content);
    const report = await sync(options);
    expect(report.outcome).toBe("unchanged");
    expect(damage(report)).toHaveLength(1);
    expect(await tree()).toEqual(original);
    expect(await verify()).toEqual([]);
  });

  test.each([".offprint.json", "index.json"])("is written again where %s is missing", async (file) => {
    const { sync, tree, content, original } = await project();
    await rm(join(content, file));
    expect(await sync()).toMatchObject({ outcome: "unchanged", asked: 1 });
    expect(await tree()).toEqual(original);
  });

  test("is written again where a file of its record is missing", async () => {
    const { sync, tree, content, original, verify } = await project();
    const own = (await filesBelow(content)).filter((path) => path.startsWith(".offprint/"));
    expect(own.length).toBeGreaterThan(2);
    for (const path of own) {
      await rm(join(content, path));
      const report = await sync();
      expect(report).toMatchObject({ outcome: "unchanged", asked: 1, content: { written: 0, removed: 0 } });
      expect(damage(report)).toEqual([expect.objectContaining({ message: expect.stringContaining(path) })]);
      expect(await tree()).toEqual(original);
    }
    expect(await verify()).toEqual([]);
  });

  test("is written again if its list of files is from another state", async () => {
    const { space, sync, tree, content } = await project();
    const older = await readFile(join(content, ".offprint.json"));
    space.stories.pop();
    space.cv += 10;
    await sync();
    const whole = await tree();
    await writeFile(join(content, ".offprint.json"), older);
    expect(await sync()).toMatchObject({ outcome: "unchanged", asked: 1 });
    expect(await tree()).toEqual(whole);
  });

  test("is written again if a build falls back on it because the space cannot be read", async () => {
    const { tree, content, original, dir } = await project();
    await removeEverySecond(content);
    const config = await loadConfig({ cwd: dir, env: {} });
    expect(await fallBack(config, 60_000)).toMatchObject({ generation: 1 });
    expect(await tree()).toEqual(original);
  });

  test("keeps files of a person, and writes nothing because of them", async () => {
    const { sync, content } = await project();
    await writeFile(join(content, "mine.md"), "mine");
    const before = await stat(join(content, "index.json"));
    expect(await sync()).toMatchObject({ asked: 1, content: { written: 0, removed: 0 }, problems: [] });
    expect(await stat(join(content, "index.json"))).toEqual(before);
    await removeEverySecond(content);
    await writeFile(join(content, "mine.md"), "mine");
    await sync();
    expect(await readFile(join(content, "mine.md"), "utf8")).toBe("mine");
  });
});

describe("a file of another size", () => {
  const cut = async (content: string): Promise<string> => {
    const path = (await filesBelow(content)).find((name) => name.endsWith(".md"))!;
    await truncate(join(content, path), 3);
    return path;
  };

  test.each(["true", "1"])("is noticed where CI is %s", async (CI) => {
    const { sync, tree, content, original } = await project();
    const path = await cut(content);
    const report = await sync({ env: { CI } });
    expect(damage(report)).toEqual([expect.objectContaining({ message: expect.stringContaining(path) })]);
    expect(report).toMatchObject({ outcome: "unchanged", asked: 1, content: { written: 1 } });
    expect(await tree()).toEqual(original);
  });

  test("is noticed in a folder that the last sync has not seen, until a sync has written there", async () => {
    const { at, dir, original } = await project();
    const other = await temporaryFolder();
    await cp(dir, other, { recursive: true, preserveTimestamps: true });
    const { sync, tree, content } = at(other);
    await cut(content);
    expect(await sync()).toMatchObject({ outcome: "unchanged", asked: 1, content: { written: 1 } });
    expect(await tree()).toEqual(original);
    await cut(content);
    expect(await sync({ env: { CI: "false" } })).toMatchObject({ content: { written: 0 }, problems: [] });
  });
});

describe("a partly restored snapshot", () => {
  test("is read again, part by part, before a sync reports no changes", async () => {
    const { space, sync, output, verify } = await project();
    const { store } = openOutput({ dir: output });
    const { parts } = await readManifest(store, 1);
    for (const [part, { shards }] of Object.entries(parts)) {
      for (const shard of shards) await rm(join(output, shardFile(part, shard)));
      const report = await sync();
      expect([part, damage(report).length]).toEqual([part, shards.length === 0 ? 0 : 1]);
      expect([part, await verify()]).toEqual([part, []]);
    }
    expect(space.requests).toBeGreaterThan(0);
  });

  test.each(["entries/5", "datasources", "tags/published", "space"])("has %s written again by --full", async (part) => {
    const { sync, output, verify } = await project();
    const { store } = openOutput({ dir: output });
    const { parts } = await readManifest(store, 1);
    const shard = parts[part]!.shards[0]!;
    await rm(join(output, shardFile(part, shard)));
    expect(damage(await sync({ full: true }))).toHaveLength(1);
    expect(await verify()).toEqual([]);
  });

  test("has its assets fetched again in CI, and in a folder that the last sync has not seen", async () => {
    const { at, dir, sync, output, verify } = await project();
    const assets = async (folder: string) =>
      (await filesBelow(join(folder, "assets"))).map((name) => join(folder, "assets", name));
    const [asset = ""] = await assets(output);
    const bytes = await readFile(asset);
    await rm(asset);
    expect(damage(await sync({ env: { CI: "true" } }))).toHaveLength(1);
    expect(await readFile(asset)).toEqual(bytes);
    const other = await temporaryFolder();
    await cp(dir, other, { recursive: true });
    await truncate((await assets(at(other).output))[0]!, 4);
    expect(damage(await at(other).sync())).toHaveLength(1);
    expect(await at(other).verify()).toEqual([]);
    expect(await verify()).toEqual([]);
  });
});
