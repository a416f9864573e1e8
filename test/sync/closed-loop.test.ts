import { expect, onTestFinished, test } from "vitest";
import { startDemo } from "../../demo/start-demo.js";
import { startReplica } from "../../src/server/replica/http/server.js";
import { openOutput } from "../../src/snapshot/open-output.js";
import { openReader } from "../../src/snapshot/reader/open-reader.js";
import { syncFolder } from "../support/sync-folder.js";

const everything = (url: string, release: string) =>
  `source:\n  url: ${url}\n  token: demo\n  versions: [published, draft]\n  releases: ["${release}"]\nassets: { download: false, metadata: true }\ncontent: { formats: [] }\n`;

test("sync, serve, sync from that: the same records, byte for byte", async () => {
  const demo = await startDemo();
  onTestFinished(() => demo.close());
  const { demoSpace } = await import("../../demo/demo-space.js");
  const release = demoSpace().editions.find((edition) => edition.release !== null)?.release ?? "";
  const first = await syncFolder(everything("'demo:'", release));
  const report = await first.sync({ source: { url: demo.url, hostMap: demo.assetHosts } });
  expect(report).toMatchObject({ outcome: "committed", consistency: "stable" });

  const { store } = openOutput({ dir: first.output });
  const reader = await openReader(store, await first.manifest());
  const replica = await startReplica({ reader: () => reader, store });
  onTestFinished(() => replica.close());
  const second = await syncFolder(everything(replica.url, release));
  await second.sync();

  const [original, copy] = [await first.records(), await second.records()];
  // Which assets could be fetched is no record of the space.
  for (const records of [original, copy]) delete records.assets;
  expect(Object.keys(copy)).toEqual(Object.keys(original));
  for (const part of Object.keys(original)) expect(copy[part], part).toEqual(original[part]);
  // The same records in the same shards: the files themselves are the same.
  expect({ ...(await second.manifest()).parts, assets: null }).toEqual({
    ...(await first.manifest()).parts,
    assets: null,
  });
  expect(original["variants/published/default"]?.length).toBeGreaterThan(0);
  expect(original["asset-metadata"]?.length).toBeGreaterThan(0);
});

test("stores the demo space byte for byte", async () => {
  const demo = await startDemo();
  onTestFinished(() => demo.close());
  const { demoSpace } = await import("../../demo/demo-space.js");
  const folder = await syncFolder(
    "source: { url: 'demo:', token: demo, versions: [published, draft] }\ncontent: { formats: [] }\n",
  );
  await folder.sync({ source: { url: demo.url, hostMap: demo.assetHosts } });
  const records = await folder.records();
  for (const [part, lines] of Object.entries(demoSpace().parts)) {
    if (part.includes("@") || part === "space") continue;
    expect([...(records[part] ?? [])].sort(), part).toEqual([...lines].sort());
  }
});
