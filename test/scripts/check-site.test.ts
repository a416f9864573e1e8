import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkSite } from "../../scripts/check-site.js";
import type { SiteExpectations } from "../../scripts/site-expectations.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const origin = "https://press.example";

/** The first 24 bytes of a PNG, which contain its size. */
function png(width: number, height: number): Buffer {
  const bytes = Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\0\0\0\0\0", "latin1");
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}

const translations = { en: "/lamp/", de: "/de/lampe/" };
const alternates = Object.entries(translations).map(([lang, path]) => [lang, `${origin}${path}`]);

const html = (lang: string, head: string, main: string) =>
  `<!doctype html><html lang="${lang}"><head><title>${lang} &lt;lamp&gt;</title>${head}</head><body><main>${main}</main></body></html>`;
const hreflang = alternates.map(([lang, to]) => `<link rel="alternate" hreflang="${lang}" href="${to}">`).join("");
const entry = (path: string, links: string) => `<url><loc>${origin}${path}</loc>${links}</url>`;
const links = alternates.map(([lang, to]) => `<xhtml:link rel="alternate" hreflang="${lang}" href="${to}"/>`).join("");

/** A site without mistakes: a page in two languages, a redirect to it, and the files that it shows. */
const site: Readonly<Record<string, string | Buffer>> = {
  "lamp/index.html": html(
    "en",
    hreflang,
    `<h1 id="top lamp">&lt;lamp&gt;</h1><p>if <i>a</i>&lt;b&gt; then</p><table></table><pre>x</pre>
     <img src="/lamp.png" srcset="/lamp.png 1x" alt="" width="30" height="20">
     <a href="/de/lampe/#mehr">mehr</a> <a href="/old">old</a> <a href="../de/lampe/">relative</a> <a href="?page=2#top">up</a>
     <a href="https://elsewhere.example/none">elsewhere</a> <a href="mailto:lamp@press.example">mail</a> <a href="/gone">gone</a>`,
  ),
  "de/lampe/index.html": html("de", hreflang, '<h2 id="mehr">Mehr</h2>'),
  "404.html": html("en", "", "Nothing is here."),
  "old.html": '<!doctype html><title>Moved</title><meta http-equiv="refresh" content="0; url=/lamp/">',
  "lamp.png": png(30, 20),
  "sitemap.xml": `<?xml version="1.0"?><urlset>${entry("/lamp/", links)}${entry("/de/lampe/", links)}</urlset>`,
  _redirects: "/older /lamp/ 301\n",
};

const expected: SiteExpectations = {
  origin,
  pages: [
    { url: "/lamp/", language: "en", translations, title: "<lamp>", texts: ["if a<b> then"] },
    { url: "/de/lampe/", language: "de", translations },
  ],
  own: [/^\/old$/],
  deadLinks: ["/gone"],
};

