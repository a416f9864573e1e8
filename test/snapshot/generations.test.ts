import { describe, expect, test } from "vitest";
import { currentManifest, listGenerations, readManifest } from "../../src/snapshot/current-manifest.js";
import { attributesFile, generationFile, manifestFile, parts } from "../../src/snapshot/layout.js";
import { createMemoryStore } from "../../src/snapshot/store/memory-store.js";
import type { Store } from "../../src/snapshot/store/store.js";
import { commit, recoverPointer } from "../../src/snapshot/write/commit.js";
import { replacePart } from "../../src/snapshot/write/update-part.js";
import { recordingStore } from "../support/recording-store.js";
import { sampleDraft, sampleEdition } from "../support/sample-draft.js";

describe("a commit", () => {
  test("numbers generations from 1, records the previous one, and points to the newest", async () => {
    const store = createMemoryStore();
    expect(await currentManifest(store)).toBeUndefined();
    const first = await commit(store, sampleDraft());
    const second = await commit(store, sampleDraft({ cv: 1_700_000_100 }));
    expect([first.generation, first.previous, second.generation, second.previous]).toEqual([1, null, 2, 1]);
    expect(await currentManifest(store)).toEqual(second);
    expect(await readManifest(store, 1)).toEqual(first);
    expect(await listGenerations(store)).toEqual([1, 2]);
    expect(await textOf(store, manifestFile)).toBe(await textOf(store, generationFile(2)));
    expect(await textOf(store, attributesFile)).toBe("* -text\n");
  });

  test("makes the objects durable, then creates the manifest, then replaces the pointer", async () => {
    const { store, calls } = recordingStore(createMemoryStore());
    const entry = await replacePart(store, parts.space, ['{"me":{}}'], 100);
    await commit(store, sampleDraft({ parts: { [parts.space]: entry } }));
    const writes = calls.filter((call) => !/^(get|list)/.test(call));
    expect(writes).toEqual([
      expect.stringMatching(/^put snapshot\/space\.[0-9a-f]{32}\.json$/),
      "replace .gitattributes",
      "flush",
      "advance snapshot/generations/00000001.json",
      "replace manifest.json",
      "flush",
    ]);
  });

  test("has the level of its weakest edition", async () => {
    const editions = [sampleEdition(), sampleEdition({ name: "draft/default", version: "draft", level: "stable" })];
    expect((await commit(createMemoryStore(), sampleDraft({ editions }))).level).toBe("stable");
    const weaker = [...editions, sampleEdition({ name: "published/de", level: "interval" })];
    expect((await commit(createMemoryStore(), sampleDraft({ editions: weaker, level: "exact" }))).level).toBe(
      "interval",
    );
  });

  test("leaves an existing .gitattributes alone", async () => {
    const store = createMemoryStore();
    await store.replace(attributesFile, Buffer.from("* text\n"));
    await commit(store, sampleDraft());
    expect(await textOf(store, attributesFile)).toBe("* text\n");
  });

  test("lets one of two concurrent writers win", async () => {
    const store = createMemoryStore();
    await commit(store, sampleDraft());
    const results = await Promise.allSettled(
      Array.from({ length: 8 }, () => commit(store, sampleDraft(), { base: 1 })),
    );
    expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(1);
    for (const result of results) {
      if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "LOCKED" });
    }
    expect(await listGenerations(store)).toEqual([1, 2]);
  });

  test("by a writer that started from an older generation changes nothing", async () => {
    const store = createMemoryStore();
    await commit(store, sampleDraft());
    const second = await commit(store, sampleDraft(), { base: 1 });
    await expect(commit(store, sampleDraft(), { base: 1 })).rejects.toMatchObject({ code: "LOCKED" });
    await expect(commit(store, sampleDraft(), { base: null })).rejects.toMatchObject({ code: "LOCKED" });
    expect(await currentManifest(store)).toEqual(second);
  });
});

