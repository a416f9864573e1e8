import { mkdir, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readHtmlPage } from "../../../../src/content/check/built/html-page.js";
import { type BuiltCheckOptions, runBuiltCheck } from "../../../../src/content/check/built/run-built-check.js";
import { createMemoryStore } from "../../../../src/snapshot/store/memory-store.js";
import { sampleConfig } from "../../../support/sample-config.js";
import { commitSample, story } from "../../../support/sample-snapshot.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";
import { commitExample, exampleConfig, exampleFiles, siteStyles, writeFiles } from "./example-site.js";

const style = siteStyles[0]!;

async function site(change: (files: Map<string, string>) => void = () => {}) {
  const [store, folder] = [await commitExample(), await temporaryFolder()];
  const files = exampleFiles(style);
  change(files);
  await writeFiles(folder, files);
  const config = exampleConfig(style);
  const check = async (more: Partial<BuiltCheckOptions> = {}) =>
    (await runBuiltCheck(store, { config, folder, ...more }))!;
  return { store, folder, files, check };
}

/** Every page names this generation. */
const ofGeneration = (text: string) => (files: Map<string, string>) => {
  for (const [path, html] of files) files.set(path, html.replace('content="2"', `content="${text}"`));
};

test.each([
  ["1", 1, "The build is of generation 1: held against that one. The current one is 2."],
  ["generation 1", 1, "The build is of generation 1: held against that one. The current one is 2."],
  ["77", 2, "The build is of generation 77, which is not kept: held against 2."],
  ["dev", 2, "The build names no generation: held against the current one, 2."],
])("a build that names the generation %s is held against %i", async (text, generation, note) => {
  const { check } = await site(ofGeneration(text));
  expect(await check()).toMatchObject({ generation, built: { notes: [note] } });
});

test("the copy of index.json in a build counts before what pages name", async () => {
  const index = { generator: "offprint", format: 1, generation: 1, snapshot: "x", settings: "y" };
  const { check } = await site((files) => files.set("offprint.json", JSON.stringify(index)));
  const { generation, findings } = await check();
  expect(generation).toBe(1);
  // Generation 1 has a story that this build does not show, and another address of a second one.
  expect(findings.flatMap(({ code, story }) => (code === "PAGE_MISSING" ? [story?.url] : [])).sort()).toEqual([
    ...["/de/posts/gone-0", "/de/posts/old-2", "/posts/gone-0", "/posts/old-2"],
  ]);
});

test("of a Next server the file is in the folder public of the project", async () => {
  const [store, root, server] = [await commitExample(), await temporaryFolder(), siteStyles[2]!];
  const folder = join(root, server.folder);
  const index = { generator: "offprint", format: 1, generation: 1, snapshot: "x", settings: "y" };
  await writeFiles(folder, exampleFiles(server).set("../../../public/offprint.json", JSON.stringify(index)));
  expect((await runBuiltCheck(store, { config: exampleConfig(server), folder }))?.generation).toBe(1);
});

test("a page of 100 MB is told and not read", async () => {
  const { folder, check } = await site();
  await truncate(join(folder, "posts/post-1/index.html"), 100 * 1024 * 1024);
  const { findings } = await check();
  expect(findings.map(({ code, story, message }) => [code, story?.url, message])).toEqual([
    [
      ...["PAGE_UNREAD", "/posts/post-1"],
      "The file posts/post-1/index.html was not read to its end. It has 100.0 MB: more than 8.0 MB are not read.",
    ],
  ]);
});

test("symbolic links are not followed, and what is below them is not missed", async () => {
  const { folder, check } = await site();
  const outside = await temporaryFolder();
  await writeFile(join(outside, "index.html"), '<html lang="en"><img src="/lost.png"><body>secret');
  await rm(join(folder, "posts/post-1"), { recursive: true });
  await symlink(outside, join(folder, "posts/post-1"));
  await rm(join(folder, "a.png"));
  await symlink("/etc/passwd", join(folder, "a.png"));
  await symlink(folder, join(folder, "loop"));
  const { findings, built } = await check();
  expect(findings).toEqual([]);
  expect(built?.notes[1]).toBe("Not followed: 3 symbolic links (a.png, loop, posts/post-1).");
});

test("addresses that climb out of the folder stay in it", async () => {
  const { check } = await site((files) => {
    const page = files.get("index.html")!;
    files.set(
      "index.html",
      page.replace("<main>", '<main><img src="/../../etc/passwd.png"><img src="%2e%2e/%2e%2e/b.png">'),
    );
  });
  expect((await check()).findings.map(({ code, message }) => `${code} ${message}`)).toEqual([
    "PAGE_ASSET_MISSING The page / names /etc/passwd.png, which the built site does not have.",
  ]);
});