async function problemsOf(
  files: Readonly<Record<string, string | Buffer | null>>,
  also: Partial<SiteExpectations> = {},
) {
  const folder = await temporaryFolder();
  for (const [name, content] of Object.entries({ ...site, ...files })) {
    if (content === null) continue;
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  return (await checkSite(folder, { ...expected, ...also })).map(({ kind, file, message }) => [kind, file, message]);
}

/** Returns the page of the site with one text replaced. */
const lamp = (from: string, to: string) => {
  const page = String(site["lamp/index.html"]);
  expect(page).toContain(from);
  return { "lamp/index.html": page.replace(from, to) };
};

test("reports no problem for a site without mistakes", async () => {
  expect(await problemsOf({})).toEqual([]);
});

test("finds an earlier address that leads nowhere, elsewhere, or is in the sitemap", async () => {
  const moves = [
    { from: "/old", to: "/lamp/" },
    { from: "/older", to: "/lamp" },
  ];
  expect(await problemsOf({}, { moves, own: [] })).toEqual([]);
  const elsewhere = {
    _redirects: "/older /de/lampe/ 301\n",
    "sitemap.xml": `${site["sitemap.xml"]}`.replace("<urlset>", `<urlset>${entry("/old", "")}`),
  };
  expect(await problemsOf(elsewhere, { moves: [...moves, { from: "/oldest", to: "/lamp" }] })).toEqual([
    ["sitemap", "", "/old is listed"],
    ["link", "", "/older leads to /de/lampe/, not to /lamp"],
    ["link", "", "/oldest leads to undefined, not to /lamp"],
  ]);
});

describe("finds one mistake", () => {
  const inLamp = "lamp/index.html";
  test.each<[string, string, () => Record<string, string | Buffer | null>, string]>([
    ["link", "a link to no page", () => lamp("/old", "/nowhere"), "/nowhere leads to no file"],
    ["link", "a link in another case", () => lamp("../de/lampe/", "../de/Lampe/"), "../de/Lampe/ leads to no file"],
    [
      "link",
      "a style sheet",
      () => lamp("<link ", '<link rel="stylesheet" href="/a.css"><link '),
      "/a.css leads to no file",
    ],
    ["link", "an empty address", () => lamp("/old", ""), "an empty address"],
    ["link", "an invalid address", () => lamp("/old", "http://"), "http:// is no address"],
    [
      "fragment",
      "a missing anchor",
      () => lamp("#mehr", "#weniger"),
      '/de/lampe/#weniger: de/lampe/index.html has no id "weniger"',
    ],
    ["picture", "no file", () => lamp('src="/lamp.png"', 'src="/lamps.png"'), "/lamps.png leads to no file"],
    ["picture", "no file in a srcset", () => lamp("1x", "1x, /two.png 2x"), "/two.png leads to no file"],
    [
      "picture",
      "another width",
      () => lamp('width="30"', 'width="31"'),
      "/lamp.png is 30 × 20, and the page says 31 × 20",
    ],
    ["picture", "no height", () => lamp('height="20"', ""), "/lamp.png is 30 × 20, and the page says 30 × ?"],
    ["picture", "no alt", () => lamp('alt=""', ""), "/lamp.png has no alt"],
    ["picture", "another file", () => ({ ...lamp("x", "x"), "lamp.png": "Not found" }), "/lamp.png is no picture"],
    ["foreign", "a script", () => lamp("<h1", "<script>alert(1)</script><h1"), "<script> in <main>"],
    ["foreign", "a handler", () => lamp("<pre>", '<pre onclick="alert(1)">'), "<pre onclick>"],
    ["foreign", "an address that runs", () => lamp("/old", "javascript:alert(1)"), "javascript:alert(1)"],
    ["foreign", "a document in an address", () => lamp("/old", "data:text/html,x"), "data:text/html,x"],
    ["foreign", "a text as markup", () => lamp("<pre>x", "<pre><colons>x"), "<colons>"],
    ["text", "a text as markup that shows", () => lamp("a</i>&lt;b&gt;", "a</i><b>"), 'no text "if a<b> then"'],
    ["title", "no title", () => lamp("en &lt;lamp&gt;", ""), "no title"],
    ["title", "another title", () => lamp("en &lt;lamp&gt;", "Home"), '"Home" does not contain "<lamp>"'],
    ["language", "no lang", () => lamp(' lang="en"', ""), "<html> has no lang"],
    ["language", "another lang", () => lamp('lang="en"', 'lang="de"'), "lang is de instead of en"],
    [
      "alternates",
      "no hreflang",
      () => lamp('hreflang="de"', 'hreflang="fr"'),
      "/lamp/: hreflang de is missing instead of /de/lampe/",
    ],
    [
      "alternates",
      "hreflang without origin",
      () => lamp(`"${origin}/de/lampe/"`, '"/de/lampe/"'),
      `/lamp/: hreflang de is /de/lampe/ instead of /de/lampe/`,
    ],
  ])("%s: %s", async (kind, _, files, message) => {
    expect(await problemsOf(files())).toContainEqual([kind, inLamp, message]);
  });

  test.each<[string, string, Record<string, string | Buffer | null>, string, string]>([
    ["page", "of a story is missing", { "de/lampe/index.html": null }, "", "no page at /de/lampe/"],
    ["page", "of a deleted story", { "gone.html": html("en", "", "") }, "gone.html", "no story is at /gone"],
    ["page", "for missing paths", { "404.html": null }, "", "no 404.html"],
    ["element", "no code", lamp("<pre>x</pre>", ""), "", "no page shows <pre>"],
    [
      "sitemap",
      "lacks a page",
      { "sitemap.xml": `<urlset>${entry("/lamp/", links)}</urlset>` },
      "sitemap.xml",
      "/de/lampe is not listed",
    ],
    [
      "sitemap",
      "lists no page",
      { "sitemap.xml": `<urlset>${entry("/x/", "")}</urlset>` },
      "sitemap.xml",
      `${origin}/x/ leads to no file`,
    ],
    [
      "sitemap",
      "of another site",
      { "sitemap.xml": "<loc>http://localhost/lamp/</loc>" },
      "sitemap.xml",
      `http://localhost/lamp/ is not below ${origin}`,
    ],
    [
      "alternates",
      "in the sitemap",
      { "sitemap.xml": `<urlset>${entry("/lamp/", "")}</urlset>` },
      "sitemap.xml",
      "/lamp/: hreflang de is missing instead of /de/lampe/",
    ],
    ["link", "of a redirect", { _redirects: "/older /nowhere 301\n" }, "_redirects", "/nowhere leads to no file"],
    [
      "link",
      "of a page that redirects",
      { "old.html": '<meta http-equiv="refresh" content="0;url=/nowhere">' },
      "old.html",
      "/nowhere leads to no file",
    ],
  ])("%s: %s", async (kind, _, files, file, message) => {
    expect(await problemsOf(files)).toContainEqual([kind, file, message]);
  });

  test("generation: finds pages of two generations, and story pages that name no generation", async () => {
    const named = (generation: number) => lamp("<title>", `<meta name="generation" content="${generation}"><title>`);
    const other = {
      "de/lampe/index.html": html("de", `${hreflang}<meta name="generation" content="2">`, '<h2 id="mehr">'),
    };
    const inLamp = "lamp/index.html";
    expect(await problemsOf({ ...named(1), ...other })).toEqual([["generation", inLamp, "generation 1 instead of 2"]]);
    expect(await problemsOf(other)).toEqual([["generation", inLamp, "generation none instead of 2"]]);
    expect(await problemsOf({ ...named(2), ...other }, { generation: 3 })).toEqual([
      ["generation", "de/lampe/index.html", "generation 2 instead of 3"],
      ["generation", inLamp, "generation 2 instead of 3"],
    ]);
    expect(await problemsOf({ ...named(2), ...other }, { generation: 2 })).toEqual([]);
  });
});
