import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { typesOfGeneration } from "../../../src/content/model/types-file.js";
import { OffprintError } from "../../../src/lib/errors.js";
import { contentModelsFile } from "../../../src/snapshot/layout.js";
import type { Manifest } from "../../../src/snapshot/manifest.js";
import { openFileStore } from "../../../src/snapshot/store/file-store.js";
import type { Store } from "../../../src/snapshot/store/store.js";
import { recordingStore } from "../../support/recording-store.js";
import { sampleConfig } from "../../support/sample-config.js";
import { commitSample, story } from "../../support/sample-snapshot.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

/** A snapshot of several shards; with a number, one story of it is another one. */
async function commit(dir: string, changed?: number): Promise<Manifest> {
  const stories = Array.from({ length: 60 }, (_, id) =>
    story(id, { content: { _uid: "u", component: "page", [id === changed ? "other" : "title"]: `Story ${id}` } }),
  );
  return (await commitSample({ editions: { "published/default": stories } }, openFileStore(dir))).manifest;
}

/** The store of a folder, and the shards of stories that were read from it. */
function counting(dir: string): { store: Store; read(): string[] } {
  const { store, calls } = recordingStore(openFileStore(dir));
  return { store, read: () => calls.filter((call) => call.startsWith("get snapshot/stories/")) };
}

/** How many shards have a note: before each stands the hash of its shard. */
async function notedShards(dir: string): Promise<number> {
  const text = await readFile(join(dir, contentModelsFile), "latin1");
  return [...text.matchAll(/[0-9a-f]{64} +\d+\n/g)].length;
}

test("reads only changed shards again, and forgets the notes of removed ones", async () => {
  const dir = await temporaryFolder();
  const first = counting(dir);
  await typesOfGeneration(first.store, await commit(dir), sampleConfig);
  expect(first.read().length).toBeGreaterThan(5);
  const noted = await notedShards(dir);
  const second = counting(dir);
  const types = await typesOfGeneration(second.store, await commit(dir, 7), sampleConfig);
  expect(second.read()).toHaveLength(1);
  expect(await notedShards(dir)).toBe(noted);
  const fresh = await temporaryFolder();
  expect(types).toEqual(await typesOfGeneration(openFileStore(fresh), await commit(fresh, 7), sampleConfig));
});

test("a cache that is damaged, cut off or cannot be written changes nothing", async () => {
  const dir = await temporaryFolder();
  const manifest = await commit(dir);
  const store = openFileStore(dir);
  const expected = await typesOfGeneration(store, manifest, sampleConfig);
  const file = join(dir, contentModelsFile);
  const noted = await readFile(file, "utf8");
  for (const damaged of [noted.replace("title", "titel"), noted.slice(0, 500), "", "{}\n", "null"]) {
    await writeFile(file, damaged);
    expect(await typesOfGeneration(store, manifest, sampleConfig)).toEqual(expected);
    expect(await readFile(file, "utf8")).toBe(noted);
  }
  await writeFile(file, "");
  const readOnly = recordingStore(store, (call) => {
    if (call.startsWith("replace ")) throw new OffprintError("OUTPUT_UNUSABLE", "read-only");
  });
  expect(await typesOfGeneration(readOnly.store, manifest, sampleConfig)).toEqual(expected);
});