describe("the current generation", () => {
  test("is the committed one if the writer stopped before it replaced the pointer", async () => {
    const store = createMemoryStore();
    const first = await commit(store, sampleDraft());
    const stopped = recordingStore(store, (call) => {
      if (call === "replace manifest.json") throw new Error("killed");
    });
    await expect(commit(stopped.store, sampleDraft())).rejects.toThrow("killed");
    expect(JSON.parse(await textOf(store, manifestFile))).toEqual(first);
    expect((await currentManifest(store))?.generation).toBe(2);
    expect((await recoverPointer(store))?.generation).toBe(2);
    expect(JSON.parse(await textOf(store, manifestFile)).generation).toBe(2);
  });

  test("is the previous one if the writer stopped at any earlier step", async () => {
    for (const step of ["put", "replace .gitattributes", "flush", "advance"]) {
      const store = createMemoryStore();
      const first = await commit(store, sampleDraft());
      await store.remove(attributesFile);
      const stopped = recordingStore(store, (call) => {
        if (call.startsWith(step)) throw new Error("killed");
      });
      const write = async () => {
        const entry = await replacePart(stopped.store, parts.space, ['{"me":{}}'], 100);
        await commit(stopped.store, sampleDraft({ parts: { [parts.space]: entry } }));
      };
      await expect(write()).rejects.toThrow("killed");
      expect(await currentManifest(store)).toEqual(first);
    }
  });

  test.each(["", "{", "<html>", '{"format":1}'])("is found without the pointer, or with %j in it", async (text) => {
    const store = createMemoryStore();
    await commit(store, sampleDraft());
    const second = await commit(store, sampleDraft());
    await store.replace(manifestFile, Buffer.from(text));
    expect(await currentManifest(store)).toEqual(second);
    await store.remove(manifestFile);
    expect(await currentManifest(store)).toEqual(second);
    expect(await recoverPointer(store)).toEqual(second);
    expect(JSON.parse(await textOf(store, manifestFile))).toEqual(second);
  });

  test("is the newest that verifies, and its successor skips the damaged number", async () => {
    const store = createMemoryStore();
    const first = await commit(store, sampleDraft());
    await commit(store, sampleDraft());
    for (const file of [manifestFile, generationFile(2)]) {
      const text = await textOf(store, file);
      await store.replace(file, Buffer.from(text.replace("1700000000", "1700000001")));
    }
    expect(await currentManifest(store)).toEqual(first);
    await expect(readManifest(store, 2)).rejects.toMatchObject({
      code: "SNAPSHOT_DAMAGED",
      message: expect.stringContaining(generationFile(2)),
    });
    expect((await commit(store, sampleDraft(), { base: 1 })).generation).toBe(3);
  });

  test("is not an older one under a newer number", async () => {
    const store = createMemoryStore();
    const first = await commit(store, sampleDraft());
    await store.replace(generationFile(7), Buffer.from(await textOf(store, generationFile(1))));
    expect(await currentManifest(store)).toEqual(first);
  });

  test("is an error if none verifies; a new commit repairs it", async () => {
    const store = createMemoryStore();
    await commit(store, sampleDraft());
    for (const file of [manifestFile, generationFile(1)]) await store.replace(file, Buffer.from("{}"));
    await expect(currentManifest(store)).rejects.toMatchObject({
      code: "SNAPSHOT_DAMAGED",
      message: expect.stringContaining(manifestFile),
    });
    expect((await commit(store, sampleDraft(), { base: null })).generation).toBe(2);
    expect((await currentManifest(store))?.generation).toBe(2);
  });

  test("of a newer format is never stepped over", async () => {
    const store = createMemoryStore();
    await commit(store, sampleDraft());
    const newer = Buffer.from((await textOf(store, manifestFile)).replace('"format": 1', '"format": 2'));
    await store.replace(generationFile(2), newer);
    await expect(currentManifest(store)).rejects.toMatchObject({ code: "SNAPSHOT_FORMAT" });
    await expect(commit(store, sampleDraft())).rejects.toMatchObject({ code: "SNAPSHOT_FORMAT" });
  });

  test("costs one read and one listing; needless recovery writes nothing", async () => {
    const { store, calls } = recordingStore(createMemoryStore());
    await commit(store, sampleDraft());
    calls.length = 0;
    await currentManifest(store);
    expect(calls).toEqual(["get manifest.json", "list snapshot/generations"]);
    await recoverPointer(store);
    expect(calls.filter((call) => !/^(get|list)/.test(call))).toEqual([]);
  });
});

test("a pruned generation is missing, not damaged", async () => {
  const store = createMemoryStore();
  await commit(store, sampleDraft());
  await expect(readManifest(store, 9)).rejects.toMatchObject({
    code: "SNAPSHOT_MISSING",
    hint: expect.stringContaining("1"),
  });
});

async function textOf(store: Store, name: string): Promise<string> {
  return Buffer.from((await store.get(name)) ?? []).toString();
}
