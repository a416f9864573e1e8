import fc from "fast-check";
import MarkdownIt from "markdown-it";
import { describe, expect, test } from "vitest";
import type { ContentTarget } from "../../../src/config/config.js";
import { followedLinks } from "../../../src/content/render/markdown-links.js";
import { createSitePages } from "../../../src/content/render/site-pages.js";
import { targets } from "../../../src/content/render/targets.js";

/** Slugs in the default language, and in German. */
const stories: Record<string, string> = {
  ...{ home: "published/default", books: "published/default", "books/first": "published/default" },
  ...{
    "de/home": "published/de",
    "de/b\u00fccher": "published/de",
    "odd/con": "published/default",
    "v1.feed": "published/default",
  },
};

const findPage = createSitePages(
  {
    uuidBySlug: (edition, slug) => (stories[slug] === edition ? slug : undefined),
    uuidByPath: () => undefined,
    reference: (_, uuid) => ({
      uuid,
      id: 1,
      name: "",
      slug: "",
      full_slug: uuid,
      component: "page",
      is_startpage: false,
    }),
  },
  {
    editions: [
      { name: "published/default", language: "default" },
      { name: "published/de", language: "de" },
    ],
    links: { pattern: "/{language?}/{slug}", home: "home" },
    assetsPath: "/cms/",
    isLeftOut: (slug) => slug.startsWith("shop/"),
    place: ({ full_slug: slug }) => ({
      url: slug === "home" ? "/" : slug === "de/home" ? "/de/" : encodeURI(`/${slug}`),
      isThere: slug !== "odd/con",
    }),
  },
);

function followed(markdown: string, name: ContentTarget = "plain", value: unknown = markdown) {
  const dead: string[] = [];
  const places: (string | undefined)[] = [];
  const text = followedLinks(markdown, value, {
    storyUrl: (slug) => `/${slug}`,
    unknown: () => undefined,
    blocks: new Map(),
    target: targets[name],
    findPage,
    deadLink: (address, path) => {
      dead.push(address);
      places.push(path);
    },
  });
  return { text, dead, places };
}

describe("links of Markdown", () => {
  test("are reported at their text, not at a link whose address ends the same", () => {
    const link = { linktype: "story", href: "/books/nowhere" };
    const value = { body: [link], text: "[a](/nowhere)" };
    expect(followed("[a](/nowhere)", "plain", value).places).toEqual(["text"]);
  });

  test.each([
    "[a](/nowhere)",
    "[a](/books/nowhere/)",
    "[a](</nowhere> 'title')",
    "[a](/nowhere?x#y)",
    "[a][b]\n\n[b]: /nowhere",
    "[a]\n\n[a]: </nowhere>",
    "| a |\n| - |\n| [a](/nowhere) |",
    "- > [**a**](/nowhere)",
    '<a class="x" href="/nowhere">a</a>',
    "[a](/de/nowhere)",
    "[a](/nowhere.html)",
  ])("to an address without a story are reported and stay: %j", (markdown) => {
    const { text, dead } = followed(markdown);
    expect(dead).toHaveLength(1);
    expect(dead[0]).toContain("nowhere");
    expect(text).toBe(markdown);
  });

  test.each([
    ...[
      "[a](/)",
      "[a](/#top)",
      "[a](/books)",
      "[a](/books/)",
      "[a](/books/index.html)",
      "[a](/de)",
      "[a](/de/b%C3%BCcher)",
    ],
    ...[
      "[a](/de/bücher)",
      "[a](/books/first?x=1#y)",
      "[a](/v1.feed)",
      "[a](//example.com/x)",
      "[a](https://example.com/x)",
    ],
    ...[
      "[a](mailto:a@example.com)",
      "[a](#here)",
      "[a](nowhere)",
      "[a](/cms/ab/x)",
      "[a](/feed.xml)",
      "![a](/nowhere)",
    ],
    ...["`[a](/nowhere)`", "    [a](/nowhere)", "\\[a](/nowhere)", "/nowhere", "<!-- [a](/nowhere) -->"],
  ])("to pages, other sites, files and places on the page are not: %j", (markdown) => {
    expect(followed(markdown)).toMatchObject({ text: markdown, dead: [] });
  });

  test("that a link field or rich text holds are reported when these are resolved", () => {
    const link = { linktype: "url", url: "/nowhere", cached_url: "/nowhere" };
    expect(followed("[a](/nowhere) [b](/neither)", "plain", [{ link }]).dead).toEqual(["/neither"]);
    const marked = { linktype: "story", href: "/nowhere", anchor: "x" };
    expect(followed("[a](/nowhere#x)", "plain", { attrs: marked }).dead).toEqual([]);
  });
});