test("no folder and no snapshot are refused; an empty folder is one finding", async () => {
  const { folder, check } = await site();
  await expect(check({ folder: join(folder, "nowhere") })).rejects.toMatchObject({ code: "USAGE" });
  await expect(check({ folder: join(folder, "index.html") })).rejects.toMatchObject({ code: "USAGE" });
  await mkdir(join(folder, "empty"));
  const { findings } = await check({ folder: join(folder, "empty") });
  expect(findings.map(({ code, level }) => [code, level])).toEqual([["PAGE_MISSING", "error"]]);
  expect(findings[0]!.message).toMatch(/^None of 26 stories has a page in .*, for example at \//);
  const options = { config: exampleConfig(style), folder };
  expect(await runBuiltCheck(createMemoryStore(), options)).toBeUndefined();
});

test("a build that lost pages is no measure for the next one, until that is ignored", async () => {
  const { folder, check } = await site();
  await check();
  for (const n of [0, 1, 2, 3]) await rm(join(folder, `authors/author-${n}`), { recursive: true });
  const codes = async (more: Partial<BuiltCheckOptions> = {}) => (await check(more)).findings.map(({ code }) => code);
  expect(await codes()).toContain("PAGES_FEWER");
  await writeFile(join(folder, "another-build.txt"), "");
  expect(await codes()).toContain("PAGES_FEWER");
  const config = exampleConfig(style);
  const ignore = [{ code: "PAGES_FEWER" as const, reason: "authors have no pages any more" }];
  expect(await codes({ config: { ...config, check: { ...config.check, ignore } } })).not.toContain("PAGES_FEWER");
  await writeFile(join(folder, "a-third-build.txt"), "");
  expect(await codes()).not.toContain("PAGES_FEWER");
});

test("with isNew only findings are left that the last build did not have, also when it is checked twice", async () => {
  const { folder, check } = await site((files) => files.delete("b.png"));
  expect((await check()).findings).toHaveLength(1);
  await rm(join(folder, "guide.pdf"));
  for (let time = 0; time < 2; time += 1) {
    const { findings, known, since } = await check({ isNew: true });
    expect([findings.map(({ message }) => message.includes("/guide.pdf")), known, since]).toEqual([[true], 1, 2]);
  }
});

test.each([
  ["<p>One<p>Two <br/> & &amp; &bogus; <b>bold</b>", "\nOne\nTwo \n & & &bogus; bold"],
  ["<title>A</title><svg/><p>after a drawing", "\nafter a drawing"],
  ["<svg><title>no</title><path d='M0 > 1'/><text>no</text></svg>yes", "yes"],
  ["<script>if (a < b) '</p>'</script><noscript>no</noscript>yes", "yes"],
  ['<a title="x > y" href=b.pdf>in</a><input value=\'"\'>out', "inout"],
  ["< 5 and <3", "< 5 and <3"],
])("reads the text of %s", (html, text) => {
  expect(readHtmlPage(html).text).toBe(text);
});

test("the page of an imprint whose type is called like settings is not gone after an edit", async () => {
  const folder = await temporaryFolder();
  const prose = "These thirty words and some more are what the settings of this site tell its readers today. ".repeat(
    3,
  );
  const editions = (text: string) => ({
    "published/default": [
      story(1, { full_slug: "imprint", content: { _uid: "u", component: "site_config", text } }),
      story(2),
    ],
  });
  const { store } = await commitSample({ editions: editions(prose) });
  await commitSample({ editions: editions(`${prose} More.`) }, store);
  await writeFiles(
    folder,
    new Map([
      ["imprint/index.html", `<h1>Imprint</h1><p>${prose} More.</p>`],
      ["story-2/index.html", "<h1>Story 2</h1>"],
    ]),
  );
  const result = await runBuiltCheck(store, { config: sampleConfig, folder });
  expect(result?.findings).toEqual([]);
});

test("a story at the address of a text has its page in that file", async () => {
  const folder = await temporaryFolder();
  const slugs = ["robots.txt", "ads.txt", "story-3"];
  const stories = slugs.map((slug, at) => story(at + 1, { full_slug: slug }));
  const { store } = await commitSample({ editions: { "published/default": stories } });
  await writeFiles(
    folder,
    new Map([
      ["robots.txt", "User-agent: *"],
      ["story-3/index.html", "<h1>Story 3</h1>"],
    ]),
  );
  const { findings } = (await runBuiltCheck(store, { config: sampleConfig, folder }))!;
  expect(findings.map(({ code, story: of }) => `${code} ${of?.url}`)).toEqual(["PAGE_MISSING /ads.txt"]);
});

test("a redirect from another host to a page leaves the names of that page alone", async () => {
  const folder = await temporaryFolder();
  const editions = { "published/default": [story(1)], "published/de": [story(1, { full_slug: "de/story-1" })] };
  const { store } = await commitSample({ editions });
  const alternates = ["en /story-1/", "de /de/story-1/"].map((one) => {
    const [language, address] = one.split(" ");
    return `<link rel="alternate" hreflang="${language}" href="${address}">`;
  });
  const page = (lang: string) => `<html lang="${lang}"><head>${alternates.join("")}</head><h1>Story 1</h1></html>`;
  await writeFiles(
    folder,
    new Map([
      ["_redirects", "https://old.example/first /story-1/ 301"],
      ["story-1/index.html", page("en")],
      ["de/story-1/index.html", page("de")],
    ]),
  );
  expect((await runBuiltCheck(store, { config: sampleConfig, folder }))?.findings).toEqual([]);
});
