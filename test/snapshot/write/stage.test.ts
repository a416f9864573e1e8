import { describe, expect, test } from "vitest";
import { stageFile } from "../../../src/snapshot/layout.js";
import { createMemoryStore } from "../../../src/snapshot/store/memory-store.js";
import {
  loadStage,
  readStage,
  rebaseStage,
  removeStage,
  type Stage,
  saveStage,
} from "../../../src/snapshot/write/stage.js";
import { replacePart } from "../../../src/snapshot/write/update-part.js";
import { recordingStore } from "../../support/recording-store.js";
import { sampleEdition } from "../../support/sample-draft.js";
import { story } from "../../support/sample-snapshot.js";

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
  test("is resumed only by a sync that starts from the same generation", async () => {
    const store = createMemoryStore();
    expect(await loadStage(store, null)).toBeUndefined();
    await saveStage(store, stage);
    expect(await loadStage(store, 4)).toMatchObject(stage);
    expect(await loadStage(store, 5)).toBeUndefined();
    expect(await loadStage(store, null)).toBeUndefined();
    await removeStage(store);
    expect(await loadStage(store, 4)).toBeUndefined();
  });

  test("of a commit that kept missing stories counts their tags again", async () => {
    const store = createMemoryStore();
    const part = "stories/published/default";
    const line = (id: number, tags: string[]) => JSON.stringify(story(id, { tag_list: tags }));
    const [kept, restored] = [line(1, ["red"]), line(2, ["red", "blue"])].sort();
    const read = await replacePart(store, part, [line(1, ["red"])], 65_536);
    const all = await replacePart(store, part, [kept, restored] as string[], 65_536);
    await saveStage(store, {
      ...stage,
      parts: { [part]: read },
      tagDelta: { published: { red: -1, blue: -1, green: 2 } },
    });
    const committed = {
      generation: 5,
      editions: [sampleEdition()],
      parts: { [part]: all },
      cv: 9,
    };
    await rebaseStage(store, committed);
    expect(await readStage(store)).toMatchObject({
      base: 5,
      parts: { [part]: all },
      tagDelta: { published: { red: 0, blue: 0, green: 2 } },
    });
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
  ])("that reads %j is ignored", async (text) => {
    const store = createMemoryStore();
    await store.replace(stageFile, Buffer.from(text));
    expect(await readStage(store)).toBeUndefined();
  });
});
