// @module-tag long
import { createHash } from "node:crypto";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { currentManifest } from "../../src/snapshot/current-manifest.js";
import { generationFile, manifestFile, shardFile } from "../../src/snapshot/layout.js";
import type { Manifest } from "../../src/snapshot/manifest.js";
import { manifestText, withChecksum } from "../../src/snapshot/manifest-text.js";
import { openOutput } from "../../src/snapshot/open-output.js";
import { runCommand } from "../support/run-command.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { openTinySpace, type TinySpace } from "../support/tiny-space.js";

type Records = Record<string, unknown>[];

/** Builds what an attacker writes in place of a part's records: the value of its file, or the text. */
interface Way {
  part: string;
  make: (records: Records) => unknown;
  /** The text that `verify --deep` prints next to the file name. */
  says: string;
  /** The record count in the manifest, if the file is not a list. */
  records?: number;
}

const first = (change: object) => (records: Records) => [{ ...records[0], ...change }, ...records.slice(1)];
const without = (field: string) => (records: Records) => {
  const { [field]: _, ...rest } = records[0] ?? {};
  return [rest, ...records.slice(1)];
};
const stories = "stories/published/default";

const ways: Record<string, Way> = {
  "an asset name that leaves the folder": { part: "assets", make: first({ name: "../../x" }), says: "name should be" },
  "an absolute asset name": { part: "assets", make: first({ name: "/etc/x" }), says: "name should be" },
  "an asset name with a backslash": { part: "assets", make: first({ name: "a\\b" }), says: "name should be" },
  "an empty asset name": { part: "assets", make: first({ name: "" }), says: "name should be" },
  "an invalid asset hash": { part: "assets", make: first({ hash: "xyz" }), says: "hash should be" },
  "an asset without a URL": { part: "assets", make: without("url"), says: "url should be" },
  "a list of assets with null": { part: "assets", make: (records) => [...records, null], says: "without a key" },
  "a row of the index that is null": { part: "links/published", make: () => [null], says: "without a key" },
  "a story that is not a record": { part: stories, make: () => ["story"], says: "without a key" },
  "a story with an invalid uuid": { part: stories, make: first({ uuid: "home" }), says: "without a key" },
  "a story without a slug": { part: stories, make: without("slug"), says: "slug should be" },
  "a story whose full slug is a number": { part: stories, make: first({ full_slug: 7 }), says: "full_slug should be" },
  "a datasource that is null": { part: "datasources", make: () => [null], says: "should be an object" },
  "an entry that is a number": { part: "entries/5", make: () => [7], says: "should be an object" },
  "a tag that is null": { part: "tags/published", make: () => [null], says: "should be an object" },
  "a space that is a list": { part: "space", make: () => [[1]], says: "should be an object" },
  "stories that are not JSON": { part: stories, make: () => "[\n{]\n]\n", says: "invalid JSON", records: 1 },
  "stories that are empty": { part: stories, make: () => "", says: "one record per line" },
};

let space: TinySpace;
let original: string;

beforeAll(async () => {
  space = await openTinySpace();
  original = await mkdtemp(join(tmpdir(), "offprint-"));
  await writeFile(
    join(original, "sync.config.yaml"),
    `source: { url: "${space.url}", token: test-token }\nassets: { download: true }\nqueue: { retries: 0 }\ncontent: { formats: [json, markdown] }\n`,
  );
  for (const headline of ["Home", "Home, again"]) {
    space.stories[0]!.headline = headline;
    space.cv += 10;
    expect((await runCommand(["sync"], { cwd: original })).code).toBe(0);
  }
});
afterAll(async () => {
  await space.close();
  await rm(original, { recursive: true });
});

