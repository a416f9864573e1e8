import { mkdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Config } from "../../../src/config/config.js";
import { manifestFile, parts, shardFile } from "../../../src/snapshot/layout.js";
import { openOutput } from "../../../src/snapshot/open-output.js";
import { openReadable } from "../../../src/snapshot/open-readable.js";
import { openFileStore } from "../../../src/snapshot/store/file-store.js";
import { createMemoryStore } from "../../../src/snapshot/store/memory-store.js";
import { verifySnapshot } from "../../../src/snapshot/verify/verify.js";
import { pullFolder } from "../../../src/sync/pull/pull-folder.js";
import { bucketSource } from "../../../src/sync/pull/pull-source.js";
import { pullStore } from "../../../src/sync/pull/pull-store.js";
import { createMemoryBucket, type MemoryBucket } from "../../support/memory-bucket.js";
import { sampleConfig } from "../../support/sample-config.js";
import { commitSample, story } from "../../support/sample-snapshot.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const content = (mark: string, changed = 0) => ({
  editions: {
    "published/default": Array.from({ length: 40 }, (_, index) =>
      story(index + 1, { name: index < changed ? mark : "x" }),
    ),
  },
  shardBytes: 4096,
});

/** A bucket with the generations that were committed to the store, and its readers, each on their machine. */
async function sharedBucket() {
  const store = createMemoryStore();
  const bucket = createMemoryBucket();
  const commit = async (mark: string, changed = 40) => {
    const { manifest } = await commitSample(content(mark, changed), store);
    for (const name of bucket.objects.keys()) bucket.set(name, undefined);
    for (const name of await store.names("")) bucket.set(name, await store.get(name));
    bucket.requests.length = 0;
    return manifest;
  };
  return { bucket, commit };
}

async function machine(bucket: MemoryBucket) {
  const dir = join(await temporaryFolder(), "output");
  let isDown = false;
  const fault = () => (isDown ? ("unreachable" as const) : undefined);
  const config: Config = {
    ...sampleConfig,
    content: { ...sampleConfig.content, formats: ["json"], dir: join(dir, "content") },
    assets: { ...sampleConfig.assets, download: false },
    output: {
      ...sampleConfig.output,
      dir,
      store: { bucket: "b", prefix: "p", singleWriter: false, leaseMs: 60_000, cacheBytes: 10_000_000 },
    },
  };
  // Each process knows nothing of the one before but by what is on the disk.
  const client = () => bucket.client({ fault });
  return {
    dir,
    config,
    client,
    cut: (now = true) => {
      isDown = now;
    },
    pull: (more = {}) => pullStore({ config, output: openOutput(config.output, { bucket: client() }), ...more }),
    readable: (onUnreachable?: () => void) => openReadable(config.output, { bucket: client(), onUnreachable }),
  };
}

/** The requests by what they ask for. */
const summary = (requests: readonly string[]) =>
  requests.map((one) => one.replace(/snapshot\/.*\.[0-9a-f]{32}\.json/, "shard"));

test("fetches every shard once, and only the pointer if nothing is new", async () => {
  const { bucket, commit } = await sharedBucket();
  const manifest = await commit("one");
  const { dir, pull, config } = await machine(bucket);
  const shards = Object.values(manifest.parts).flatMap((part) => part.shards).length;
  const report = await pull();
  expect(report).toMatchObject({ outcome: "pulled", generation: 1, from: "s3://b/p", fetched: { files: shards } });
  expect(report.content.written).toBeGreaterThan(0);
  expect(summary(bucket.requests).filter((one) => one === "GET shard")).toHaveLength(shards);
  expect(bucket.requests.filter((one) => !one.startsWith("GET snapshot/"))).toEqual(["GET manifest.json"]);
  bucket.requests.length = 0;
  expect(await pull()).toMatchObject({ outcome: "unchanged", fetched: { files: 0 }, content: { written: 0 } });
  expect(bucket.requests).toEqual(["GET manifest.json 304"]);
  // The snapshot is not in the folder, its content is.
  expect(await openFileStore(dir).get(manifestFile)).toBeUndefined();
  expect(await openFileStore(config.content.dir!).get("index.json")).toBeDefined();
});

