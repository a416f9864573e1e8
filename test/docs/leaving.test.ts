import { spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { openSnapshot } from "../../src/index.js";
import { openReader } from "../../src/snapshot/reader/open-reader.js";
import { recordsOf } from "../../src/snapshot/reader/shard-bytes.js";
import { openFileStore } from "../../src/snapshot/store/file-store.js";
import { commitSample, type SampleContent, story } from "../support/sample-snapshot.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const program = resolve(import.meta.dirname, "read_snapshot.py");
const edition = "published/default";
const content: SampleContent = {
  editions: {
    [edition]: Array.from({ length: 40 }, (_, at) => story(at + 1, { name: `Über "${at}"\u2028` })),
    "published/de": [story(1, { full_slug: "de/story-1" })],
  },
  parts: { datasources: [{ id: 7, name: "Colours", slug: "colours", dimensions: [] }] },
  // Small shards, so that the program reads several.
  shardBytes: 2048,
};

/** What the program prints of a part, by its exit code. A machine without python3 fails here. */
function readWithPython(output: string, part: string): { status: number | null; records: unknown[]; stderr: string } {
  const { error, status, stdout, stderr } = spawnSync("python3", [program, output, part], { encoding: "utf8" });
  if (error !== undefined) throw error;
  const lines = stdout.split("\n").slice(0, -1);
  return { status, records: lines.map((line) => JSON.parse(line)), stderr };
}

async function sampleFolder() {
  const output = await temporaryFolder();
  const { manifest } = await commitSample(content, openFileStore(output));
  return { output, manifest };
}

test("the Python program reads the stories that openSnapshot returns", { timeout: 120_000 }, async () => {
  const { output, manifest } = await sampleFolder();
  expect(manifest.parts[`stories/${edition}`]?.shards.length).toBeGreaterThan(3);
  await using snapshot = await openSnapshot(output, { generation: manifest.generation });
  const expected = [];
  for await (const { url: _, language: __, ...record } of snapshot.stories({ order: "stored" }, { resolve: false }))
    expected.push(record);
  expect(expected).toHaveLength(40);
  expect(readWithPython(output, `stories/${edition}`)).toEqual({ status: 0, records: expected, stderr: "" });
});

test("the Python program reads parts with and without keys", { timeout: 120_000 }, async () => {
  const { output, manifest } = await sampleFolder();
  const reader = await openReader(openFileStore(output), manifest);
  expect(readWithPython(output, "datasources").records).toEqual(reader.datasources());
  const rows = reader
    .shards("links/published")
    .flatMap((shard) => recordsOf(shard).map((bytes) => JSON.parse(String(bytes))));
  expect(readWithPython(output, "links/published").records).toEqual(rows);
});

test("the Python program stops at a shard whose hash differs", { timeout: 120_000 }, async () => {
  const { output, manifest } = await sampleFolder();
  const [{ prefix, hash } = { prefix: "", hash: "" }] = manifest.parts[`stories/${edition}`]?.shards ?? [];
  const name = `stories/${edition}/${prefix}.${hash.slice(0, 32)}.json`;
  await writeFile(join(output, "snapshot", name), "[]\n");
  const { status, stderr } = readWithPython(output, `stories/${edition}`);
  expect([status, stderr]).toEqual([1, `${name} is damaged\n`]);
});

test("docs/leaving.md shows the Python program, whole, and it has 35 lines at most", async () => {
  const text = await readFile(program, "utf8");
  expect(text.split("\n").length - 1).toBeLessThanOrEqual(35);
  const page = await readFile(resolve(import.meta.dirname, "../../docs/leaving.md"), "utf8");
  const [, shown] = /^```python title="read_snapshot.py"\n([\s\S]*?)^```$/m.exec(page) ?? [];
  expect(shown).toBe(text);
});
