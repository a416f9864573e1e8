import { describe, expect, test } from "vitest";
import { currentManifest, listGenerations } from "../../../src/snapshot/current-manifest.js";
import { cursorText } from "../../../src/snapshot/cursors.js";
import { assetFile, cursorFile, generationFile, manifestFile, parts, shardFile } from "../../../src/snapshot/layout.js";
import type { AssetRecord, PartEntry } from "../../../src/snapshot/manifest.js";
import { createMemoryStore } from "../../../src/snapshot/store/memory-store.js";
import type { Store } from "../../../src/snapshot/store/store.js";
import { verifySnapshot } from "../../../src/snapshot/verify/verify.js";
import { commit } from "../../../src/snapshot/write/commit.js";
import { prune } from "../../../src/snapshot/write/prune.js";
import { saveStage } from "../../../src/snapshot/write/stage.js";
import { replacePart } from "../../../src/snapshot/write/update-part.js";
import { recordingStore } from "../../support/recording-store.js";
import { sampleDraft } from "../../support/sample-draft.js";

const startMs = Date.parse("2026-01-01T00:00:00.000Z");
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

describe("pruning", () => {
  test("keeps the newest generations by number", async () => {
    const store = await history([0, dayMs, 2 * dayMs, 3 * dayMs, 4 * dayMs]);
    expect((await prune(store, 3, startMs + 10 * dayMs)).generations).toEqual([1, 2]);
    expect(await listGenerations(store)).toEqual([3, 4, 5]);
    expect(await verifySnapshot(store, { all: true, deep: true })).toMatchObject({
      generations: [3, 4, 5],
      problems: [],
      orphans: [],
    });
    expect((await prune(store, 1, startMs + 10 * dayMs)).generations).toEqual([3, 4]);
    expect(await listGenerations(store)).toEqual([5]);
  });

  test("keeps all generations superseded within the last hour", async () => {
    const store = await history([0, 10, 20, 30, 75].map((minutes) => minutes * minuteMs));
    const now = startMs + 85 * minuteMs;
    // Generation 2 was superseded 65 minutes ago, 3 was 55 minutes ago.
    expect((await prune(store, 1, now)).generations).toEqual([1, 2]);
    expect(await listGenerations(store)).toEqual([3, 4, 5]);
  });

  test("keeps a generation for a consumer's cursor, for a limited time after it was superseded", async () => {
    const store = await history([0, dayMs, 2 * dayMs, 3 * dayMs, 4 * dayMs]);
    const consumersKeepMs = 30 * dayMs;
    await pointCursor(store, "search", 2, startMs + dayMs);
    expect((await prune(store, 1, startMs + 20 * dayMs, { consumersKeepMs })).generations).toEqual([1, 3, 4]);
    expect(await verifySnapshot(store, { all: true, deep: true })).toMatchObject({
      generations: [2, 5],
      problems: [],
      orphans: [],
    });
    // Its successor is gone, and with it the date. It was superseded on day 2.
    expect((await prune(store, 1, startMs + 32 * dayMs - 1, { consumersKeepMs })).generations).toEqual([]);
    expect((await prune(store, 1, startMs + 32 * dayMs, { consumersKeepMs })).generations).toEqual([2]);
    await prune(store, 1, startMs + 33 * dayMs, { consumersKeepMs });
    expect((await store.list(".consumers")).map(({ name }) => name)).toEqual([cursorFile("search")]);
  });

  test("counts from a later cursor; damaged and foreign cursors keep nothing", async () => {
    const store = await history([0, dayMs, 2 * dayMs]);
    const consumersKeepMs = 30 * dayMs;
    await pointCursor(store, "search", 1, startMs + 20 * dayMs);
    await pointCursor(store, "gone", 99, startMs + 20 * dayMs);
    await store.replace(cursorFile("site"), Buffer.from('{"generation":2}'));
    expect((await prune(store, 1, startMs + 45 * dayMs, { consumersKeepMs })).generations).toEqual([2]);
    expect((await prune(store, 1, startMs + 50 * dayMs, { consumersKeepMs })).generations).toEqual([1]);
  });

  test("removes objects that only old generations use, and keeps shared ones", async () => {
    const store = await history([0, dayMs, 2 * dayMs]);
    const before = await verifySnapshot(store, { all: true, deep: true });
    expect(before.orphans).toEqual([]);
    const { objects } = await prune(store, 1, startMs + 10 * dayMs);
    // The space of each old generation, the assets part of the first, and the asset that only it names.
    expect(objects).toBe(4);
    expect((await store.list("assets")).map((entry) => entry.name)).toEqual([assetFile(hashOf("2"), "2.png")]);
    expect(await verifySnapshot(store, { deep: true })).toMatchObject({ problems: [], orphans: [], assets: 1 });
  });

  test("removes manifests, makes that durable, then removes objects", async () => {
    const { store, calls } = recordingStore(await history([0, dayMs]));
    await prune(store, 1, startMs + 10 * dayMs);
    const writes = calls.filter((call) => !/^(get|list)/.test(call));
    expect(writes.slice(0, 2)).toEqual([`remove ${generationFile(1)}`, "flush"]);
    expect(writes.at(-1)).toBe("flush");
    expect(writes.slice(2, -1).every((call) => /^remove (snapshot\/(space|assets)|assets\/)/.test(call))).toBe(true);
  });

  test("removes orphans of an interrupted sync, but not what a stage names", async () => {
    const store = await history([0]);
    const orphan = shard(await replacePart(store, parts.space, ['{"me":{"id":77}}'], 100));
    const staged = await replacePart(store, parts.tags("published"), ['{"name":"staged"}'], 100);
    await saveStage(store, {
      base: 1,
      settings: "",
      startedAt: "2026-01-01T00:00:00.000Z",
      cv: null,
      parts: { [parts.tags("published")]: staged },
      editions: {},
      covers: [],
    });
    expect(await prune(store, 3, startMs)).toEqual({ generations: [], objects: 1 });
    expect(await store.get(shardFile(parts.space, orphan))).toBeUndefined();
    expect(await store.get(shardFile(parts.tags("published"), shard(staged)))).toBeDefined();
  });

  test("never touches content or a file outside of the snapshot", async () => {
    const store = await history([0, dayMs]);
    const others = ["content/a.md", "mine.txt", ".state.json"];
    // A site's bucket may have had files below these names before its snapshot.
    const below = ["assets/logo.png", "assets/css/site.css", "snapshot/backup.tar", "snapshot/generations/notes.txt"];
    for (const name of [...others, ...below]) await store.replace(name, Buffer.from("mine"));
    await prune(store, 1, startMs + 10 * dayMs);
    for (const name of [...others, ...below]) {
      expect([name, Buffer.from((await store.get(name)) ?? []).toString()]).toEqual([name, "mine"]);
    }
  });

  test("never removes the current generation, also when its own file is damaged", async () => {
    const store = await history([0, dayMs]);
    await store.replace(generationFile(2), Buffer.from("{}"));
    await prune(store, 1, startMs + 10 * dayMs);
    expect((await currentManifest(store))?.generation).toBe(2);
    expect((await verifySnapshot(store, { deep: true })).problems).toMatchObject([
      { code: "SNAPSHOT_DAMAGED", message: expect.stringContaining(generationFile(2)) },
    ]);
  });

  test("does not count a damaged generation, and removes it", async () => {
    const store = await history([0, dayMs, 2 * dayMs, 3 * dayMs]);
    await store.replace(generationFile(3), Buffer.from("{}"));
    await prune(store, 2, startMs + 10 * dayMs);
    expect(await listGenerations(store)).toEqual([2, 4]);
    expect((await verifySnapshot(store, { all: true, deep: true })).problems).toEqual([]);
  });

  test("removes nothing if a required file cannot be read", async () => {
    const store = await history([0, dayMs]);
    const assets = (await currentManifest(store))!.parts[parts.assets]!;
    await store.remove(shardFile(parts.assets, shard(assets)));
    const before = await store.list("");
    await expect(prune(store, 1, startMs + 10 * dayMs)).rejects.toMatchObject({ code: "SNAPSHOT_DAMAGED" });
    await store.replace(manifestFile, Buffer.from("{}"));
    expect((await store.list("")).map((entry) => entry.name)).toEqual(before.map((entry) => entry.name));
  });

  test("without a snapshot does nothing", async () => {
    expect(await prune(createMemoryStore(), 3, startMs)).toEqual({ generations: [], objects: 0 });
  });
});

