// @module-tag long
import { once } from "node:events";
import { rm, symlink, truncate, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createGzip } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import type { Config } from "../../../src/config/config.js";
import { costLimits } from "../../../src/lib/cost-limits.js";
import { currentManifest } from "../../../src/snapshot/current-manifest.js";
import { generationFile, manifestFile, parts, shardFile } from "../../../src/snapshot/layout.js";
import { openOutput } from "../../../src/snapshot/open-output.js";
import { openFileStore } from "../../../src/snapshot/store/file-store.js";
import { openBucket } from "../../../src/snapshot/store/s3/open-bucket.js";
import { fetchWhole, verifyByPieces } from "../../../src/sync/pull/fetch-files.js";
import { pullFolder } from "../../../src/sync/pull/pull-folder.js";
import { bucketSource, folderSource } from "../../../src/sync/pull/pull-source.js";
import { sampleConfig } from "../../support/sample-config.js";
import { commitSample, story } from "../../support/sample-snapshot.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

/** A size that no process reads: the disk holds nothing of such a file. */
const endless = 2 ** 43;

async function source(shardBytes = 4096, size = 1) {
  const root = await temporaryFolder();
  const [from, to] = [join(root, "from"), join(root, "to")];
  const store = openFileStore(from);
  const content = { _uid: "a", component: "page", text: "x".repeat(size) };
  const { manifest } = await commitSample(
    { editions: { "published/default": [story(1, { content })] }, shardBytes },
    store,
  );
  const part = parts.stories("published/default");
  const shard = shardFile(part, manifest.parts[part]!.shards[0]!);
  const config: Config = {
    ...sampleConfig,
    content: { ...sampleConfig.content, formats: [] },
    output: { ...sampleConfig.output, dir: to },
  };
  const pull = () => pullFolder({ config, source: folderSource(from), output: openOutput({ dir: to }) });
  const here = () => currentManifest(openFileStore(to));
  return { from, shard, pull, here, path: (name: string) => join(from, ...name.split("/")) };
}

const ways: Record<string, (path: string) => Promise<void>> = {
  "a file without end": (path) => truncate(path, endless),
  "a link to /dev/zero": async (path) => {
    await rm(path);
    await symlink("/dev/zero", path);
  },
};

test.each(Object.keys(ways))("a shard that is %s is damaged, and is not read to its end", async (way) => {
  for (const size of [1, 6_000_000]) {
    const { shard, pull, path, here } = await source(8_000_000, size);
    await ways[way]!(path(shard));
    await expect(pull()).rejects.toMatchObject({ code: "SNAPSHOT_DAMAGED", message: expect.stringContaining(shard) });
    expect(await here()).toBeUndefined();
  }
});

test.each(Object.keys(ways))("a pointer that is %s is passed over for the newest generation", async (way) => {
  const { pull, path } = await source();
  await ways[way]!(path(manifestFile));
  expect(await pull()).toMatchObject({ outcome: "pulled", generation: 1 });
});

test.each(Object.keys(ways))("a source whose only manifests are %s has no snapshot that can be read", async (way) => {
  const { pull, path, here } = await source();
  for (const name of [manifestFile, generationFile(1)]) await ways[way]!(path(name));
  await expect(pull()).rejects.toMatchObject({ code: expect.stringMatching(/^SNAPSHOT_(?:DAMAGED|MISSING)$/) });
  expect(await here()).toBeUndefined();
});

test("treats an endlessly nested manifest as damaged, for pull and for the folder itself", async () => {
  const { pull, path, from } = await source();
  for (const name of [manifestFile, generationFile(1)]) await writeFile(path(name), "[".repeat(2_000_000));
  const damaged = { code: "SNAPSHOT_DAMAGED", message: expect.stringContaining("nested deeper") };
  await expect(pull()).rejects.toMatchObject(damaged);
  await expect(currentManifest(openFileStore(from))).rejects.toMatchObject(damaged);
});

/** A bucket that answers every object with bytes that never end; how many it could send before it was cut off. */
async function endlessBucket(encoding: "gzip" | "identity") {
  const sent: Promise<number>[] = [];
  const piece = Buffer.alloc(64 * 1024);
  const server = createServer((request, response) => {
    let bytes = 0;
    let isOver = false;
    request.resume();
    response.writeHead(200, { etag: '"a"', ...(encoding === "gzip" && { "content-encoding": "gzip" }) });
    const into = encoding === "gzip" ? createGzip({ level: 1 }) : response;
    if (into !== response) into.pipe(response);
    const pump = () => {
      while (!isOver) {
        bytes += piece.length;
        if (!into.write(piece)) return void into.once("drain", pump);
      }
    };
    sent.push(
      once(response, "close").then(() => {
        isOver = true;
        return bytes;
      }),
    );
    pump();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const setting = {
    bucket: "b",
    prefix: "p",
    endpoint,
    region: "eu",
    singleWriter: false,
    leaseMs: 60_000,
    cacheBytes: 1e9,
  };
  const env = { AWS_ACCESS_KEY_ID: "key", AWS_SECRET_ACCESS_KEY: "secret-of-test", HOME: "/nowhere" };
  const bucket = openBucket(setting, { env, sleep: async () => {} });
  return { bucket, sentBytes: async () => (await Promise.all(sent)).reduce((sum, one) => sum + one, 0) };
}

/** Bytes that buffers of sockets take; compressed, they stand for more than the sender can count. */
const underWay = 32 * 1024 * 1024;

test.each(["identity", "gzip"] as const)(
  "a bucket whose objects never end is cut off at what they should have: %s",
  async (encoding) => {
    const { bucket, sentBytes } = await endlessBucket(encoding);
    const from = bucketSource(bucket);
    const refused = { code: "STORE_BAD_ANSWER", message: expect.stringContaining("more bytes than expected") };
    const small = { name: "snapshot/a", bytes: 1000, hash: "0".repeat(64) };
    await expect(fetchWhole(from.store, small)).rejects.toMatchObject(refused);
    await expect(verifyByPieces(from.store, { ...small, bytes: 5_000_000 })).rejects.toMatchObject(refused);
    const ofFiles = await sentBytes();
    await expect(from.current()).rejects.toMatchObject(refused);
    const ofAll = await sentBytes();
    if (encoding === "gzip") return;
    expect(ofFiles).toBeLessThan(underWay);
    expect(ofAll).toBeLessThan(costLimits.answerBytes + 2 * underWay);
  },
);