test("fetches only the missing shards of a newer generation, and never writes to the bucket", async () => {
  const { bucket, commit } = await sharedBucket();
  await commit("one", 0);
  const { pull } = await machine(bucket);
  await pull();
  await commit("two", 1);
  expect(await pull({ dryRun: true })).toMatchObject({ outcome: "planned", generation: 2 });
  bucket.requests.length = 0;
  const report = await pull();
  expect(report).toMatchObject({ outcome: "pulled", generation: 2, previous: 1 });
  expect(report.fetched.files).toBeLessThan(4);
  expect(bucket.requests.filter((one) => /^(?:PUT|DELETE)/.test(one))).toEqual([]);
});

test("reads the pulled generation while the store is down, with a warning", async () => {
  const { bucket, commit } = await sharedBucket();
  const manifest = await commit("one");
  const { pull, readable, cut } = await machine(bucket);
  await pull();
  cut();
  const warnings: number[] = [];
  const snapshot = readable(() => warnings.push(1));
  expect((await snapshot.current())?.checksum).toBe(manifest.checksum);
  await snapshot.current();
  expect(warnings).toEqual([1]);
  const part = parts.stories("published/default");
  for (const shard of manifest.parts[part]!.shards) {
    expect(await snapshot.store.get(shardFile(part, shard))).toBeDefined();
  }
  await expect(pull()).rejects.toMatchObject({ code: "STORE_UNREACHABLE" });
});

test("does not use an incomplete generation while the store is down", async () => {
  const { bucket, commit } = await sharedBucket();
  await commit("one");
  const { readable, cut } = await machine(bucket);
  cut();
  await expect(readable().current()).rejects.toMatchObject({
    code: "STORE_UNREACHABLE",
    message: expect.stringContaining("This machine has no copy."),
  });
  cut(false);
  await readable().current();
  cut();
  await expect(readable().current()).rejects.toMatchObject({
    code: "STORE_UNREACHABLE",
    message: expect.stringContaining("This machine has only part of the last seen generation, 1."),
    hint: expect.stringContaining("offprint pull"),
  });
});

test("does not use the knowledge about one store for another one", async () => {
  const { bucket, commit } = await sharedBucket();
  await commit("one");
  const { pull, config, client, cut } = await machine(bucket);
  await pull();
  const output = { ...config.output, store: { ...config.output.store!, prefix: "q" } };
  const other = () => openReadable(output, { bucket: client() });
  cut();
  await expect(other().current()).rejects.toMatchObject({
    message: expect.stringContaining("This machine has no copy"),
  });
  cut(false);
  await commit("two");
  bucket.requests.length = 0;
  expect((await other().generation(1))?.generation).toBe(1);
  expect(bucket.requests).toEqual(["GET snapshot/generations/00000001.json"]);
  expect((await other().current())?.generation).toBe(2);
  cut();
  await expect(openReadable(config.output, { bucket: client() }).current()).rejects.toMatchObject({
    code: "STORE_UNREACHABLE",
  });
});

test("the first pull counts as one, even if a reader has filled the cache before", async () => {
  const { bucket, commit } = await sharedBucket();
  await commit("one");
  const { pull, readable } = await machine(bucket);
  await readable().current();
  expect(await pull()).toMatchObject({ outcome: "pulled", previous: null });
  expect(await pull()).toMatchObject({ outcome: "unchanged", previous: 1 });
});

test("fails and reports a cache that does not keep the fetched files", async () => {
  const { bucket, commit } = await sharedBucket();
  await commit("one");
  const { dir, config, client } = await machine(bucket);
  await mkdir(dir, { recursive: true });
  await writeFile(join(dir, "file"), "");
  const store = { ...config.output.store!, cacheDir: join(dir, "file", "cache") };
  const unusable = { ...config, output: { ...config.output, store } };
  const output = openOutput(unusable.output, { bucket: client() });
  await expect(pullStore({ config: unusable, output })).rejects.toMatchObject({
    code: "OUTPUT_UNUSABLE",
    message: expect.stringMatching(/^(\d+) of \1 files of generation 1 could not be kept/),
  });
});

test("does not evict cached files of a generation for the rest of it", async () => {
  const { bucket, commit } = await sharedBucket();
  await commit("one", 2);
  const { pull, config, client } = await machine(bucket);
  await pull();
  const cache = openFileStore(join(config.output.dir, ".cache"));
  const files = await cache.list("");
  const long = new Date(Date.now() - 86_400_000);
  for (const { name } of files) await utimes(join(config.output.dir, ".cache", name), long, long);
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  // Of a generation that nobody needs any more, and read a moment ago.
  await cache.replace("snapshot/old.json", Buffer.alloc(bytes));
  const manifest = await commit("two", 3);
  const store = { ...config.output.store!, cacheBytes: 2 * bytes };
  const small = { ...config, output: { ...config.output, store } };
  await pullStore({ config: small, output: openOutput(small.output, { bucket: client() }) });
  for (const [part, { shards }] of Object.entries(manifest.parts)) {
    for (const shard of shards) expect(await cache.get(shardFile(part, shard)), part).toBeDefined();
  }
  expect(await cache.get("snapshot/old.json")).toBeUndefined();
});

