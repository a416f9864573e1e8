import { join } from "node:path";
import { expect, test } from "vitest";
import { largestPage } from "../../../../src/content/check/built/html-page.js";
import { runBuiltCheck } from "../../../../src/content/check/built/run-built-check.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";
import { commitExample, exampleConfig, exampleFiles, type SiteStyle, siteStyles, writeFiles } from "./example-site.js";

interface Defect {
  site: string;
  about: string;
  spoil(site: Spoiled): void;
  /** Code and URL of the story, without the base, of each finding. */
  finds: readonly string[];
}

/** The files of a site, by the address of a page. */
class Spoiled {
  constructor(
    readonly style: SiteStyle,
    readonly files: Map<string, string>,
  ) {}

  remove(url: string): void {
    if (!this.files.delete(this.style.file(url))) throw new Error(`no page ${url}`);
  }

  edit(url: string, change: (html: string) => string): void {
    const path = this.style.file(url);
    const changed = change(this.files.get(path)!);
    if (changed === this.files.get(path)) throw new Error(`nothing to change at ${url}`);
    this.files.set(path, changed);
  }

  copy(from: string, to: string, change = (html: string) => html): void {
    this.files.set(this.style.file(to), change(this.files.get(this.style.file(from))!));
  }
}

const inMain = (text: string) => (html: string) => html.replace(/<main>[\s\S]*<\/main>/, `<main>${text}</main>`);
const replaced = (from: string | RegExp, to: string) => (html: string) => html.replace(from, to);
const withoutLinks = replaced(/<link rel="(?:alternate|canonical)"[^>]*>/g, "");

