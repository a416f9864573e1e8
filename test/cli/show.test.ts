import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadConfig } from "../../src/config/load/load-spaces.js";
import { readManifest } from "../../src/snapshot/current-manifest.js";
import { generationFile, parts, shardFile } from "../../src/snapshot/layout.js";
import { openOutput } from "../../src/snapshot/open-output.js";
import { runCommand } from "../support/run-command.js";
import { commitSample, story, uuid } from "../support/sample-snapshot.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const teaser = (uid: string, headline: string) => ({ _uid: uid, component: "teaser", headline });
const page = (...body: object[]) => ({ _uid: "root", component: "page", body });

async function project() {
  const dir = await temporaryFolder();
  await writeFile(join(dir, "sync.config.yaml"), 'source: { url: "demo:", token: demo }\n');
  const { store } = openOutput((await loadConfig({ cwd: dir, env: {} })).output);
  const a = (...body: object[]) => story(1, { slug: "a", content: page(...body) });
  const before = [
    a(teaser("1", "The old words"), teaser("2", "Second"), teaser("3", "2024-09-30T08:00:00.000Z")),
    story(2, { slug: "b", name: "B" }),
    story(3, { slug: "old" }),
  ];
  const after = [
    a(teaser("2", "Second"), teaser("1", "The new words"), teaser("3", "2026-11-26T01:02:03.000Z")),
    story(3, { slug: "new" }),
  ];
  await commitSample({ editions: { "published/default": before }, cv: 1_700_000_000 }, store);
  await commitSample({ editions: { "published/default": after }, cv: 1_700_000_300 }, store);
  return (...args: string[]) => runCommand(args, { cwd: dir });
}

test("show prints a story as it is now and as it was in a kept generation", async () => {
  const run = await project();
  const now = await run("show", "/a/");
  expect(now).toMatchObject({ code: 0, stderr: expect.stringContaining("published/default of generation 2") });
  expect(JSON.parse(now.stdout).content.body[1].headline).toBe("The new words");
  const document = JSON.parse((await run("show", "a", "--generation", "1", "--json")).stdout);
  expect(document).toMatchObject({
    generation: 1,
    story: { content: { body: [{ headline: "The old words" }, {}, {}] } },
  });
  expect(JSON.parse((await run("show", document.uuid)).stdout).full_slug).toBe("a");
  expect(JSON.parse((await run("show", "b", "--generation", "1")).stdout).name).toBe("B");
  expect(JSON.parse((await run("show", "new", "--generation", "1")).stdout).full_slug).toBe("old");
  expect(await run("show", "b")).toMatchObject({ code: 2, stderr: expect.stringContaining("has no story b") });
  expect(await run("show", "a", "--language", "xx")).toMatchObject({ code: 2 });
  expect(await run("show", "a", "--generation", "9")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("not kept"),
  });
});

test("show finds a slug that begins with a language in that language, and suggests slugs that are near", async () => {
  const dir = await temporaryFolder();
  await writeFile(join(dir, "sync.config.yaml"), 'source: { url: "demo:", token: demo }\n');
  const { store } = openOutput((await loadConfig({ cwd: dir, env: {} })).output);
  const slugs = ["shops/lamp", "shops/lamps", "shops/clamp", "shops/lamb", "about"];
  const stories = slugs.map((slug, at) => story(at + 1, { full_slug: slug }));
  const german = [story(1, { full_slug: "de/laden/lampe", lang: "de", default_full_slug: "shops/lamp" })];
  await commitSample({ editions: { "published/default": stories, "published/de": german } }, store);
  const run = (...args: string[]) => runCommand(["show", ...args], { cwd: dir });
  for (const slug of ["de/laden/lampe", "/de/laden/lampe/"]) {
    const found = await run(slug);
    expect(found).toMatchObject({ code: 0, stderr: expect.stringContaining("published/de of generation 1") });
    expect(JSON.parse(found.stdout).lang).toBe("de");
  }
  expect(JSON.parse((await run("shops/lamp")).stdout).lang).toBe("default");
  const near = await run("shop/lamps");
  expect([near.code, near.stderr]).toEqual([2, expect.stringContaining("Did you mean shops/lamps or shops/lamp or ")]);
  expect((await run("de/laden/lampen")).stderr).toContain("Did you mean de/laden/lampe?");
  expect((await run("nothing-like-it")).stderr).toContain("Name its full slug");
});

