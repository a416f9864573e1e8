// @module-tag long
import { copyFile, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { demoEditsFile } from "../../src/snapshot/layout.js";
import { startEditableSpace } from "../support/editable-space.js";
import { runCommand } from "../support/run-command.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const config = 'source: { url: "demo:", token: demo }\nassets: { download: false }\n';

async function project(yaml = config) {
  const dir = await temporaryFolder();
  await writeFile(join(dir, "sync.config.yaml"), yaml);
  return {
    dir,
    log: join(dir, "output", demoEditsFile),
    /** Runs it as a person does: no CI, no JSON. */
    say: (...args: string[]) => runCommand(args, { cwd: dir, env: { CI: "" } }),
    json: async (...args: string[]) => {
      const { code, stdout } = await runCommand([...args, "--json"], { cwd: dir });
      return { code, document: JSON.parse(stdout) };
    },
  };
}

/** Maps each path of the content tree to its text, without the files that record this folder's history. */
async function contentOf(dir: string): Promise<Map<string, string>> {
  const ofHistory = new Set(["changes.json", "redirects.json", "_redirects", "index.json"]);
  const files = new Map<string, string>();
  for (const entry of await readdir(join(dir, "output", "content"), { recursive: true, withFileTypes: true })) {
    const isOwn = /[/\\]\.offprint/.test(join(entry.parentPath, entry.name));
    if (!entry.isFile() || ofHistory.has(entry.name) || isOwn) continue;
    const path = join(entry.parentPath, entry.name);
    files.set(path.slice(dir.length), await readFile(path, "utf8"));
  }
  return files;
}

/** Returns the shards of every part of the current generation, by hash. */
async function partsOf(dir: string): Promise<Record<string, { records: number }>> {
  const manifest = JSON.parse(await readFile(join(dir, "output", "manifest.json"), "utf8"));
  return manifest.parts;
}

test("sync finds exactly each edit; all edits together equal a fresh sync; a reset reverts them", async () => {
  const jsonOnly = `${config}content: { formats: [json] }\n`;
  const { dir, log, say, json } = await project(jsonOnly);
  const first = await say("sync");
  expect(first.stderr).toContain("Try an edit: offprint demo --edit, then offprint sync again.");
  const [untouchedContent, untouchedParts] = [await contentOf(dir), await partsOf(dir)];
  expect(untouchedContent.size).toBeGreaterThan(30);
  const total = untouchedParts["stories/published/default"]?.records ?? 0;

  const publish = await say("demo", "--edit", "publish");
  expect(publish).toMatchObject({ code: 0, stdout: "" });
  expect(publish.stderr).toContain("press/the-lamp-over-the-door");
  expect(publish.stderr).toContain("Next: offprint sync");
  const changed = await json("sync");
  expect(changed.document).toMatchObject({
    outcome: "committed",
    generation: 2,
    stories: { total, added: 0, changed: 1, removed: 0, moved: 0 },
  });
  const byHand =
    2 + // opening and closing probe
    1 + // the index
    3 + // the one story, in each of three languages
    1 + // datasources
    10 + // entries of five datasources, and of their five dimensions
    1 + // tags
    1 + // experiments
    3 + // the list of taxonomies, and two trees
    3 + // variants, in each of three languages
    1; // the space
  expect(changed.document.requests.total).toBe(byHand);

  expect((await json("demo", "--edit", "rename")).document.edit).toMatchObject({ kind: "rename", step: 0 });
  expect((await json("sync")).document.stories).toMatchObject({ added: 0, changed: 8, removed: 0, moved: 8 });
  expect((await json("demo", "--edit", "delete")).document.edits).toBe(3);
  const removed = await json("sync");
  expect(removed.document).toMatchObject({ stories: { total: total - 1, added: 0, changed: 0, removed: 1, moved: 0 } });

  const fresh = await project(jsonOnly);
  await mkdir(join(fresh.dir, "output"));
  await copyFile(log, fresh.log);
  expect((await fresh.json("sync")).document).toMatchObject({ generation: 1, cv: removed.document.cv });
  expect(await partsOf(dir)).toEqual(await partsOf(fresh.dir));
  expect(await contentOf(dir)).toEqual(await contentOf(fresh.dir));

  expect((await json("demo", "--reset")).document).toMatchObject({ removed: 3 });
  const back = await json("sync");
  // The published story is one of the eight that moved.
  expect(back.document.stories).toMatchObject({ total, added: 1, changed: 8, removed: 0, moved: 8 });
  expect(back.document.cv).toBeGreaterThan(removed.document.cv);
  expect(await partsOf(dir)).toEqual(untouchedParts);
  expect(await contentOf(dir)).toEqual(untouchedContent);
  const unchanged = await say("sync");
  expect(unchanged.stderr).toContain("5 requests");
  expect(unchanged.stderr).toContain("Try an edit:");
}, 120_000);

test("--edit without a kind takes the next lesson, and `demo` alone lists them", async () => {
  const { json, say } = await project();
  expect((await json("demo")).document).toMatchObject({ edits: [], next: "publish" });
  const kinds: string[] = [];
  let cv = 0;
  for (let index = 0; index < 3; index++) {
    const { document } = await json("demo", "--edit");
    expect(document.cv).toBeGreaterThan(cv);
    cv = document.cv;
    kinds.push(document.edit.kind);
  }
  expect(kinds).toEqual(["publish", "rename", "delete"]);
  expect((await json("demo")).document).toMatchObject({ cv, next: "create", edits: kinds.map((kind) => ({ kind })) });
  const told = await say("demo");
  expect(told.stdout.split("\n").filter((line) => line !== "")).toHaveLength(4);
  expect(told.stdout).toContain("Renamed the folder press to newsroom: 8 stories below it moved");
});

test("shows no hint with --quiet, --json, in CI, or after a sync that found an edit", async () => {
  const { dir, say } = await project(`${config}content: { formats: [] }\n`);
  const hint = "Try an edit";
  expect((await runCommand(["sync"], { cwd: dir })).stderr).not.toContain(hint);
  expect((await say("sync", "--quiet")).stderr).not.toContain(hint);
  const { stdout, stderr } = await say("sync", "--json");
  expect(stdout + stderr).not.toContain(hint);
  expect((await say("sync")).stderr).toContain(hint);
  await say("demo", "--edit");
  expect((await say("sync")).stderr).not.toContain(hint);
}, 60_000);

test("a damaged log fails sync with a code and keeps the snapshot; a reset repairs it", async () => {
  const { dir, log, json } = await project(`${config}content: { formats: [json] }\n`);
  await json("sync");
  const manifest = await readFile(join(dir, "output", "manifest.json"));
  await writeFile(log, '{"format":1,"cv":17');
  for (const args of [["sync"], ["demo"], ["demo", "--edit"]]) {
    expect(await json(...args)).toMatchObject({ code: 2, document: { problems: [{ code: "DEMO_EDITS_INVALID" }] } });
  }
  expect(await json("verify")).toMatchObject({ code: 0 });
  expect(await readFile(join(dir, "output", "manifest.json"))).toEqual(manifest);
  expect(await json("demo", "--reset")).toMatchObject({ code: 0, document: { removed: null } });
  expect(await json("sync")).toMatchObject({ code: 0, document: { stories: { changed: 0 } } });
}, 60_000);

test.each([
  ["a custom space", 'source: { url: "https://api.example.com", token: secret-token }\n', ["--edit"], "demo:"],
  ["an unknown kind", config, ["--edit", "wipe"], "publish, rename, delete"],
  ["both at once", config, ["--edit", "--reset"], "one after the other"],
])("%s is a usage error, and nothing is written", async (_, yaml, args, hint) => {
  const { dir, json } = await project(yaml);
  const { code, document } = await json("demo", ...args);
  expect(code).toBe(2);
  expect(document.problems).toEqual([expect.objectContaining({ code: "USAGE", hint: expect.stringContaining(hint) })]);
  expect(JSON.stringify(document)).not.toContain("secret-token");
  expect(await readdir(dir)).toEqual(["sync.config.yaml"]);
});

test("refuses edits in the folder of another space", async () => {
  const space = await startEditableSpace({ stories: [{ name: "a", slug: "a" }] });
  onTestFinished(() => space.close());
  const { dir, log, json } = await project(`source: { url: "${space.url}", token: token-of-test }\n`);
  expect((await json("sync")).code).toBe(0);
  await writeFile(join(dir, "sync.config.yaml"), config);
  expect(await json("demo", "--edit")).toMatchObject({ code: 6, document: { problems: [{ code: "SPACE_MISMATCH" }] } });
  await expect(readFile(log)).rejects.toThrow("ENOENT");
});