const defects: readonly Defect[] = [
  {
    ...{ site: "astro", about: "a post without its page" },
    spoil: (site) => site.remove("/posts/post-3"),
    finds: ["PAGE_MISSING /posts/post-3", "HREFLANG_ONE_SIDED /de/posts/post-3"],
  },
  {
    ...{ site: "next", about: "a translation without its page" },
    spoil(site) {
      site.remove("/de/authors/author-1");
      site.edit("/authors/author-1", withoutLinks);
    },
    finds: ["PAGE_MISSING /de/authors/author-1"],
  },
  {
    ...{ site: "next server", about: "a page whose address is encoded" },
    spoil(site) {
      site.remove("/posts/café-7");
      site.edit("/de/posts/café-7", withoutLinks);
    },
    finds: ["PAGE_MISSING /posts/caf%C3%A9-7"],
  },
  {
    ...{ site: "eleventy", about: "a page that was built elsewhere" },
    spoil(site) {
      site.copy("/posts/post-1", "/posts/post-1-copy", withoutLinks);
      site.remove("/posts/post-1");
      site.edit("/de/posts/post-1", withoutLinks);
    },
    finds: ["PAGE_MISSING /posts/post-1"],
  },
  {
    ...{ site: "vitepress", about: "a page that is a file of another kind" },
    spoil(site) {
      site.remove("/posts/post-5");
      site.files.set("posts/post-5.txt", "text");
      site.edit("/de/posts/post-5", withoutLinks);
    },
    finds: ["PAGE_MISSING /posts/post-5"],
  },
  {
    ...{ site: "astro", about: "the page of a deleted story" },
    spoil: (site) => site.copy("/posts/post-1", "/posts/gone-0", withoutLinks),
    finds: ["PAGE_GONE /posts/gone-0"],
  },
  {
    ...{ site: "hugo", about: "the page of a deleted translation" },
    spoil: (site) => site.copy("/de/posts/post-1", "/de/posts/gone-0", withoutLinks),
    finds: ["PAGE_GONE /de/posts/gone-0"],
  },
  {
    ...{ site: "nuxt", about: "the old page of a story that moved" },
    spoil: (site) => site.copy("/de/posts/post-2", "/de/posts/old-2", withoutLinks),
    finds: ["PAGE_GONE /de/posts/old-2"],
  },
  {
    ...{ site: "next server", about: "the page of a deleted story as a file" },
    spoil: (site) => site.copy("/posts/post-1", "/posts/gone-0", withoutLinks),
    finds: ["PAGE_GONE /posts/gone-0"],
  },
  {
    ...{ site: "astro", about: "an empty page" },
    spoil: (site) => site.edit("/posts/post-4", inMain("")),
    finds: ["PAGE_TEXT_MISSING /posts/post-4"],
  },
  {
    ...{ site: "next", about: "a page that waits for a script" },
    spoil: (site) =>
      site.edit("/posts/post-6", (html) =>
        html.replace(
          /<main>([\s\S]*)<\/main>/,
          '<main>Loading …<template>$1</template></main><script type="x">$1</script>',
        ),
      ),
    finds: ["PAGE_TEXT_MISSING /posts/post-6"],
  },
  {
    ...{ site: "next server", about: "undefined in place of the content" },
    spoil: (site) => site.edit("/authors/author-2", inMain("<h1>undefined</h1><p>null</p>")),
    finds: ["PAGE_TEXT_MISSING /authors/author-2"],
  },
  {
    ...{ site: "eleventy", about: "the content of another story" },
    spoil(site) {
      const other = /<main>([\s\S]*)<\/main>/.exec(site.files.get(site.style.file("/posts/post-0"))!)![1]!;
      site.edit("/posts/post-5", inMain(other));
    },
    finds: ["PAGE_TEXT_MISSING /posts/post-5"],
  },
  {
    ...{ site: "hugo", about: "a page without its title" },
    spoil: (site) => site.edit("/de/posts/post-3", replaced(/<h1>.*<\/h1>/, "<h1></h1>")),
    finds: ["PAGE_TEXT_MISSING /de/posts/post-3"],
  },
  {
    ...{ site: "vitepress", about: "a page with the title of another story" },
    spoil: (site) => site.edit("/authors/author-0", replaced(/<h1>.*<\/h1>/, "<h1>The author 23</h1>")),
    finds: ["PAGE_TEXT_MISSING /authors/author-0"],
  },
  {
    ...{ site: "nuxt", about: "a page whose paragraph is cut" },
    spoil: (site) => site.edit("/posts/post-2", replaced(/(<p data-of="post">.{20}).*?<b>/, "$1 … <b>")),
    finds: ["PAGE_TEXT_MISSING /posts/post-2"],
  },
  {
    ...{ site: "astro", about: "a translation with the text of the default language" },
    spoil(site) {
      const text = /<p data-of[\s\S]*?<\/p>/.exec(site.files.get(site.style.file("/posts/post-6"))!)![0];
      site.edit("/de/posts/post-6", replaced(/<p data-of[\s\S]*?<\/p>/, text));
    },
    finds: ["PAGE_TEXT_MISSING /de/posts/post-6"],
  },
  {
    ...{ site: "nuxt", about: "a home page without anything of its story" },
    spoil: (site) => site.edit("/", inMain("<p>Welcome</p>")),
    finds: ["PAGE_TEXT_MISSING /"],
  },
  {
    ...{ site: "astro", about: "a style sheet that was not written" },
    spoil: (site) => site.files.delete("style.css"),
    finds: ["PAGE_ASSET_MISSING"],
  },
  {
    ...{ site: "next", about: "a picture that is not there" },
    spoil: (site) => site.edit("/posts/post-2", replaced('src="/a.png"', 'src="/lost.png?w=3"')),
    finds: ["PAGE_ASSET_MISSING /posts/post-2"],
  },
  {
    ...{ site: "next server", about: "a script that was not written" },
    spoil: (site) => site.files.delete("../../static/app.js"),
    finds: ["PAGE_ASSET_MISSING"],
  },
  {
    ...{ site: "eleventy", about: "a candidate of srcset that is not there" },
    spoil: (site) =>
      site.edit("/de/authors/author-3", replaced("/b.png 2x", "/c.png 2x, https://other.example/d.png 3x")),
    finds: ["PAGE_ASSET_MISSING /de/authors/author-3"],
  },
  {
    ...{ site: "hugo", about: "a candidate of srcset behind a comma without a blank" },
    spoil: (site) => site.edit("/posts/post-4", replaced("/a.png 1x, /b.png 2x", "/x,w_3/../a.png 1x,/c.png 2x")),
    finds: ["PAGE_ASSET_MISSING /posts/post-4"],
  },
  {
    ...{ site: "hugo", about: "a relative address of a picture" },
    spoil: (site) => site.edit("/posts/post-1", replaced("<main>", '<main><img src="../lost.jpg" alt="">')),
    finds: ["PAGE_ASSET_MISSING /posts/post-1"],
  },
  {
    ...{ site: "vitepress", about: "a download that is not there" },
    spoil: (site) => site.edit("/", replaced("/guide.pdf", "/files/lost.pdf#page=2")),
    finds: ["PAGE_ASSET_MISSING /"],
  },
  {
    ...{ site: "nuxt", about: "the poster of a film" },
    spoil: (site) => site.edit("/authors/author-1", replaced("<main>", '<main><video poster="/lost.webp"></video>')),
    finds: ["PAGE_ASSET_MISSING /authors/author-1"],
  },
  {
    ...{ site: "hugo", about: "a redirect to nowhere" },
    spoil: (site) => site.files.set("_redirects", "/posts/old-2 /posts/post-2\n/shop /shops/all 302\n"),
    finds: ["REDIRECT_DEAD"],
  },
  {
    ...{ site: "nuxt", about: "redirects in a circle" },
    spoil: (site) =>
      site.files.set("_redirects", "/posts/old-2 /posts/post-2\n/one /two\n/two/ https://press.example/one\n"),
    finds: ["REDIRECT_DEAD", "REDIRECT_DEAD"],
  },
  {
    ...{ site: "eleventy", about: "a page that leads to nowhere" },
    spoil: (site) => site.files.set("moved.html", '<meta http-equiv="Refresh" content="0;URL=\'/repo/posts/never\'">'),
    finds: ["REDIRECT_DEAD"],
  },
  {
    ...{ site: "next", about: "a list of redirects that names a lost page" },
    spoil: (site) =>
      site.files.set("redirects.json", '[{"from":"/old","to":"/posts/lost"},{"from":"/b","to":"/posts/post-1"}]'),
    finds: ["REDIRECT_DEAD"],
  },
  {
    ...{ site: "astro", about: "a translation that does not name the original" },
    spoil: (site) => site.edit("/de/posts/post-1", replaced(/<link rel="alternate" hreflang="en"[^>]*>/, "")),
    finds: ["HREFLANG_ONE_SIDED /de/posts/post-1"],
  },
  {
    ...{ site: "vitepress", about: "hreflang to no page" },
    spoil: (site) =>
      site.edit(
        "/posts/post-3",
        replaced("</head>", '<link rel="alternate" hreflang="fr" href="/repo/fr/posts/post-3"></head>'),
      ),
    finds: ["HREFLANG_ONE_SIDED /posts/post-3"],
  },
  {
    ...{ site: "nuxt", about: "hreflang to another story" },
    spoil: (site) => site.edit("/posts/post-3", replaced("/de/posts/post-3", "/de/posts/post-4")),
    finds: ["HREFLANG_ONE_SIDED /posts/post-3", "HREFLANG_ONE_SIDED /de/posts/post-4"],
  },
  {
    ...{ site: "astro", about: "canonical of the machine that built the site" },
    spoil: (site) =>
      site.edit(
        "/posts/post-0",
        replaced(/canonical" href="[^"]*"/, 'canonical" href="http://localhost:4321/posts/post-0"'),
      ),
    finds: ["CANONICAL_FOREIGN /posts/post-0"],
  },
  {
    ...{ site: "next", about: "canonical of another host than other pages have" },
    spoil: (site) =>
      site.edit("/de", replaced('canonical" href="https://press', 'canonical" href="https://staging.press')),
    finds: ["CANONICAL_FOREIGN /de"],
  },
  {
    ...{ site: "hugo", about: "canonical of another story" },
    spoil: (site) => site.edit("/authors/author-2", replaced(/(canonical" href="[^"]*)author-2/, "$1author-3")),
    finds: ["CANONICAL_FOREIGN /authors/author-2"],
  },
  {
    ...{ site: "vitepress", about: "canonical of no page" },
    spoil: (site) => site.edit("/posts/post-4", replaced(/(canonical" href="[^"]*)post-4/, "$1post-44")),
    finds: ["CANONICAL_FOREIGN /posts/post-4"],
  },
  {
    ...{ site: "next", about: "lang of the default language" },
    spoil: (site) => site.edit("/de/posts/post-2", replaced('lang="de-AT"', 'lang="en-GB"')),
    finds: ["SHELL_UNTRANSLATED /de/posts/post-2"],
  },
  {
    ...{ site: "next server", about: "header and footer of the default language" },
    spoil(site) {
      site.edit(
        "/de/authors/author-0",
        replaced(/<header>[\s\S]*<\/header>/, "<header><p>Books that are made by hand</p></header>"),
      );
      site.edit(
        "/de/authors/author-0",
        replaced(/<footer>.*<\/footer>/, "<footer><p>All rights are reserved by the press</p></footer>"),
      );
    },
    finds: ["SHELL_UNTRANSLATED /de/authors/author-0"],
  },
  {
    ...{ site: "hugo", about: "all pages of a language with lang of the default one" },
    spoil(site) {
      for (const [path, text] of site.files)
        site.files.set(path, text.replace('lang="de-AT"><head>', 'lang="en"><head>'));
    },
    finds: ["SHELL_UNTRANSLATED"],
  },
  {
    ...{ site: "eleventy", about: "all pages of a type lost" },
    spoil(site) {
      for (let n = 0; n < 4; n += 1) site.remove(`/de/authors/author-${n}`);
      for (let n = 0; n < 4; n += 1) site.edit(`/authors/author-${n}`, withoutLinks);
    },
    finds: ["PAGES_FEWER", "PAGE_MISSING"],
  },
  {
    ...{ site: "nuxt", about: "pages of lists lost" },
    spoil(site) {
      for (const n of [2, 3]) site.remove(`/de/posts/page/${n}`);
    },
    finds: ["PAGES_FEWER"],
  },
  {
    ...{ site: "vitepress", about: "a page that was cut off" },
    spoil: (site) => site.edit("/posts/post-6", (html) => html.slice(0, html.indexOf("<footer") + 5)),
    finds: ["PAGE_UNREAD /posts/post-6"],
  },
  {
    ...{ site: "astro", about: "a page that is too large" },
    spoil: (site) =>
      site.edit("/authors/author-0", replaced("</main>", `${"<p>x</p>".repeat(largestPage / 8)}</main>`)),
    finds: ["PAGE_UNREAD /authors/author-0"],
  },
];

/** @param isLater whether the clean build was checked before */
async function found(style: SiteStyle, spoil: (site: Spoiled) => void, isLater: boolean) {
  const [store, project] = [await commitExample(), await temporaryFolder()];
  const [config, folder] = [exampleConfig(style), join(project, style.folder)];
  const files = exampleFiles(style);
  await writeFiles(folder, files);
  const clean = await runBuiltCheck(store, { config, folder });
  const spoiled = new Map(files);
  spoil(new Spoiled(style, spoiled));
  const other = join(await temporaryFolder(), style.folder);
  await writeFiles(other, spoiled);
  const later = isLater ? store : await commitExample();
  return { clean: clean!, result: (await runBuiltCheck(later, { config, folder: other }))! };
}

test("there are over forty defects, in seven sites", () => {
  expect(defects.length).toBeGreaterThanOrEqual(40);
  expect(new Set(defects.map(({ site }) => site)).size).toBe(siteStyles.length);
});

test.each(siteStyles)("a clean build of $name has no finding", async (style) => {
  const { clean, result } = await found(style, () => {}, true);
  expect([clean.findings, result.findings]).toEqual([[], []]);
  expect(clean.built).toMatchObject({ pages: 34, notes: ["The build is of generation 2, the current one."] });
});

test.each(defects)("$site: $about", async ({ site, spoil, finds }) => {
  const style = siteStyles.find(({ name }) => name === site)!;
  const { result } = await found(style, spoil, finds.includes("PAGES_FEWER"));
  const shown = result.findings.map(({ code, story }) => {
    const url = story?.url.slice((style.base ?? "").length);
    return story === null || (finds.includes(code) && !finds.includes(`${code} ${url}`))
      ? code
      : `${code} ${url || "/"}`;
  });
  expect(shown.sort(), JSON.stringify(result.findings, undefined, 1)).toEqual([...finds].sort());
});
