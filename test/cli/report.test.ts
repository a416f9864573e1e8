import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { mostBytes } from "../../src/cli/report-markdown.js";
import { expectedContent } from "../../src/content/tree/is-content-current.js";
import { readManifest } from "../../src/snapshot/current-manifest.js";
import { openFileStore } from "../../src/snapshot/store/file-store.js";
import { runCommand } from "../support/run-command.js";
import { commitSample, story, uuid } from "../support/sample-snapshot.js";
import { sourceYaml, syncFolder } from "../support/sync-folder.js";

const sentence = (n: number) => `The ferry to the island number ${n} leaves in the morning`;

function stories(count: number, more: (n: number) => string, link = "") {
  return Array.from({ length: count }, (_, n) =>
    story(n + 1, {
      name: `Page <b>${n}</b>`,
      content: {
        ...{ _uid: `a${n}`, component: "page", text: `${sentence(n)}${more(n)}` },
        ...(link === "" ? {} : { link: { fieldtype: "multilink", linktype: "story", id: link, url: "" } }),
      } as never,
    }),
  );
}

/** Two generations: the second has another text in each story. */
async function project(count: number, later: ReturnType<typeof stories>) {
  const folder = await syncFolder(sourceYaml("http://127.0.0.1:9", "content: { formats: [] }\n"));
  const store = openFileStore(folder.output);
  await commitSample({ editions: { "published/default": stories(count, () => "") } }, store);
  await commitSample({ editions: { "published/default": later } }, store);
  return { ...folder, store, run: (...args: string[]) => runCommand(args, { cwd: folder.dir }) };
}

test("a report tells changes, new findings, words and cost since the previous generation", async () => {
  const later = stories(2, (n) => (n === 0 ? " today" : ""), uuid(99)).slice(0, 2);
  const { run } = await project(3, later);
  const { code, stdout } = await run("report");
  expect(code).toBe(0);
  expect(stdout).toContain("# Content report\n\nGeneration 2, compared with generation 1.");
  expect(stdout).toContain("- Changes: 2 stories new or changed, 1 deleted");
  expect(stdout).toContain("- New findings: 2, of them 2 errors");
  expect(stdout).toContain("- Built site: none here");
  expect(stdout).toContain("| deleted | /story-3 | published/default | story-3 |");
  expect(stdout).toContain('| /story-1 |  | Link | The link "The ferry');
  expect(stdout).toContain("<ins> today</ins>");
  expect(stdout).not.toContain("<b>");
  const { stdout: document } = await run("report", "--json");
  expect(JSON.parse(document)).toMatchObject({ schema: 1, from: 1, to: 2, newFindings: 2, builtFindings: null });
});

test("a report of very many changes has at most 60 KB, and counts what it leaves out", async () => {
  const { run } = await project(
    1500,
    stories(1500, (n) => ` in the winter of ${1900 + n}`, uuid(9999)),
  );
  const { stdout } = await run("report");
  expect(Buffer.byteLength(stdout)).toBeLessThanOrEqual(mostBytes);
  expect(Buffer.byteLength(stdout)).toBeGreaterThan(mostBytes * 0.8);
  expect(stdout).toContain("## Changes (1500)");
  expect(stdout.match(/^… and \d+ more\.$/gm)).toHaveLength(2);
  expect(stdout).toMatch(/… and those of up to 1,\d\d\d more stories: `offprint diff --story` shows them\./);
}, 120_000);

test("what is deployed may be named by its index.json; one that is not kept leaves the changes unknown", async () => {
  const { dir, config, store, run } = await project(
    2,
    stories(2, () => " today"),
  );
  const deployed = async (generation: number, shown: number) => {
    const content = expectedContent(await config(), await readManifest(store, shown));
    const index = { generator: "offprint", format: 1, ...content, generation };
    await writeFile(join(dir, "deployed.json"), JSON.stringify(index));
    return (await run("report", "--since", "deployed.json")).stdout;
  };
  expect(await deployed(1, 1)).toContain("compared with generation 1 (deployed at deployed.json).");
  expect(await deployed(2, 2)).toContain("- Changes: nothing");
  const pruned = await deployed(77, 1);
  expect(pruned).toContain("compared with generation 77 (deployed at deployed.json), which is not kept.");
  expect(pruned).toContain("- Changes: unknown\n- New findings: unknown");
  expect(await deployed(1, 2)).toContain("which is of another copy of the space");
  expect((await run("report", "--since", "nowhere.json")).stdout).toContain("nowhere.json, which is not there");
  expect((await run("report", "--since", "soon")).code).toBe(2);
});

test("a built site is part of the report, and check --built fails for it", async () => {
  const { dir, run } = await project(
    2,
    stories(2, () => " today"),
  );
  await mkdir(join(dir, "dist"));
  await writeFile(join(dir, "dist", "index.html"), '<html lang="en"><body>Home');
  await writeFile(join(dir, "dist", "story-1.html"), `<html lang="en"><body><h1>Page</h1>${sentence(0)} today`);
  const { stdout } = await run("report");
  expect(stdout).toContain("- Built site: 2 pages, 1 finding, of them 1 error. The build names no generation");
  expect(stdout).toContain("| /story-2 |  |  | The built site has no page at /story-2. | PAGE_MISSING |");
  const check = await run("check", "--built", "--format", "markdown");
  expect([check.code, check.stdout.includes("PAGE_MISSING")]).toEqual([10, true]);
  for (const format of ["text", "json", "sarif", "junit", "github"]) {
    expect((await run("check", "--built", "dist", "--format", format)).stdout).toContain("PAGE_MISSING");
  }
  expect(JSON.parse((await run("check", "--built", "--json")).stdout).built).toMatchObject({ pages: 2 });
  expect((await run("check", "--built", "--rule", "PAGE_GONE")).code).toBe(0);
  for (const args of [["--since", "1"], ["--rule", "LINK_DEAD"], ["--write-lock"]]) {
    expect((await run("check", "--built", ...args)).code).toBe(2);
  }
  expect((await run("check", "--rule", "PAGE_GONE")).code).toBe(2);
  await mkdir(join(dir, "build"));
  await writeFile(join(dir, "build", "index.html"), "");
  expect((await run("check", "--built")).stderr).toContain("Several folders hold a built site: dist, build.");
  expect(await readFile(join(dir, "output", ".work", "built.json"), "utf8")).toContain('"counts"');
});
