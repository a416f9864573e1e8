import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { lockOfGeneration, writeLock } from "../../src/content/model/lock-file.js";
import { openOutput } from "../../src/snapshot/open-output.js";
import { startEditableSpace } from "../support/editable-space.js";
import { crawlYaml, syncFolder } from "../support/sync-folder.js";

/** A folder with one story of type page, whose shape was agreed upon. */
async function locked(drift: string) {
  const space = await startEditableSpace({ stories: [{ name: "One", slug: "one", component: "page" }] });
  onTestFinished(() => space.close());
  const yaml = (mode: string) => `${crawlYaml(space.url)}check: { drift: ${mode} }\n`;
  const folder = await syncFolder(yaml(drift));
  await folder.sync();
  const agree = async () => {
    const lock = await lockOfGeneration(
      openOutput({ dir: folder.output }).store,
      await folder.manifest(),
      await folder.config(),
    );
    await writeLock(join(folder.dir, "content.lock.json"), lock);
  };
  await agree();
  return { space, folder, agree, configure: (mode: string) => folder.configure(yaml(mode)) };
}

test("freeze keeps the generation when a component appears, names a story, and continues once the lock has it", async () => {
  const { space, folder, agree, configure } = await locked("freeze");
  await space.publish(({ stories }) => stories.push({ name: "Two", slug: "two", component: "page" }));
  expect(await folder.sync()).toMatchObject({ outcome: "committed" });
  await space.publish(({ stories }) => stories.push({ name: "Three", slug: "three", component: "promo" }));
  const refusal = {
    code: "CONTENT_DRIFT",
    message:
      'The component promo is in the content, but not in the lock. For example in story "three" (published/default).',
  };
  await expect(folder.sync()).rejects.toMatchObject(refusal);
  await expect(folder.sync()).rejects.toMatchObject(refusal);
  expect((await folder.manifest()).generation).toBe(2);
  await configure("warn");
  const warned = await folder.sync();
  expect(warned).toMatchObject({ outcome: "committed" });
  expect(warned.problems.map(({ code }) => code)).toContain("CONTENT_DRIFTED");
  await agree();
  await configure("freeze");
  await space.publish(({ stories }) => stories.push({ name: "Four", slug: "four", component: "promo" }));
  expect(await folder.sync()).toMatchObject({ outcome: "committed", problems: [] });
});

test("without a lock nothing is checked, which a sync reports", async () => {
  const { space, folder } = await locked("freeze");
  await rm(join(folder.dir, "content.lock.json"));
  await space.publish(({ stories }) => stories.push({ name: "Two", slug: "two", component: "promo" }));
  const { outcome, problems } = await folder.sync();
  expect([outcome, problems.map(({ code }) => code)]).toEqual(["committed", ["CONTENT_UNLOCKED"]]);
  // The lock may be there by then.
  expect(await folder.sync()).toMatchObject({ outcome: "unchanged", problems: [] });
});

test("evolve reports nothing in a sync, and an invalid lock stops a sync that needs it", async () => {
  const { space, folder, configure } = await locked("evolve");
  await space.publish(({ stories }) => stories.push({ name: "Two", slug: "two", component: "promo" }));
  expect(await folder.sync()).toMatchObject({ outcome: "committed", problems: [] });
  const { writeFile } = await import("node:fs/promises");
  await writeFile(join(folder.dir, "content.lock.json"), "{}");
  await configure("freeze");
  await space.publish(({ stories }) => stories.push({ name: "Three", slug: "three", component: "page" }));
  await expect(folder.sync()).rejects.toMatchObject({ code: "USAGE" });
});
