// @module-tag long
import { readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { generationFile, manifestFile, shardFile, stateFile } from "../../src/snapshot/layout.js";
import { noteDamage, openOutput } from "../../src/snapshot/open-output.js";
import { verifySnapshot } from "../../src/snapshot/verify/verify.js";
import { type SyncFolder, syncFolder } from "../support/sync-folder.js";
import { startTinySpace, type TinySpace } from "../support/tiny-space.js";

const yaml = (space: TinySpace) =>
  `source: { url: "${space.url}", token: test-token }\nassets: { download: true }\nqueue: { retries: 0 }\n`;

async function synced(initial: Partial<TinySpace> = {}) {
  const space = await startTinySpace(initial);
  const folder = await syncFolder(yaml(space));
  await folder.sync();
  return { space, folder };
}

/** Files of the first shard of a part, below the output folder. */
async function shardOf(folder: SyncFolder, part: string): Promise<string> {
  const entry = (await folder.manifest()).parts[part];
  return join(folder.output, shardFile(part, entry!.shards[0]!));
}

/** What `offprint verify` does. */
async function verify(folder: SyncFolder) {
  const output = openOutput({ dir: folder.output });
  const report = await verifySnapshot(output.store, { deep: true });
  await noteDamage(output, await folder.manifest(), report.damaged);
  return report;
}

/** The snapshot is whole, and holds what a fresh sync would. */
async function expectWhole(folder: SyncFolder, space: TinySpace) {
  expect((await verify(folder)).problems).toEqual([]);
  const fresh = await syncFolder(yaml(space));
  await fresh.sync();
  expect((await folder.manifest()).parts).toEqual((await fresh.manifest()).parts);
}

const parts = [
  "stories/published/default",
  "stories/published/de",
  "links/published",
  "tags/published",
  "datasources",
  "entries/5",
  "space",
  "assets",
];

describe("a damaged object is found when it is read, reported, and read from the space again", () => {
  for (const part of parts) {
    test(`${part}: noted by verify, although the space did not move`, async () => {
      const { space, folder } = await synced({ languages: ["de"] });
      const before = await folder.manifest();
      const file = await shardOf(folder, part);
      await truncate(file, 10);
      expect((await verify(folder)).damaged).toEqual([part]);

      const report = await folder.sync();
      expect(report.problems).toMatchObject([
        { code: "SNAPSHOT_DAMAGED", message: `Generation 1 is damaged: ${part}.` },
      ]);
      // The sync read the lost objects again: in their old place, they need no new generation.
      expect(report.outcome).toBe("unchanged");
      expect(await folder.manifest()).toEqual(before);
      await expectWhole(folder, space);
      expect(await folder.sync()).toMatchObject({ outcome: "unchanged", requests: { total: 1 }, problems: [] });
    });

    test(`${part}: met by a sync that has something to read`, async () => {
      const { space, folder } = await synced({ languages: ["de"] });
      await rm(await shardOf(folder, part));
      space.stories[1]!.headline = "First, edited";
      space.stories.splice(2, 1);
      space.entries.blue = "#00f";
      space.cv += 10;
      const report = await folder.sync();
      expect(report.outcome).toBe("committed");
      const isRead = !["datasources", "entries/5", "space"].includes(part);
      if (isRead) expect(report.problems.map(({ code }) => code)).toContain("SNAPSHOT_DAMAGED");
      await expectWhole(folder, space);
    });
  }

  test("several parts at once", async () => {
    const { space, folder } = await synced({ languages: ["de"] });
    for (const part of parts) await rm(await shardOf(folder, part));
    expect((await verify(folder)).damaged).toEqual([...parts].sort());
    await folder.sync();
    await expectWhole(folder, space);
  });

  test("an edition in another language costs that edition alone", async () => {
    const { space, folder } = await synced({ languages: ["de"] });
    await rm(await shardOf(folder, "stories/published/de"));
    await verify(folder);
    const asked = space.requests;
    await folder.sync();
    // Probe, space, links, tags, experiments, datasources, entries, the stories in German, and the closing probe.
    expect(space.requests - asked).toBe(9);
  });

  test("a shard that was swapped with another one", async () => {
    const { space, folder } = await synced({ languages: ["de"] });
    const [one, other] = [await shardOf(folder, "stories/published/default"), await shardOf(folder, "links/published")];
    const [first, second] = [await readFile(one), await readFile(other)];
    await writeFile(one, second);
    await writeFile(other, first);
    expect((await verify(folder)).damaged).toEqual(["links/published", "stories/published/default"]);
    await folder.sync();
    await expectWhole(folder, space);
  });

  test("an asset with one changed byte is fetched again", async () => {
    const { space, folder } = await synced();
    const file = [...(await folder.files()).keys()].find((name) => name.endsWith(".png"))!;
    const damaged = Buffer.from(space.image);
    damaged[20]! ^= 1;
    await writeFile(join(folder.output, file), damaged);
    expect((await verify(folder)).damaged).toEqual([file]);
    expect(await folder.sync()).toMatchObject({ assets: { downloaded: 1 } });
    expect(await readFile(join(folder.output, file))).toEqual(space.image);
    await expectWhole(folder, space);
  });

  test("damage that the content tree's rendering meets", async () => {
    const { space, folder } = await synced();
    await rm(await shardOf(folder, "stories/published/default"));
    await rm(join(folder.output, "content", "index.json"));
    const report = await folder.sync();
    expect(report.problems.map(({ code }) => code)).toEqual(["SNAPSHOT_DAMAGED"]);
    await expectWhole(folder, space);
    await expect(readFile(join(folder.output, "content", "index.json"))).resolves.toBeDefined();
  });

  test("damage that the rendering meets after a commit: the sync says that it has committed", async () => {
    const { space, folder } = await synced({ languages: ["de"] });
    const { manifest } = folder;
    const before = await manifest();
    const { store } = openOutput({ dir: folder.output });
    // Broken in the moment of the commit: everything that the sync compares is read by then.
    const damage = async () => {
      const entry = (await manifest()).parts["entries/5"];
      await rm(join(folder.output, shardFile("entries/5", entry!.shards[0]!)));
    };
    space.stories[1]!.headline = "Moved";
    space.cv += 10;
    const report = await folder.sync({ onCommit: damage });
    expect(report).toMatchObject({ outcome: "committed", generation: before.generation + 1 });
    expect(report.problems.map(({ code }) => code)).toEqual(["SNAPSHOT_DAMAGED"]);
    expect((await verifySnapshot(store, { deep: true })).problems).toEqual([]);
  });

  test("does not repair a damaged snapshot from an empty upstream", async () => {
    const { space, folder } = await synced();
    await rm(await shardOf(folder, "links/published"));
    await verify(folder);
    space.stories = [];
    await expect(folder.sync()).rejects.toMatchObject({ code: "UPSTREAM_EMPTY" });
    expect((await folder.manifest()).generation).toBe(1);
  });

  test("keeps the note of the damage while the upstream is unreachable", async () => {
    const { space, folder } = await synced();
    await rm(await shardOf(folder, "links/published"));
    space.cv += 10;
    space.fails = (_, query) => query.has("by_uuids");
    await expect(folder.sync()).rejects.toMatchObject({ code: "UPSTREAM_UNREACHABLE" });
    const state = JSON.parse(await readFile(join(folder.output, stateFile), "utf8"));
    expect(state.damaged).toEqual(["links/published"]);
    space.fails = () => false;
    await folder.sync();
    await expectWhole(folder, space);
  });
});

describe("a damaged manifest", () => {
  test("a pointer that was edited by hand is repaired from the manifest that it is a copy of", async () => {
    const { space, folder } = await synced();
    const file = join(folder.output, manifestFile);
    const whole = await readFile(file, "utf8");
    await writeFile(file, whole.replace('"Tiny"', '"Mine"'));
    const report = await folder.sync();
    expect(report).toMatchObject({ outcome: "unchanged", problems: [{ code: "SNAPSHOT_DAMAGED" }] });
    expect(report.problems[0]?.message).toContain("manifest.json was changed after it was written");
    expect(await readFile(file, "utf8")).toBe(whole);
    expect(await folder.sync()).toMatchObject({ outcome: "unchanged", problems: [], requests: { total: 1 } });
    await expectWhole(folder, space);
  });

  test("a generation's own file is repaired from the pointer, once verify has found the damage", async () => {
    const { space, folder } = await synced();
    const file = join(folder.output, generationFile(1));
    const whole = await readFile(file, "utf8");
    await writeFile(file, "{}");
    expect((await verify(folder)).damaged).toEqual([generationFile(1)]);
    expect((await folder.sync()).problems).toMatchObject([{ message: expect.stringContaining(generationFile(1)) }]);
    expect(await folder.sync()).toMatchObject({ problems: [], requests: { total: 1 } });
    expect(await readFile(file, "utf8")).toBe(whole);
    await expectWhole(folder, space);
  });

  test("reads everything if none verifies, and does not reuse the number", async () => {
    const { space, folder } = await synced();
    for (const name of [manifestFile, generationFile(1)]) await writeFile(join(folder.output, name), "{}");
    const report = await folder.sync();
    expect(report).toMatchObject({ outcome: "committed", generation: 2, problems: [{ code: "SNAPSHOT_DAMAGED" }] });
    await expectWhole(folder, space);
  });

  test("continues from the previous generation if the newest and its pointer are damaged", async () => {
    const { space, folder } = await synced();
    space.stories.push({ slug: "new", headline: "New" });
    space.cv += 10;
    await folder.sync();
    for (const name of [manifestFile, generationFile(2)]) await writeFile(join(folder.output, name), "{}");
    expect(await folder.sync()).toMatchObject({ outcome: "committed", generation: 3, stories: { total: 4, added: 1 } });
    await expectWhole(folder, space);
  });

  test("never skips a newer format, and writes nothing", async () => {
    const { folder } = await synced();
    const file = join(folder.output, manifestFile);
    await writeFile(file, (await readFile(file, "utf8")).replace('"format": 1', '"format": 2'));
    const before = await folder.files();
    await expect(folder.sync()).rejects.toMatchObject({
      code: "SNAPSHOT_FORMAT",
      hint: expect.stringContaining("version of offprint"),
    });
    expect(await folder.files()).toEqual(before);
  });
});

test("an old generation whose assets cannot be read keeps the files that it may need, and fails no sync", async () => {
  const { space, folder } = await synced();
  await rm(await shardOf(folder, "assets"));
  space.stories[1]!.headline = "First, edited";
  space.cv += 10;
  // Healed: the assets part of generation 1 is the same object.
  await folder.sync();
  const before = await shardOf(folder, "assets");
  space.stories[0]!.image = false;
  space.stories[0]!.headline = "Home, without";
  space.cv += 10;
  await folder.sync();
  await writeFile(before, "damaged");
  space.stories[0]!.headline = "Home, edited";
  space.cv += 10;
  const report = await folder.sync();
  expect(report).toMatchObject({ outcome: "committed", problems: [{ code: "SNAPSHOT_DAMAGED" }] });
  await expectWhole(folder, space);
});
