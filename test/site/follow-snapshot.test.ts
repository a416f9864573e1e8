import { rm } from "node:fs/promises";
import { expect, test } from "vitest";
import { followSnapshot, watchSnapshot } from "../../src/index.js";
import { openFileStore } from "../../src/snapshot/store/file-store.js";
import { commitSample, story } from "../support/sample-snapshot.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const commit = (dir: string, name: string) =>
  commitSample({ editions: { "published/default": [story(1, { name })] } }, openFileStore(dir));

test("concurrent calls share one snapshot, before and after a commit", async () => {
  const dir = await temporaryFolder();
  const current = followSnapshot(dir);
  const calls = async () => new Set(await Promise.all(Array.from({ length: 20 }, () => current())));
  await commit(dir, "a");
  const before = await calls();
  await commit(dir, "b");
  const after = await calls();
  expect([...before, ...after].map(({ generation }) => generation)).toEqual([1, 2]);
});

test("a call after a commit never gets the previous generation, even during another call", async () => {
  const dir = await temporaryFolder();
  await commit(dir, "a");
  const current = followSnapshot(dir);
  for (let generation = 2; generation < 6; generation++) {
    const underWay = current();
    await commit(dir, `${generation}`);
    const others = [current(), current()];
    expect((await Promise.all(others)).map((snapshot) => snapshot.generation)).toEqual([generation, generation]);
    await underWay;
  }
});

test("reports a deleted output folder, and recovers after a sync", async () => {
  const dir = await temporaryFolder();
  const current = followSnapshot(dir);
  await expect(current()).rejects.toMatchObject({ code: "SNAPSHOT_MISSING" });
  await commit(dir, "a");
  await current();
  await rm(dir, { recursive: true });
  await expect(current()).rejects.toMatchObject({ code: "SNAPSHOT_MISSING" });
  await commit(dir, "b");
  expect((await (await current()).story({ slug: "story-1" }))?.name).toBe("b");
});

test("a watcher continues after its callback fails, and waits for it", async () => {
  const dir = await temporaryFolder();
  const warnings: string[] = [];
  const onWarning = ({ message }: Error) => void warnings.push(message);
  process.on("warning", onWarning);
  const heard: number[] = [];
  let running = 0;
  let tell: () => void = () => undefined;
  const onGeneration = async (generation: number) => {
    expect(++running).toBe(1);
    heard.push(generation);
    await new Promise((resolve) => setImmediate(resolve));
    running--;
    tell();
    throw new Error(`no page of ${generation}`);
  };
  const watch = await watchSnapshot(dir, onGeneration, { intervalMs: 5 });
  for (const name of ["a", "b"]) {
    const told = new Promise<void>((resolve) => {
      tell = resolve;
    });
    await commit(dir, name);
    await told;
  }
  watch.close();
  await new Promise((resolve) => setImmediate(resolve));
  process.off("warning", onWarning);
  expect(heard).toEqual([1, 2]);
  expect(warnings).toEqual(["no page of 1", "no page of 2"]);
});

test("a commit right after watching began is reported every time", async () => {
  for (let round = 0; round < 10; round++) {
    const dir = await temporaryFolder();
    await commit(dir, "a");
    const heard = new Promise<number>((resolve) => {
      void watchSnapshot(dir, resolve, { intervalMs: 5 }).then(() => commit(dir, "b"));
    });
    expect(await heard).toBe(2);
  }
});