describe("for VitePress", () => {
  test.each([
    ["[a *b*](/nowhere 'say \"x\"')", '<a href="/nowhere" title="say &#34;x&#34;">a *b*</a>'],
    ["[a][b]\n\n[b]: /nowhere", '<a href="/nowhere">a</a>\n\n[b]: /nowhere'],
    ["| a |\n| - |\n| [a\\|b](/now\\|here) |", '| a |\n| - |\n| <a href="/now&#124;here">a\\|b</a> |'],
    ["<http://localhost:3000/x>", '<a href="http://localhost:3000/x">http://localhost:3000/x</a>'],
    ["[a](nowhere)", '<a href="nowhere">a</a>'],
    ["[a](/books/#part 't')", '[a](/books#part "t")'],
    ["[a](/de)", "[a](/de/)"],
    ["[a](/odd/con)", '<a href="/odd/con">a</a>'],
    ["[a](/books) [b](/nowhere) [c](/books/)", '[a](/books) <a href="/nowhere">b</a> [c](/books)'],
  ])("%j becomes %j", (markdown, expected) => {
    expect(followed(markdown, "vitepress").text).toBe(expected);
  });

  const address = fc.constantFrom(
    ...[
      "/",
      "/books",
      "/books/",
      "/books/first/",
      "/nowhere",
      "/de",
      "/de/",
      "/de/nowhere",
      "/odd/con",
      "nowhere",
      "../x",
    ],
    ...[
      "http://localhost:8080/x",
      "https://example.com/",
      "#here",
      "/a.pdf",
      "/a b",
      "/a(b)",
      "/100%",
      "/books/#x",
      "?q",
    ],
  );
  const shown = fc.constantFrom("a", "*b*", "`c`", "d\\]", "![e](f.png)", " g ", "\nh");
  const link = fc.oneof(
    fc.tuple(shown, address).map(([text, to]) => `[${text}](<${to}>)`),
    fc.tuple(shown, address).map(([text, to]) => `[${text}](<${to}> "t")`),
    fc.tuple(shown, address).map(([text, to]) => `[${text}][r]\n\n[r]: <${to}>\n\n`),
  );
  const around = fc.constantFrom("", "x ", "# ", "- ", "> ", "\n\n", "| a |\n| - |\n| ");

  test("no generated link ends the build, and nothing but links is another text", () => {
    const renderer = new MarkdownIt({ html: true, linkify: true });
    fc.assert(
      fc.property(fc.array(fc.tuple(around, link), { minLength: 1, maxLength: 3 }), (parts) => {
        const markdown = parts.map((part) => part.join("")).join("");
        const { text } = followed(markdown, "vitepress");
        const tokens = renderer.parse(text, {}).flatMap((token) => [token, ...(token.children ?? [])]);
        for (const token of tokens) {
          if (token.type === "link_open") expect(refused(String(token.attrGet("href")))).toBe(false);
        }
        expect(textOf(renderer.render(text))).toBe(textOf(renderer.render(markdown)));
      }),
      { numRuns: 500 },
    );
  });
});

/** The rule of VitePress: whether its build ends at the address of a Markdown link. */
function refused(url: string): boolean {
  if (/^(?:[a-z]+:|\/\/)/i.test(url)) return url.replace(/^[a-z]+:/i, "").startsWith("//localhost:");
  if (url.startsWith("#") || url.startsWith("?")) return false;
  const path = url.replace(/[?#].*$/, "").replace(/\.(?:html|md)$/, "");
  if (path.endsWith(".pdf")) return false;
  return !["/index", "/books", "/books/first", "/de/index"].includes(
    decodeURIComponent(path.endsWith("/") ? `${path}index` : path),
  );
}

function textOf(html: string): string {
  return html
    .replace(/<[^>]*>/g, "")
    .replace(/\s+/g, "")
    .trim();
}
