import { describe, expect, test } from "vitest";
import { buildSnapshot } from "../../../demo/build-snapshot.js";
import { contentHash } from "../../../src/lib/content-hash.js";
import { linesBytes } from "../../../src/lib/json/lines.js";
import { assetFile, generationFile, manifestFile, parts, shardFile } from "../../../src/snapshot/layout.js";
import type { Manifest } from "../../../src/snapshot/manifest.js";
import { createMemoryStore } from "../../../src/snapshot/store/memory-store.js";
import type { Store } from "../../../src/snapshot/store/store.js";
import { type VerifyOptions, verifySnapshot } from "../../../src/snapshot/verify/verify.js";
import { commit } from "../../../src/snapshot/write/commit.js";
import { keyLine } from "../../support/key-lines.js";
import { recordingStore } from "../../support/recording-store.js";

const stories = parts.stories("published/default");
const uuids = ["0", "4", "8", "c"].map((digit) => `${digit}0000000-0000-4000-8000-000000000000`);
const image = Buffer.from("image");

describe("verifying", () => {
  test("a whole snapshot counts what it read", async () => {
    const { store } = await sample();
    expect(await verifySnapshot(store)).toMatchObject({
      generation: 1,
      generations: [1],
      records: 4 + 1 + 1,
      assets: 1,
      files: 2 + 4 + 2 + 1,
      problems: [],
      orphans: [],
    });
  });

  test("reads assets in pieces: one may be larger than memory", async () => {
    const { store, calls } = recordingStore((await sample()).store);
    await verifySnapshot(store);
    const assets = calls.filter((call) => / assets\//.test(call));
    expect(assets).toEqual([`read ${assetFile(contentHash(image), "i.png")}`]);
  });

  test("finds one changed, lost or added byte in any file that the snapshot names", async () => {
    const { store } = await sample();
    for (const { name } of await store.list("")) {
      if (name === ".gitattributes") continue;
      const whole = Buffer.from((await store.get(name))!);
      const damaged = Buffer.from(whole);
      const at = damaged.length >> 1;
      damaged[at] = damaged[at]! ^ 1;
      for (const bytes of [damaged, whole.subarray(0, at), Buffer.concat([whole, Buffer.from("x")])]) {
        await store.replace(name, bytes);
        expect(await problemsOf(store), name).toEqual([expect.stringContaining(name)]);
      }
      await store.remove(name);
      expect(await problemsOf(store), name).toEqual([expect.stringContaining(name)]);
      await store.replace(name, whole);
    }
    expect(await problemsOf(store)).toEqual([]);
  });

  test("reports all damage at once, and orphans as no damage", async () => {
    const { store, manifest } = await sample();
    const files = manifest.parts[stories]!.shards.slice(1, 3).map((shard) => shardFile(stories, shard));
    for (const file of files) await store.remove(file);
    const left = `snapshot/stories/published/default/0.${"ab".repeat(16)}.json`;
    await store.put(left, Buffer.from("orphan"));
    await store.put("snapshot/backup.json", Buffer.from("of somebody else"));
    const report = await verifySnapshot(store);
    expect(report.problems.map((problem) => problem.message)).toEqual(
      files.map((file) => expect.stringContaining(file)),
    );
    expect(report.orphans).toEqual([left]);
  });

  test.each<[string, string[], Partial<{ records: number; prefix: string }>]>([
    ["in the wrong order", [keyLine(uuids[1]!), keyLine(uuids[0]!)], {}],
    ["in the wrong order", [keyLine(uuids[0]!), keyLine(uuids[0]!)], {}],
    ["belongs to another shard", [keyLine(uuids[0]!), keyLine(uuids[3]!)], { prefix: "0" }],
    ["a record without a key", ['{"name":"a"}'], {}],
    ["invalid JSON in line 2", [`{"uuid":"${uuids[0]}",}`], {}],
    ["whose field id should be", [`{"uuid":"${uuids[0]}"}`], {}],
  ])("finds a shard that %s, although its hash matches, when it parses records", async (expected, lines, more) => {
    const { store, file } = await committed(linesBytes(lines), { records: lines.length, ...more });
    expect(await problemsOf(store)).toEqual([]);
    expect(await problemsOf(store, { deep: true })).toEqual([expect.stringMatching(`^${file} .*${expected}`)]);
  });

  test.each([
    ["has 1 records: expected 2", linesBytes([keyLine(uuids[0]!)])],
    ["has 3 records: expected 2", linesBytes(uuids.slice(1).map((uuid) => keyLine(uuid)))],
    ["is not a JSON array with one record per line", Buffer.from("")],
  ])("finds a shard that %s, although its hash matches", async (expected, bytes) => {
    const { store, file } = await committed(bytes, { records: 2 });
    for (const deep of [false, true]) {
      expect(await problemsOf(store, { deep })).toEqual([expect.stringContaining(`${file} ${expected}`)]);
    }
  });

  test("finds a wrong count, and an edition without stories", async () => {
    const { store, manifest } = await sample();
    const entry = manifest.parts[stories]!;
    await commit(store, { ...manifest, parts: { [stories]: { ...entry, records: 5 } } });
    expect(await problemsOf(store)).toEqual([expect.stringContaining("counts 5 records")]);
    await commit(store, { ...manifest, parts: {} });
    expect(await problemsOf(store)).toEqual([expect.stringContaining("published/default")]);
  });

  test("checks older generations on request", async () => {
    const { store, manifest } = await sample();
    await commit(store, { ...manifest, parts: { [stories]: { records: 0, shards: [] } } });
    await store.remove(shardFile(stories, manifest.parts[stories]!.shards[0]!));
    expect((await verifySnapshot(store)).problems).toEqual([]);
    expect(await verifySnapshot(store, { all: true })).toMatchObject({ generations: [1, 2], problems: [{}] });
    await store.replace(generationFile(1), Buffer.from("{}"));
    expect(await problemsOf(store)).toEqual([expect.stringContaining(generationFile(1))]);
  });

  test("finds a pointer that lags behind", async () => {
    const { store, manifest } = await sample();
    const pointer = await store.get(manifestFile);
    await commit(store, manifest);
    await store.replace(manifestFile, pointer!);
    expect(await problemsOf(store)).toEqual([`${manifestFile} has generation 1: expected 2.`]);
  });

  test("says that there is no snapshot", async () => {
    await expect(verifySnapshot(createMemoryStore())).rejects.toMatchObject({ code: "SNAPSHOT_MISSING" });
  });
});

/** A snapshot whose only shard has these bytes, and a hash that fits. */
async function committed(bytes: Uint8Array, more: { records: number; prefix?: string }) {
  const shard = { prefix: "", hash: contentHash(bytes), bytes: bytes.length, ...more };
  const { store, manifest } = await sample();
  const file = shardFile(stories, shard);
  await store.put(file, bytes);
  await commit(store, { ...manifest, parts: { [stories]: { records: shard.records, shards: [shard] } } });
  return { store, file };
}

async function sample(): Promise<{ store: Store; manifest: Manifest }> {
  const hash = contentHash(image);
  const record = {
    key: "ab",
    url: "https://a.example/i.png",
    hash,
    name: "i.png",
    type: "image/png",
    bytes: 5,
    uses: 1,
  };
  const built = await buildSnapshot({
    space: { id: 1, name: "Sample" },
    cv: 5,
    parts: { [stories]: uuids.map((uuid) => keyLine(uuid)), [parts.space]: ['{"me":{"id":1}}'] },
    editions: [{ version: "published", release: null, language: "default" }],
    assets: [{ record, bytes: image }],
    shardBytes: 150,
  });
  expect(built.manifest.parts[stories]!.shards).toHaveLength(4);
  expect(await built.store.get(assetFile(hash, "i.png"))).toBeDefined();
  return built;
}

async function problemsOf(store: Store, options?: VerifyOptions): Promise<string[]> {
  const { problems } = await verifySnapshot(store, options);
  for (const problem of problems) expect(problem.code).toBe("SNAPSHOT_DAMAGED");
  return problems.map((problem) => problem.message);
}