test("show says where a story is that was removed, moved, or is in another edition only", async () => {
  const dir = await temporaryFolder();
  await writeFile(join(dir, "sync.config.yaml"), 'source: { url: "demo:", token: demo }\n');
  const { store } = openOutput((await loadConfig({ cwd: dir, env: {} })).output);
  const author = (id: number) => story(id, { full_slug: `authors/author-${id}` });
  const page = (slug: string) => story(9, { full_slug: slug });
  const german = [story(7, { full_slug: "de/nur-hier", lang: "de", default_full_slug: "only-here" })];
  const idea = [story(8, { full_slug: "ideas/first" })];
  const others = { "published/de": german, "draft/default": idea };
  const spaced = story(5, { full_slug: "press/our $news" });
  const first = [author(3), author(4), spaced, page("page-9")];
  await commitSample({ editions: { "published/default": first, ...others } }, store);
  await commitSample({ editions: { "published/default": [author(4), page("firm/old-9")], ...others } }, store);
  await commitSample({ editions: { "published/default": [author(4), page("firm/page-9")], ...others } }, store);
  const hintOf = async (...args: string[]) => {
    const { code, stderr } = await runCommand(["show", ...args], { cwd: dir });
    expect(code).toBe(2);
    return /→ (.*)/.exec(stderr)?.[1];
  };
  const removed = "It was removed in generation 2: `offprint show authors/author-3 --generation 1` shows it.";
  expect(await hintOf("authors/author-3")).toBe(removed);
  expect(await hintOf(uuid(3))).toContain("It was removed in generation 2");
  expect(await hintOf("press/our $news")).toContain("`offprint show 'press/our $news' --generation 1`");
  expect(await hintOf("page-9")).toBe("It moved to firm/page-9.");
  expect(await hintOf("firm/old-9")).toBe("It moved to firm/page-9.");
  expect(await hintOf("only-here")).toBe("It exists in published/de: add --language de.");
  expect(await hintOf("ideas/first")).toBe("It exists in draft/default: add --draft.");
  await store.remove(generationFile(2));
  expect(await hintOf("authors/author-3")).toContain("It was removed between generations 1 and 3: ");
  const part = parts.stories("published/default");
  const current = (await readManifest(store, 3)).parts[part]!.shards.map((shard) => shardFile(part, shard));
  for (const shard of (await readManifest(store, 1)).parts[part]!.shards.map((shard) => shardFile(part, shard)))
    if (!current.includes(shard)) await store.remove(shard);
  expect(await hintOf("authors/author-3")).toBe("Did you mean authors/author-4?");
});

test("diff --story shows changed words, moved blocks, and timestamps as old → new", async () => {
  const run = await project();
  const { code, stdout, stderr } = await run("diff", "--story", "a");
  expect([code, stderr]).toEqual([0, expect.stringContaining("generation 1 → 2, changed")]);
  expect(stdout).toContain("> content › body › 1 teaser  (was content › body › 2 teaser)");
  expect(stdout).toContain("The [-old-]{+new+} words");
  expect(stdout).toContain("    2024-09-30T08:00:00.000Z → 2026-11-26T01:02:03.000Z\n");
  const removed = JSON.parse((await run("diff", "--story", "b", "1", "2", "--json")).stdout);
  expect(removed).toMatchObject({ from: 1, to: 2, change: "removed", story: { full_slug: "b" } });
  expect((await run("diff", "--story", "a", "--markdown")).stdout).toContain("The <del>old</del><ins>new</ins> words");
  expect((await run("diff", "--story", "nowhere")).code).toBe(2);
});

test("finds a translated story by its slug with or without the language, or by the default slug", async () => {
  const dir = await temporaryFolder();
  await writeFile(join(dir, "sync.config.yaml"), 'source: { url: "demo:", token: demo }\n');
  const { store } = openOutput((await loadConfig({ cwd: dir, env: {} })).output);
  const translated = [
    story(1, { slug: "liga", full_slug: "de/liga", default_full_slug: "league" }),
    story(2, { slug: "league", full_slug: "de/league", default_full_slug: "old-league" }),
    story(3, { slug: "third", full_slug: "de/third", default_full_slug: "liga" }),
  ];
  await commitSample({ editions: { "published/default": [story(1)], "published/de": translated } }, store);
  const uuidOf = async (slug: string) => {
    const { code, stdout } = await runCommand(["show", slug, "--language", "de", "--json"], { cwd: dir });
    return [code, JSON.parse(stdout).uuid];
  };
  for (const slug of ["de/liga", "liga"]) expect(await uuidOf(slug)).toEqual([0, uuid(1)]);
  for (const slug of ["/de/league/", "league", "old-league"]) expect(await uuidOf(slug)).toEqual([0, uuid(2)]);
  expect((await runCommand(["show", "liga"], { cwd: dir })).code).toBe(2);
  expect((await runCommand(["show", "/", "--language", "de"], { cwd: dir })).code).toBe(2);
  const home = story(4, { slug: "de", full_slug: "de/" });
  await commitSample({ editions: { "published/default": [story(1)], "published/de": [...translated, home] } }, store);
  for (const slug of ["/", "de"]) expect(await uuidOf(slug)).toEqual([0, uuid(4)]);
});

test("diff also finds a story by its later slug", async () => {
  const run = await project();
  expect(JSON.parse((await run("diff", "--story", "new", "1", "1", "--json")).stdout)).toMatchObject({
    change: "same",
    story: { full_slug: "old" },
  });
});

test("diff refuses single-story options without a story", async () => {
  const run = await project();
  for (const flags of [["--markdown"], ["--draft"], ["--language", "de"]]) {
    const { code, stderr } = await run("diff", ...flags);
    expect([flags, code, stderr.includes(`${flags[0]} is about one story`)]).toEqual([flags, 2, true]);
  }
});
