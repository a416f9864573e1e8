import { describe, expect, test } from "vitest";
import { stageFile } from "../../src/snapshot/layout.js";
import { loadStage, readStage, removeStage, type Stage, saveStage } from "../../src/snapshot/stage.js";
import { createMemoryStore } from "../../src/store/memory-store.js";
import { recordingStore } from "../support/recording-store.js";

const stage: Stage = {
  base: 4,
  settings: "hash",
  startedAt: "2026-01-01T00:00:00.000Z",
  cv: 1_700_000_000,
  parts: { "links/published": { records: 0, shards: [] } },
  editions: { "published/de": { settings: "hash", readUntil: "80000000-0000-4000-8000-000000000000" } },
  covers: ["published"],
};

describe("a stage", () => {
  test("is found again by a sync that starts from the same generation, and by no other", async () => {
    const store = createMemoryStore();
    expect(await loadStage(store, null)).toBeUndefined();
    await saveStage(store, stage);
    expect(await loadStage(store, 4)).toMatchObject(stage);
    expect(await loadStage(store, 5)).toBeUndefined();
    expect(await loadStage(store, null)).toBeUndefined();
    await removeStage(store);
    expect(await loadStage(store, 4)).toBeUndefined();
  });

  test("is written after its objects are durable", async () => {
    const { store, calls } = recordingStore(createMemoryStore());
    await saveStage(store, stage);
    expect(calls).toEqual(["flush", `replace ${stageFile}`]);
  });

  const withShards = (shards: unknown) =>
    JSON.stringify({ format: 2, ...stage, parts: { "links/published": { records: 1, shards } } });
  test.each([
    "",
    "{",
    "null",
    "{}",
    '{"format":3}',
    '{"format":2,"base":4}',
    JSON.stringify({ format: 1, ...stage, unlined: { published: ["a"] } }),
    JSON.stringify({ format: 2, ...stage, pending: { published: "a" } }),
    withShards([{}]),
    withShards([{ prefix: "", hash: "../../secret", records: 1, bytes: 1 }]),
  ])("that reads %j is none", async (text) => {
    const store = createMemoryStore();
    await store.replace(stageFile, Buffer.from(text));
    expect(await readStage(store)).toBeUndefined();
  });
});