test("refuses a generation that would lose a part when the cache makes room, and keeps a smaller one", async () => {
  const { bucket, commit } = await sharedBucket();
  await commit("one");
  const { pull, config, client } = await machine(bucket);
  await pull();
  const manifest = await commit("two");
  const bytes = Object.values(manifest.parts).flatMap(({ shards }) => shards.map((shard) => shard.bytes));
  const sum = bytes.reduce((all, one) => all + one, 0);
  const pullInto = (cacheBytes: number) => {
    // To render content, the generation before is read, too.
    const { dir: _, ...content } = { ...config.content, formats: [] };
    const small = { ...config, content, output: { ...config.output, store: { ...config.output.store!, cacheBytes } } };
    return pullStore({ config: small, output: openOutput(small.output, { bucket: client() }) });
  };
  await expect(pullInto(Math.ceil(sum * 1.05))).rejects.toMatchObject({ code: "USAGE" });
  expect(await pullInto(Math.ceil(sum * 1.15))).toMatchObject({ outcome: "pulled", generation: 2 });
  const cache = openFileStore(join(config.output.dir, ".cache"));
  for (const [part, { shards }] of Object.entries(manifest.parts)) {
    for (const shard of shards) expect(await cache.get(shardFile(part, shard)), part).toBeDefined();
  }
});

test("finds a pinned generation after the pointer has moved on, without listing the bucket", async () => {
  const { bucket, commit } = await sharedBucket();
  await commit("one");
  const { readable } = await machine(bucket);
  const first = readable();
  await first.current();
  await commit("two");
  const second = readable();
  expect((await second.current())?.generation).toBe(2);
  expect((await second.generation(1))?.generation).toBe(1);
  expect(bucket.requests.filter((one) => one.startsWith("LIST"))).toEqual([]);
});

test("reports a damaged shard of the store", async () => {
  const { bucket, commit } = await sharedBucket();
  const manifest = await commit("one");
  const part = parts.stories("published/default");
  const name = shardFile(part, manifest.parts[part]!.shards[1]!);
  bucket.set(name, Buffer.from("[]"));
  const { pull } = await machine(bucket);
  await expect(pull()).rejects.toMatchObject({
    code: "SNAPSHOT_DAMAGED",
    message: expect.stringContaining(`s3://b/p: ${name} has 2 bytes`),
  });
});

test("refuses a cache that is too small for a generation before it fetches anything", async () => {
  const { bucket, commit } = await sharedBucket();
  await commit("one");
  const { config, client } = await machine(bucket);
  const store = { ...config.output.store!, cacheBytes: 1000 };
  const small = { ...config, output: { ...config.output, store } };
  const output = openOutput(small.output, { bucket: client() });
  await expect(pullStore({ config: small, output })).rejects.toMatchObject({ code: "USAGE" });
  expect(bucket.requests).toEqual(["GET manifest.json"]);
});

test("pulls a bucket into a folder: pointer, manifest and shards, and then the pointer alone", async () => {
  const { bucket, commit } = await sharedBucket();
  const manifest = await commit("one");
  const { client, config } = await machine(bucket);
  const dir = await temporaryFolder();
  await mkdir(dir, { recursive: true });
  const { store: _, ...output } = config.output;
  const own = { ...config, content: { ...config.content, formats: [] }, output: { ...output, dir } };
  const pull = () => pullFolder({ config: own, source: bucketSource(client()), output: openOutput({ dir }) });
  const shards = Object.values(manifest.parts).flatMap((part) => part.shards).length;
  expect(await pull()).toMatchObject({ outcome: "pulled", requests: shards + 2, fetched: { files: shards } });
  expect((await verifySnapshot(openFileStore(dir), { deep: true })).problems).toEqual([]);
  bucket.requests.length = 0;
  expect(await pull()).toMatchObject({ outcome: "unchanged", requests: 1 });
  expect(bucket.requests).toEqual(["GET manifest.json 304"]);
});
