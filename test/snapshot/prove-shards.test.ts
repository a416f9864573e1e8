import { appendFile, mkdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { linesBytes } from "../../src/json/lines.js";
import { buildSnapshot } from "../../src/snapshot/build-snapshot.js";
import { commit } from "../../src/snapshot/commit.js";
import { contentHash } from "../../src/snapshot/content-hash.js";
import { parts, shardFile } from "../../src/snapshot/layout.js";
import type { Manifest, ShardEntry } from "../../src/snapshot/manifest.js";
import { verifySnapshot } from "../../src/snapshot/verify.js";
import { openFileStore } from "../../src/store/file-store.js";
import type { Store } from "../../src/store/store.js";
import { keyLine } from "../support/key-lines.js";
import { recordingStore } from "../support/recording-store.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** Threads load what is compiled: sources look at every shard themselves, which is what the compiled code is held against. */
const compiled = (await import(
  /* @vite-ignore */ new URL("../../dist/src/snapshot/verify.js", import.meta.url).href
)) as typeof import("../../src/snapshot/verify.js");

/** Any amount of work is enough for threads. */
const threadsFrom = 0;

const stories = parts.stories("published/default");
const links = parts.links("published");
const uuids = Array.from(
  { length: 48 },
  (_, n) => `${(n * 5).toString(16).padStart(2, "0")}000000-0000-4000-8000-000000000000`,
);
const image = Buffer.from("image");

/** A snapshot of many small shards in a folder. */
async function sample(): Promise<{
  dir: string;
  store: Store;
  manifest: Manifest;
  file(part: string, at: number): string;
}> {
  const dir = await temporaryFolder();
  const store = openFileStore(dir);
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
  const { manifest } = await buildSnapshot(
    {
      space: { id: 1, name: "Sample" },
      cv: 5,
      parts: {
        [stories]: uuids.map((uuid) => keyLine(uuid)),
        [links]: uuids.map((uuid) => keyLine(uuid)),
        [parts.tags("published")]: ['{"name":"b","taggings_count":1}', '{"name":"a","taggings_count":2}'],
      },
      editions: [{ version: "published", release: null, language: "default" }],
      assets: [{ record, bytes: image }],
      shardBytes: 500,
    },
    store,
  );
  expect(manifest.parts[stories]!.shards.length).toBeGreaterThan(5);
  const file = (part: string, at: number) => join(dir, shardFile(part, manifest.parts[part]!.shards[at]!));
  return { dir, store, manifest, file };
}

/** A shard of these lines in place of the third one of the stories, named by the manifest as if all were well. */
async function replaced(store: Store, manifest: Manifest, lines: readonly string[], more: Partial<ShardEntry> = {}) {
  const shards = [...manifest.parts[stories]!.shards];
  const { prefix } = shards[2]!;
  const bytes = linesBytes(lines);
  const shard = { prefix, hash: contentHash(bytes), records: lines.length, bytes: bytes.length, ...more };
  await store.put(shardFile(stories, shard), bytes);
  shards[2] = shard;
  const records = shards.reduce((sum, one) => sum + one.records, 0);
  await commit(store, { ...manifest, parts: { ...manifest.parts, [stories]: { records, shards } } });
}

type Sample = Awaited<ReturnType<typeof sample>>;

/** The uuids of the third shard of the stories. */
function ownUuids({ manifest }: Sample): [string, string] {
  const shards = manifest.parts[stories]!.shards;
  const before = shards.slice(0, 2).reduce((sum, { records }) => sum + records, 0);
  return [uuids[before]!, uuids[before + 1]!];
}

async function flip(path: string): Promise<void> {
  const bytes = await readFile(path);
  bytes[bytes.length >> 1]! ^= 1;
  await writeFile(path, bytes);
}

const damages: Record<string, (sample: Sample) => Promise<unknown>> = {
  "no damage": async () => undefined,
  "a flipped bit": ({ file }) => flip(file(stories, 1)),
  "flipped bits in several files of several parts": async ({ file }) => {
    for (const at of [4, 0, 2]) await flip(file(stories, at));
    await flip(file(links, 0));
    await flip(file(parts.assets, 0));
    await flip(file(parts.tags("published"), 0));
  },
  "every file of the stories damaged": async ({ file, manifest }) => {
    for (const at of manifest.parts[stories]!.shards.keys()) await truncate(file(stories, at), at);
  },
  "a truncated file": ({ file }) => truncate(file(stories, 0), 1_000),
  "an empty file": ({ file }) => truncate(file(stories, 0), 0),
  "a longer file": ({ file }) => appendFile(file(stories, 0), "\n"),
  "a missing file": ({ file }) => rm(file(stories, 3)),
  "a folder in the place of a file": async ({ file }) => {
    await rm(file(stories, 3));
    await mkdir(file(stories, 3));
  },
  "a missing folder": ({ dir }) => rm(join(dir, "snapshot/stories"), { recursive: true }),
  "a file that no generation names": ({ dir }) =>
    writeFile(join(dir, `snapshot/stories/published/default/0.${"ab".repeat(16)}.json`), "[]\n"),
  "a missing asset": ({ dir }) => rm(join(dir, "assets"), { recursive: true }),
  "records in the wrong order": async (all) => {
    const [a, b] = ownUuids(all);
    await replaced(all.store, all.manifest, [keyLine(b), keyLine(a)]);
  },
  "a record twice": async (all) => {
    const [a] = ownUuids(all);
    await replaced(all.store, all.manifest, [keyLine(a), keyLine(a)]);
  },
  "a record of another shard": ({ store, manifest }) => replaced(store, manifest, [keyLine(uuids.at(-1)!)]),
  "a record without its key": ({ store, manifest }) => replaced(store, manifest, ['{"name":"a"}']),
  "a record that is no JSON": async (all) => {
    const [a] = ownUuids(all);
    await replaced(all.store, all.manifest, [`${keyLine(a)}}`]);
  },
  "records that are spelled in another way": async (all) => {
    const [a, b] = ownUuids(all);
    await replaced(all.store, all.manifest, [`{ "uuid": "${a}" }`, `{"\\u0075uid":"${b}"}`]);
  },
  "fewer records than the entry says": async (all) => {
    const [a] = ownUuids(all);
    await replaced(all.store, all.manifest, [keyLine(a)], { records: 2 });
  },
  "a damaged pointer": ({ dir }) => writeFile(join(dir, "manifest.json"), "{}"),
};

test.each(Object.keys(damages))("threads and the caller itself find the same: %s", async (name) => {
  const all = await sample();
  await damages[name]!(all);
  expect(await compiled.verifySnapshot(all.store, { threadsFrom })).toEqual(await verifySnapshot(all.store));
});

test("threads and the caller itself find the same in a generation before the current one", async () => {
  const all = await sample();
  for (const at of [4, 2]) await flip(all.file(stories, at));
  await commit(all.store, { ...all.manifest, parts: {} });
  const expected = await verifySnapshot(all.store, { all: true });
  expect(expected.damagedGenerations).toEqual([1]);
  expect(await compiled.verifySnapshot(all.store, { all: true, threadsFrom })).toEqual(expected);
});

test("two at once in one process find what each finds alone, and leave the threads to the next", async () => {
  const all = [await sample(), await sample()];
  await flip(all[1]!.file(stories, 1));
  const alone = await Promise.all(all.map(({ store }) => verifySnapshot(store)));
  const verify = ({ store }: { store: Store }) => compiled.verifySnapshot(store, { threadsFrom });
  expect(await Promise.all(all.map(verify))).toEqual(alone);
  const { store: recorded, calls } = recordingStore(all[0]!.store);
  await compiled.verifySnapshot({ ...recorded, folder: all[0]!.dir }, { threadsFrom });
  expect(calls.filter((call) => call.includes(`${stories}/`))).toEqual([]);
});

test("threads read shards of which the caller reads only those that they have not proved", async () => {
  const { dir, store, manifest, file } = await sample();
  await flip(file(stories, 1));
  const { store: recorded, calls } = recordingStore(store);
  await compiled.verifySnapshot({ ...recorded, folder: dir }, { threadsFrom });
  const read = calls.filter((call) => call.includes(`${stories}/`));
  expect(read).toEqual([`get ${shardFile(stories, manifest.parts[stories]!.shards[1]!)}`]);
});

test.each<[string, unknown]>([
  ["dies", 7],
  ["cannot be started", () => undefined],
  ["looks in an empty folder", "/nowhere"],
])("where a thread %s, the caller looks at every shard itself", async (_what, folder) => {
  const { store, file } = await sample();
  await flip(file(stories, 1));
  const broken = { ...store, folder: folder as string };
  expect(await compiled.verifySnapshot(broken, { threadsFrom })).toEqual(await verifySnapshot(store));
  // What one call has taken is given back.
  const { store: recorded, calls } = recordingStore(store);
  await compiled.verifySnapshot({ ...recorded, folder: store.folder! }, { threadsFrom });
  expect(calls.filter((call) => call.includes(`${stories}/`))).toHaveLength(1);
});
