import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadConfig } from "../../src/config/load/load-spaces.js";
import { openOutput } from "../../src/snapshot/open-output.js";
import { runCommand } from "../support/run-command.js";
import { commitSample, story, uuid } from "../support/sample-snapshot.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const page = (...body: object[]) => ({ _uid: "root", component: "page", body });

async function project(types = "") {
  const dir = await temporaryFolder();
  await writeFile(join(dir, "sync.config.yaml"), `source: { url: "demo:", token: demo }\n${types}`);
  const { store } = openOutput((await loadConfig({ cwd: dir, env: {} })).output);
  const card = { _uid: "2", component: "card", title: "Free\u001b[31m", icon_name: "truck" };
  const hero = { _uid: "1", component: "hero", headline: "Welcome", items: [card] };
  const german = story(1, { slug: "a", lang: "de", content: page({ ...hero, headline: "Willkommen" }) });
  const editions = { "published/default": [story(1, { slug: "a", content: page(hero) })], "published/de": [german] };
  await commitSample({ editions }, store);
  const files = async () => (await readdir(dir, { recursive: true })).sort();
  return { run: (...args: string[]) => runCommand(["export", ...args], { cwd: dir }), files };
}

test("export --explain prints how each field becomes Markdown, nested as the blocks, and writes nothing", async () => {
  const { run, files } = await project();
  const before = await files();
  const { code, stdout, stderr } = await run("--explain", "/a/");
  expect([code, stderr]).toEqual([0, expect.stringContaining("published/default of generation 1")]);
  expect(stdout).toBe(
    [
      "page",
      "  body  blocks     value: blocks",
      "    hero",
      '      headline  heading    name: the word headline  "Welcome"',
      "      items     blocks     value: blocks",
      "        card",
      '          title      heading    name: the word title  "Free\\u001b[31m"',
      '          icon_name  setting    name: the word icon  "truck"',
      "",
    ].join("\n"),
  );
  expect(stderr).toContain("Its date is 2");
  expect(stderr).toContain(": first_published_at.");
  expect(await files()).toEqual(before);
});

test("export --explain --json gives the same as a document, in another language too", async () => {
  const { run } = await project('content: { types: { card: { fields: { icon_name: "prose" } } } }\n');
  const document = JSON.parse((await run("--explain", uuid(1), "--language", "de", "--json")).stdout);
  expect(document).toMatchObject({ schema: 1, generation: 1, edition: "published/de", uuid: uuid(1) });
  const [hero] = document.page.fields[0].blocks;
  expect(hero.fields[0]).toMatchObject({ field: "headline", use: "heading", by: "name", value: "Willkommen" });
  expect(hero.fields[1].blocks[0].fields[1]).toMatchObject({
    use: "prose",
    by: "configuration",
    reason: "content.types",
  });
});

test("export --explain prints the name of a story in place of its uuid", async () => {
  const dir = await temporaryFolder();
  await writeFile(join(dir, "sync.config.yaml"), 'source: { url: "demo:", token: demo }\n');
  const { store } = openOutput((await loadConfig({ cwd: dir, env: {} })).output);
  const naming = story(1, { slug: "a", content: page({ _uid: "1", component: "hero", author: uuid(2) }) });
  const clara = story(2, { name: "Clara", full_slug: "authors/clara" });
  await commitSample({ editions: { "published/default": [naming, clara] } }, store);
  const { stdout } = await runCommand(["export", "--explain", "a"], { cwd: dir });
  expect(stdout).toContain('"Clara" (authors/clara)');
  expect(stdout).not.toContain(uuid(2));
});

test("export --explain refuses a story or an edition that is not there, and its options alone", async () => {
  const { run } = await project();
  expect(await run("--explain", "b")).toMatchObject({ code: 2, stderr: expect.stringContaining("has no story b") });
  expect((await run("--explain", "a", "--language", "xx")).code).toBe(2);
  expect((await run("--explain", "a", "--draft")).code).toBe(2);
  for (const flags of [["--draft"], ["--language", "de"]]) {
    expect(await run(...flags)).toMatchObject({ code: 2, stderr: expect.stringContaining("needs --explain") });
  }
});