/** Generations committed at these times: shared tags, a space record each; assets 1 and 2, of which later ones keep 2. */
async function history(timesMs: readonly number[]): Promise<Store> {
  const store = createMemoryStore();
  for (const id of ["1", "2"]) await store.put(assetFile(hashOf(id), `${id}.png`), Buffer.from(id));
  for (const [index, timeMs] of timesMs.entries()) {
    const assets = index === 0 ? [asset("1"), asset("2")] : [asset("2"), asset(null)];
    await commit(
      store,
      sampleDraft({
        editions: [],
        committedAt: new Date(startMs + timeMs).toISOString(),
        parts: {
          [parts.tags("published")]: await replacePart(
            store,
            parts.tags("published"),
            ['{"name":"a","taggings_count":1}'],
            100,
          ),
          [parts.space]: await replacePart(store, parts.space, [`{"me":{"id":${index}}}`], 100),
          [parts.assets]: await replacePart(
            store,
            parts.assets,
            assets.map((record) => JSON.stringify(record)),
            10_000,
          ),
        },
      }),
    );
  }
  return store;
}

function asset(id: string | null): AssetRecord {
  return {
    key: hashOf(id ?? "missing"),
    url: `https://assets.example/${id}`,
    hash: id === null ? null : hashOf(id),
    name: `${id}.png`,
    type: "image/png",
    bytes: 1,
    uses: 1,
  };
}

/** SHA-256 of "1" and "2", which the assets hold; anything else for an asset that is missing. */
function hashOf(id: string): string {
  if (id === "1") return "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b";
  if (id === "2") return "d4735e3a265e16eee03f59718b9b5d03019c07d8b6c51f90da3a666eec13ab35";
  return "f".repeat(64);
}

function shard(entry: PartEntry) {
  return entry.shards[0]!;
}

async function pointCursor(store: Store, consumer: string, generation: number, movedMs: number): Promise<void> {
  const movedAt = new Date(movedMs).toISOString();
  const cursor = { consumer, space: null, generation, checksum: "", settings: "", movedAt };
  await store.replace(cursorFile(consumer), Buffer.from(cursorText(cursor)));
}
