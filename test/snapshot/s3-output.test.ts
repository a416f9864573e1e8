import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { startDemo } from "../../demo/start-demo.js";
import { startReplica } from "../../src/server/replica/http/server.js";
import { currentManifest } from "../../src/snapshot/current-manifest.js";
import { trialNoteFile, trialResultFile } from "../../src/snapshot/layout.js";
import type { Manifest } from "../../src/snapshot/manifest.js";
import { readPart } from "../../src/snapshot/read-part.js";
import { openReader } from "../../src/snapshot/reader/open-reader.js";
import type { Store } from "../../src/snapshot/store/store.js";
import { verifySnapshot } from "../../src/snapshot/verify/verify.js";
import type { SyncOptions } from "../../src/sync/sync-options.js";
import { openServedBucket, openTestBucket, realEndpoint, type TestBucket } from "../support/s3-endpoint.js";
import { s3Machine } from "../support/s3-machine.js";
import { startTinySpace } from "../support/tiny-space.js";

/** On a real server the demo space, which the suite has no time for; else a tiny one. */
async function startLoopSpace(): Promise<{ url: string; source?: SyncOptions["source"] }> {
  if (realEndpoint === undefined) return { url: (await startTinySpace({ languages: ["de"] })).url };
  const demo = await startDemo();
  onTestFinished(() => demo.close());
  return { url: "demo:", source: { url: demo.url, hostMap: demo.assetHosts } };
}

/** A machine that reads all of a space. @param url of what it reads */
function loopMachine(url: string, at: TestBucket, prefix: string) {
  const more = `assets: { download: false, metadata: ${realEndpoint !== undefined} }\ncontent: { formats: [] }\n`;
  return s3Machine(url, at, { source: "token: demo, versions: [published, draft]", more, store: { prefix } });
}

async function recordsOf(store: Store, { parts }: Manifest): Promise<Record<string, string[]>> {
  const records: Record<string, string[]> = {};
  for (const [part, entry] of Object.entries(parts)) {
    const lines: string[] = [];
    for await (const { line } of readPart(store, part, entry)) lines.push(line);
    records[part] = lines;
  }
  return records;
}

test("a bucket synced here reads, verifies, serves and syncs on another machine, byte for byte", async () => {
  const { url, source } = await startLoopSpace();
  const at = await openTestBucket();
  const writer = await loopMachine(url, at, "site");
  const report = await writer.sync({ source });
  expect(report).toMatchObject({ outcome: "committed", generation: 1 });
  expect(await readdir(writer.dir)).not.toContain("manifest.json");

  const elsewhere = await loopMachine(url, at, "site");
  const { store } = elsewhere.open();
  const manifest = (await currentManifest(store))!;
  expect((await verifySnapshot(store, { deep: true })).problems).toEqual([]);
  const reader = await openReader(store, manifest);
  const replica = await startReplica({ reader: () => reader, store });
  onTestFinished(() => replica.close());

  const copier = await loopMachine(replica.url, at, "copy");
  expect(await copier.sync()).toMatchObject({ outcome: "committed", generation: 1 });
  const copied = copier.open().store;
  const copy = (await currentManifest(copied))!;
  const [original, again] = [await recordsOf(store, manifest), await recordsOf(copied, copy)];
  for (const records of [original, again]) delete records.assets;
  expect(Object.keys(again)).toEqual(Object.keys(original));
  for (const part of Object.keys(original)) expect(again[part], part).toEqual(original[part]);
  expect({ ...copy.parts, assets: null }).toEqual({ ...manifest.parts, assets: null });
  expect(await elsewhere.sync({ source })).toMatchObject({ outcome: "unchanged", generation: 1 });
}, 120_000);

test("tries the storage before the first write, and then on no machine again", async () => {
  const at = await openTestBucket();
  const space = await startTinySpace();
  const one = await s3Machine(space.url, at);
  expect(await one.sync()).toMatchObject({ outcome: "committed", generation: 1 });
  const note = JSON.parse(await readFile(join(one.dir, ".cache", trialNoteFile), "utf8"));
  expect(note).toMatchObject({ address: `s3://${at.bucket}/site`, verdict: "safe" });
  const inBucket = await at.send({ method: "GET", key: `site/${trialResultFile}` });
  expect(await inBucket.json()).toEqual(note);
  const two = await s3Machine(space.url, at);
  expect(await two.sync()).toMatchObject({ outcome: "unchanged", generation: 1 });
  expect(JSON.parse(await readFile(join(two.dir, ".cache", trialNoteFile), "utf8"))).toEqual(note);
});

describe.skipIf(realEndpoint !== undefined)("what is asked of the storage", () => {
  test("without changes: the pointer and the lease; with one story: its shards, manifest, pointer, lease twice", async () => {
    const at = await openServedBucket();
    const space = await startTinySpace();
    const one = await s3Machine(space.url, at);
    await one.sync();
    const taken = () =>
      at.server.requests
        .splice(0)
        .map(({ method, key, query, status }) => `${method} ${key || `?${query.prefix}`} ${status}`);
    taken();
    expect(await one.sync()).toMatchObject({ outcome: "unchanged" });
    expect(taken()).toEqual(["GET site/manifest.json 304", "GET site/.lease.json 200"]);
    space.cv += 10;
    space.stories[1]!.headline = "First, edited";
    expect(await one.sync()).toMatchObject({ outcome: "committed", generation: 2 });
    const requests = taken().map((request) => request.replace(/\.[0-9a-f]{32}\./, "."));
    expect(requests.filter((request) => !request.startsWith("GET"))).toEqual([
      "PUT site/.lease.json 200",
      "PUT site/snapshot/stories/published/default/all.json 200",
      "PUT site/snapshot/links/published/all.json 200",
      "PUT site/snapshot/generations/00000002.json 200",
      "PUT site/manifest.json 200",
      "PUT site/.lease.json 200",
    ]);
  });

  test("refuses to write to a bucket that ignores conditions, but reads it", async () => {
    const at = await openServedBucket();
    const space = await startTinySpace();
    const one = await s3Machine(space.url, at);
    await one.sync();
    // The trial that went well was of storage that has changed since.
    at.server.fail({ kind: "ignore-conditions" });
    const stored = at.server.bucket(at.bucket);
    await at.send({ method: "DELETE", key: `site/${trialResultFile}` });
    const before = stored.keys();
    space.cv += 10;
    space.stories[0]!.headline = "Edited";
    const two = await s3Machine(space.url, at);
    const asked = space.requests;
    await expect(two.sync()).rejects.toMatchObject({
      code: "STORE_UNSAFE",
      message: expect.stringContaining("create-existing"),
    });
    expect(stored.keys()).toEqual(before);
    expect((await currentManifest(two.open().store))?.generation).toBe(1);
    expect((await verifySnapshot(two.open().store, { deep: true })).problems).toEqual([]);
    // It is tried again the next time.
    await expect(two.sync()).rejects.toMatchObject({ code: "STORE_UNSAFE" });
    const single = await s3Machine(space.url, at, { store: { singleWriter: true } });
    at.server.requests.splice(0);
    expect(await single.sync()).toMatchObject({ outcome: "committed", generation: 2 });
    expect(at.server.requests.filter(({ key }) => key.includes(".offprint-trial"))).toEqual([]);
    expect(space.requests).toBeGreaterThan(asked);
  });
});
