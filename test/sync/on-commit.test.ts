import { describe, expect, onTestFinished, test } from "vitest";
import { currentManifest } from "../../src/snapshot/current-manifest.js";
import { openOutput } from "../../src/snapshot/open-output.js";
import type { Committed } from "../../src/sync/sync-options.js";
import { startEditableSpace } from "../support/editable-space.js";
import { readOutputFile, sourceYaml, syncFolder } from "../support/sync-folder.js";

async function spaceAndFolder() {
  const space = await startEditableSpace({ languages: [], stories: [{ name: "One", slug: "one" }] });
  onTestFinished(() => space.close());
  return { space, folder: await syncFolder(sourceYaml(space.url)) };
}

describe("onCommit", () => {
  test("hears of each generation once, with what led to it, when it is durable and its content is not there yet", async () => {
    const { space, folder } = await spaceAndFolder();
    const { store } = openOutput({ dir: folder.output });
    const heard: { committed: Committed; current: number | undefined; content: string }[] = [];
    const onCommit = async (committed: Committed) => {
      const current = (await currentManifest(store))?.generation;
      const content = await readOutputFile(folder, "content/index.json").catch(() => "{}");
      heard.push({ committed, current, content });
    };
    await folder.sync({ onCommit });
    await folder.sync({ onCommit });
    await folder.sync({ onCommit, dryRun: true, full: true });
    await space.publish(({ stories }) => stories.push({ name: "Two", slug: "two" }));
    await folder.sync({ onCommit });
    expect(heard.map(({ committed, current }) => [committed.from, committed.manifest.generation, current])).toEqual([
      [null, 1, 1],
      [1, 2, 2],
    ]);
    expect(heard.map(({ committed }) => committed.changes.added.map(({ full_slug }) => full_slug))).toEqual([
      ["one"],
      ["two"],
    ]);
    expect(heard.map(({ content }) => JSON.parse(content).generation)).toEqual([undefined, 1]);
  });

  test("hears of another space as of a first generation; the content names what is gone of the one before", async () => {
    const { folder } = await spaceAndFolder();
    await folder.sync();
    const other = await startEditableSpace({ spaceId: 78, stories: [{ name: "Three", slug: "three" }] });
    onTestFinished(() => other.close());
    await other.publish();
    await folder.configure(sourceYaml(other.url));
    const heard: Committed[] = [];
    await folder.sync({ replace: true, onCommit: (committed) => void heard.push(committed) });
    expect(heard).toMatchObject([{ from: null, manifest: { generation: 2, previous: 1 }, changes: { removed: [] } }]);
    expect(JSON.parse(await readOutputFile(folder, "content/changes.json"))).toMatchObject({
      ...{ from: 1, to: 2, added: [{ full_slug: "three" }] },
      removed: [{ full_slug: "one" }],
    });
  });

  test("and throws, ends the sync; the generation stays, and the next sync renders its content", async () => {
    const { folder } = await spaceAndFolder();
    const refuse = () => {
      throw new Error("the queue is full");
    };
    await expect(folder.sync({ onCommit: refuse })).rejects.toThrow("the queue is full");
    expect((await folder.manifest()).generation).toBe(1);
    const report = await folder.sync({ onCommit: refuse });
    expect(report).toMatchObject({ outcome: "unchanged", generation: 1 });
    expect(report.content.written).toBeGreaterThan(0);
  });
});
