// @module-tag long
import { cp, lstat, mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadConfig } from "../../src/config/load/load-spaces.js";
import { mapBounded } from "../../src/lib/concurrency/map-bounded.js";
import { isOffprintError, type Problem } from "../../src/lib/errors.js";
import { readManifest } from "../../src/snapshot/current-manifest.js";
import { shardFile } from "../../src/snapshot/layout.js";
import type { Manifest } from "../../src/snapshot/manifest.js";
import { openOutput, readOutput } from "../../src/snapshot/open-output.js";
import { sync } from "../../src/sync/sync.js";
import { verifyOutput } from "../../src/sync/verify-output.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { openTinySpace, type TinySpace } from "../support/tiny-space.js";

/** What can happen to a file. */
const damages: Record<string, (path: string) => Promise<void>> = {
  removed: (path) => rm(path),
  emptied: (path) => truncate(path, 0),
  truncated: async (path) => truncate(path, (await lstat(path)).size >> 1),
  "with one byte changed": async (path) => {
    const bytes = await readFile(path);
    bytes[bytes.length >> 1]! ^= 1;
    await writeFile(path, bytes);
  },
  "replaced by a folder with a file": async (path) => {
    await rm(path);
    await mkdir(path);
    await writeFile(join(path, "mine.txt"), "mine");
  },
};

/** Files that hold nothing which `verify` looks at: losing them costs no record and no file of the content tree. */
const isNotCovered = (file: string, damage: string) =>
  [".state.json", ".gitattributes"].includes(file) ||
  // A generation whose manifest is gone is one that is not kept.
  (/generations\/0000000[12]/.test(file) && /removed|folder/.test(damage));

let space: TinySpace;
/** A project with three generations, each with a shard and an asset that the others do not name. */
let original: string;
let files: string[];

beforeAll(async () => {
  space = await openTinySpace();
  original = await mkdtemp(join(tmpdir(), "offprint-"));
  await writeFile(
    join(original, "sync.config.yaml"),
    `source: { url: "${space.url}", token: test-token }\nassets: { download: true }\nqueue: { retries: 0 }\n` +
      "content: { formats: [json, markdown] }\n",
  );
  for (const headline of ["Home", "Home, again", "Home, at last"]) {
    space.stories[0]!.headline = headline;
    space.image = Buffer.concat([space.image, Buffer.from(headline)]);
    space.stories[0]!.slug = headline === "Home" ? "home" : "start";
    space.cv += 10;
    await sync({ config: await loadConfig({ cwd: original, env: {} }) });
  }
  const output = join(original, "output");
  const entries = await readdir(output, { recursive: true, withFileTypes: true });
  files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(output, join(entry.parentPath, entry.name)));
  // Of the objects that only old generations name, those of the first one.
  const second = await readManifest(openOutput({ dir: output }).store, 2);
  const [first, third] = await Promise.all(
    [1, 3].map((generation) => readManifest(openOutput({ dir: output }).store, generation)),
  );
  const ofSecond = namesOf(second).filter((name) => !namesOf(first!).includes(name) && !namesOf(third!).includes(name));
  files = files.filter((file) => !ofSecond.includes(file)).sort();
});
afterAll(async () => {
  await space.close();
  await rm(original, { recursive: true });
});

function namesOf({ parts }: Manifest): string[] {
  return Object.entries(parts).flatMap(([part, { shards }]) => shards.map((shard) => shardFile(part, shard)));
}

/** A copy of the project, and what is done there. */
async function project() {
  const dir = await temporaryFolder();
  await cp(original, dir, { recursive: true });
  const config = await loadConfig({ cwd: dir, env: {} });
  const output = openOutput(config.output);
  /** What the call reports; of one that fails, its error. */
  const told = async (
    call: () => Promise<{ problems: readonly Problem[] } | undefined>,
  ): Promise<readonly Problem[]> => {
    try {
      return (await call())?.problems ?? [];
    } catch (error) {
      if (!isOffprintError(error)) throw error;
      return [error.toProblem()];
    }
  };
  return {
    output,
    config,
    path: (file: string) => join(dir, "output", file),
    verify: () => told(() => verifyOutput(output, config, { all: true })),
    sync: () => told(() => sync({ config })),
  };
}

const texts = (problems: readonly Problem[]) => problems.map(({ message }) => message);

/** What is wrong with how one damage is dealt with; empty where nothing is. */
async function shortcomings(file: string, name: string): Promise<string[]> {
  const { path, verify, sync } = await project();
  await damages[name]!(path(file));
  const found = await verify();
  const wrong: string[] = [];
  const isNamed = found.some(({ message }) => message.includes(file) || message.includes(file.replace("content/", "")));
  if (!isNamed && !isNotCovered(file, name)) wrong.push(`verify does not name it: ${texts(found).join(" ")}`);
  const reported = await sync();
  const left = await verify();
  if (left.length === 0) return wrong;
  // A person must act, so the message names the folder that is in the way.
  const isTold = reported.some(({ message, hint }) => message.includes(file.replace("content/", "")) && hint !== "");
  if (!isTold) return [...wrong, `left: ${texts(left).join(" ")} reported: ${texts(reported).join(" ")}`];
  await rm(path(file), { recursive: true });
  const again = await sync();
  const still = await verify();
  return still.length === 0
    ? wrong
    : [...wrong, `still: ${texts(still).join(" ")} reported: ${texts(again).join(" ")}`];
}

describe("after damage that verify finds, the next sync heals, or says what a person must do", () => {
  test.each(Object.keys(damages))("a file that is %s", async (name) => {
    const found = await mapBounded(files, 4, async (file) => {
      const wrong = await shortcomings(file, name);
      return wrong.map((what) => `${file}: ${what}`);
    });
    expect(found.flat()).toEqual([]);
  });
});

test("a part of verify keeps the damage that another part noted for the next sync", async () => {
  const { output, config, path, sync } = await project();
  const current = (await readOutput(output)).manifest!;
  const shard = namesOf(current).find((name) => name.includes("stories"))!;
  await damages.removed!(path(shard));
  const parts = [1, 2, 3].map((number) => ({ number, of: 3 }));
  const found: number[] = [];
  for (const part of parts) found.push((await verifyOutput(output, config, { part }))!.snapshot.damaged.length);
  expect(found.toSorted()).toEqual([0, 0, 1]);
  // Whichever part came last, the sync repairs what one of them found.
  for (const part of parts) await verifyOutput(output, config, { part });
  expect((await readOutput(output)).state.damaged).toHaveLength(1);
  expect(texts(await sync())).toEqual(["Generation 3 is damaged: stories/published/default."]);
  expect((await verifyOutput(output, config))!.problems).toEqual([]);
});