/** Copies the project and replaces records of the current generation, with matching hashes and checksum. */
async function hostileProject({ part, make, records: named = 3 }: Way) {
  const dir = await temporaryFolder();
  await cp(original, dir, { recursive: true });
  const output = join(dir, "output");
  const { store } = openOutput({ dir: output });
  const manifest = (await currentManifest(store)) as Manifest;
  const { shards } = manifest.parts[part]!;
  const texts = await Promise.all(
    shards.map(async (shard) => Buffer.from((await store.get(shardFile(part, shard)))!).toString()),
  );
  const made = make(texts.flatMap((text) => JSON.parse(text) as Records));
  const text =
    typeof made === "string" ? made : `[\n${(made as unknown[]).map((one) => JSON.stringify(one)).join(",\n")}\n]\n`;
  const records = typeof made === "string" ? named : (made as unknown[]).length;
  const shard = {
    prefix: "",
    hash: createHash("sha256").update(text).digest("hex"),
    records,
    bytes: Buffer.byteLength(text),
  };
  const file = shardFile(part, shard);
  await mkdir(dirname(join(output, file)), { recursive: true });
  await writeFile(join(output, file), text);
  await writeManifest(output, { ...manifest, parts: { ...manifest.parts, [part]: { records, shards: [shard] } } });
  // Force a render, because rendered content would not be read again.
  await rm(join(output, "content"), { recursive: true });
  return { dir, file };
}

async function writeManifest(output: string, { checksum: _, ...manifest }: Manifest): Promise<void> {
  const text = manifestText(withChecksum(manifest));
  await writeFile(join(output, generationFile(manifest.generation)), text);
  await writeFile(join(output, manifestFile), text);
}

const commands = [
  "verify --deep",
  "status",
  "check",
  "usage",
  "types",
  "diff",
  "show home",
  "changes --since 1",
  "export",
  "sync",
  "sync --full",
  "pull",
];

async function ran(dir: string, command: string) {
  const args = command.split(" ");
  if (command !== "pull") return runCommand(args, { cwd: dir });
  const target = await temporaryFolder();
  await cp(join(dir, "sync.config.yaml"), join(target, "sync.config.yaml"));
  return runCommand(["pull", join(dir, "output")], { cwd: target });
}

describe.each(Object.keys(ways))("a snapshot with matching hashes and %s", (name) => {
  test("is reported by verify --deep with its file", async () => {
    const { dir, file } = await hostileProject(ways[name]!);
    // Without `--deep` it reports the missing content tree.
    const plain = await ran(dir, "verify");
    expect([plain.code, plain.stderr]).toEqual([7, expect.stringContaining("index.json")]);
    const { code, stderr } = await ran(dir, "verify --deep");
    expect(stderr).toContain("[SNAPSHOT_DAMAGED]");
    expect(stderr).toContain(file);
    expect(stderr).toContain(ways[name]!.says);
    expect(code).toBe(7);
  });

  test("causes no unexpected error in any command", async () => {
    const { dir } = await hostileProject(ways[name]!);
    const unexpected: string[] = [];
    for (const command of commands) {
      const copy = await temporaryFolder();
      await cp(dir, copy, { recursive: true });
      const { code, stderr } = await ran(copy, command);
      if (code === 1 || stderr.includes("UNEXPECTED")) unexpected.push(`${command}: ${stderr}`);
      if (code === 7 && !/output|snapshot\//.test(stderr)) unexpected.push(`${command} names no file: ${stderr}`);
    }
    expect(unexpected).toEqual([]);
  });
});

describe("a manifest with a matching checksum", () => {
  test.each(["status", "verify", "export", "sync", "check"])(
    "is damaged for `offprint %s` if it lists an edition twice",
    async (command) => {
      const dir = await temporaryFolder();
      await cp(original, dir, { recursive: true });
      const output = join(dir, "output");
      const manifest = (await currentManifest(openOutput({ dir: output }).store)) as Manifest;
      await writeManifest(output, { ...manifest, editions: [...manifest.editions, manifest.editions[0]!] });
      await rm(join(output, generationFile(1)));
      const { stderr } = await ran(dir, command);
      expect(stderr).not.toContain("UNEXPECTED");
      expect(stderr).toContain("SNAPSHOT_DAMAGED");
      expect(stderr).toContain("editions with different names");
    },
  );
});
