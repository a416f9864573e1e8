// @module-tag long
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fieldWords } from "../../../src/content/render/field-name.js";
import { readField } from "../../../src/content/render/field-value.js";
import { hasInlineLink, hrefsIn } from "../../../src/content/render/link-syntax.js";
import { followedLinks } from "../../../src/content/render/markdown-links.js";
import { looksLikeMarkdown } from "../../../src/content/render/markdown-source.js";
import { markdownBlocks, markdownTree } from "../../../src/content/render/markdown-tree.js";
import type { RenderContext } from "../../../src/content/render/render-context.js";
import { richTextToHtml, richTextToMarkdown } from "../../../src/content/render/rich-text.js";
import { textDecision } from "../../../src/content/render/setting-value.js";
import { storyMarkdown } from "../../../src/content/render/story-markdown.js";
import { missingCells, tableNode } from "../../../src/content/render/table-field.js";
import { targets } from "../../../src/content/render/targets.js";
import { assetUrls } from "../../../src/content/resolve/asset-urls.js";
import { costLimits } from "../../../src/lib/cost-limits.js";
import { story } from "../../support/sample-snapshot.js";

function context(more: Partial<RenderContext> = {}): RenderContext & { seen: string[] } {
  const seen: string[] = [];
  return { storyUrl: (slug) => `/${slug}`, unknown: (what) => seen.push(what), blocks: new Map(), seen, ...more };
}

function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

function line(...content: unknown[]) {
  return { type: "doc", content: [{ type: "paragraph", content }] };
}

function text(value: string, ...marks: unknown[]) {
  return { type: "text", text: value, marks };
}

function page(content: object, shown: RenderContext): string {
  const record = story(1, { content: { _uid: "a", component: "page", ...content } });
  return storyMarkdown(record, {
    url: "/a",
    setting: undefined,
    context: () => shown,
    ...(shown.target === undefined ? {} : { target: shown.target }),
  });
}

function bodyOf(markdown: string): string {
  return markdown.slice(markdown.indexOf("---\n", 4) + 4);
}

function addresses(markdown: string): string {
  return followedLinks(markdown, {}, context({ findPage: () => ({ kind: "elsewhere" }) }));
}

function readAddress(value: string): unknown {
  return readField("file", value, { component: "block", context: context(), showsAll: false });
}

/** Would take minutes, not milliseconds, if its time grew with the square of its length. */
const long = 400_000;

describe("rich text that would cost more than its bytes", () => {
  test("marks beyond the limit on one text are left out and named once", () => {
    const shown = context();
    const marks = times(20_000, (i) => ({ type: "textStyle", attrs: { color: `#${i}` } }));
    const html = richTextToHtml(line(text("a", ...marks)), shown);
    expect(html.match(/<span/g)).toHaveLength(costLimits.marksOfText);
    expect(shown.seen).toEqual([`a text with more than ${costLimits.marksOfText} marks`]);
  });

  test("writes all bold texts that each have a link", () => {
    const links = times(20_000, (i) =>
      text("a", { type: "bold" }, { type: "link", attrs: { href: `/${i}`, linktype: "url" } }),
    );
    expect(richTextToHtml(line(...links), context()).match(/<a href="\/\d+"><strong>a<\/strong><\/a>/g)).toHaveLength(
      20_000,
    );
  });

  test("emphases beyond the limit in one line become HTML, and nothing of the text is lost", () => {
    const kinds = ["bold", "italic", "strike"];
    const emphases = (count: number) => line(...times(count, (i) => text("a", { type: kinds[i % 3] })));
    const few = richTextToMarkdown(emphases(costLimits.emphasesOfLine), context());
    expect(few.startsWith("**a**_a_~~a~~")).toBe(true);
    expect(few).not.toContain("<");
    const many = richTextToMarkdown(emphases(30_000), context());
    expect(many === `${"<strong>a</strong><em>a</em><del>a</del>".repeat(10_000)}\n`).toBe(true);
  });

  test("spaces at the edges of 30,000 bold texts are outside of them", () => {
    const runs = times(30_000, (i) => (i % 2 === 0 ? text("  ", { type: "bold" }) : text("a")));
    const written = richTextToMarkdown(line(...runs), context());
    expect([/[<*]/.test(written), written.match(/a/g)?.length]).toEqual([false, 15_000]);
    const spaces = text(`a${" ".repeat(long)}b `, { type: "bold" });
    const kept = richTextToMarkdown(line(spaces, text("c")), context());
    expect(kept === `**a${" ".repeat(long)}b** c\n`).toBe(true);
  });

  test("a table that lacks too many cells is HTML, not filled up", () => {
    const cell = (type: string) => ({ type, content: [{ type: "paragraph", content: [text("a")] }] });
    const rows = times(3_000, (row) => ({
      type: "tableRow",
      content: row === 0 ? times(3_000, () => cell("tableHeader")) : [cell("tableCell")],
    }));
    const markdown = richTextToMarkdown({ type: "doc", content: [{ type: "table", content: rows }] }, context());
    expect(markdown.startsWith("<table>")).toBe(true);
    expect(markdown.length).toBeLessThan(300_000);
  });

  test("150,000 nodes of one list of nodes are all written", () => {
    const rules = times(150_000, () => ({ type: "horizontal_rule" }));
    const document = { type: "doc", content: [{ type: "unknown", content: rules }] };
    expect(richTextToHtml(document, context()).match(/<hr>/g)).toHaveLength(150_000);
  });
});

describe("blocks and fields that would cost more than their bytes", () => {
  test("a table field is filled up to the limit only", () => {
    const table = (rows: number) => ({
      thead: times(rows, () => ({ value: "a" })),
      tbody: times(rows, () => ({ body: [{ value: "b" }] })),
    });
    const cells = (rows: number) =>
      (tableNode(table(rows))!.content as { content: unknown[] }[]).map(({ content }) => content);
    expect(missingCells(cells(50))).toBe(0);
    expect(cells(2_000).flat()).toHaveLength(4_000);
  });

  test("in a block with more fields than the limit each stands alone, and none is lost", () => {
    const fields = Object.fromEntries(times(2_000, (i) => [`link_${i}`, `https://a.example.com/${i}`]));
    const markdown = page({ body: [{ _uid: "b", component: "teaser", ...fields }] }, context());
    expect(bodyOf(markdown).match(/\]\(https:/g)).toHaveLength(2_000);
  });

  test("data nested a thousand levels takes a few characters a level in the front matter", () => {
    let value: unknown = ["x"];
    for (let level = 0; level < 1_000; level++) value = [value];
    expect(page({ data: value }, context()).length).toBeLessThan(10_000);
  });

  test.each<[string, (value: string) => unknown, string]>([
    ["a number with a letter", (value) => textDecision("block", "size", value), `${"1".repeat(long)}x`],
    ["opening brackets", looksLikeMarkdown, `${"[a".repeat(long)} (`],
    ["links that do not end", looksLikeMarkdown, "[a](b".repeat(long)],
    ["elements without an address", addresses, "<a ".repeat(long)],
    ["plain addresses that do not end", addresses, "<http:".repeat(long)],
    ["lines that begin as definitions", addresses, "[a\n".repeat(long)],
    ["an address without an end", readAddress, `https://example.com/${"a".repeat(long)}.x`],
    ["URLs of assets and a blank", assetUrls, `//img2.storyblok.com${"/f/1".repeat(long)} x`],
    ["a name with a number and a letter", fieldWords, `price${"1".repeat(long)}x`],
  ])("%s are looked through once", (_, look, value) => {
    expect(look(value)).toBeDefined();
  });
});

describe("an editor's Markdown that would take too long to parse", () => {
  const brackets = `Notes: ${"[a]: ".repeat(costLimits.markdownBrackets + 1)}`;
  const backticks = `<b> **a** ${times(costLimits.markdownBackticks + 1, (i) => `${"`".repeat(i + 1)}a`).join(" ")}`;
  const quotations = `${"> ".repeat(costLimits.markdownNesting + 1)}a`;

  test.each([
    ["brackets", brackets, `Markdown with more than ${costLimits.markdownBrackets} brackets in a paragraph`],
    [
      "backticks",
      backticks,
      `Markdown with runs of backticks of more than ${costLimits.markdownBackticks} lengths in a paragraph`,
    ],
    ["quotations", quotations, `Markdown with more than ${costLimits.markdownNesting} levels of quotations and lists`],
  ])("for its %s is shown as plain text, and named", (_, body, what) => {
    for (const target of [targets.plain, targets.vitepress, targets.hugo, targets.nuxt]) {
      const shown = context({ target });
      const shownText = markdownTree(bodyOf(page({ body }, shown))).children;
      expect(shownText.map(({ type }) => type).filter((type) => type !== "html" && type !== "heading")).toEqual([
        "paragraph",
      ]);
      expect(shown.seen).toEqual([what]);
    }
    const shown = context();
    const html = richTextToHtml(
      { type: "doc", content: [{ type: "blok", attrs: { body: [{ _uid: "b", component: "x", text: body }] } }] },
      shown,
    );
    expect(html).toMatch(/^<p>[^<]+<\/p>$/);
    expect(shown.seen).toEqual([what]);
  });

  test("brackets of many paragraphs are no reason", () => {
    const body = times(3_000, (i) => `[link ${i}](https://a.example.com/${i})`).join("\n\n");
    const shown = context();
    expect(bodyOf(page({ body }, shown)).trim()).toBe(body);
    expect(bodyOf(page({ body: body.replaceAll("\n\n", "\n- ") }, shown)).trim()).toBe(body.replaceAll("\n\n", "\n- "));
    expect(shown.seen).toEqual([]);
  });

  test("backticks of many lengths in many paragraphs are no reason, nor are many of few lengths", () => {
    const run = (i: number) => "`".repeat(1 + (i % 60));
    for (const body of [
      times(300, (i) => `${run(i)} a ${run(i)}`).join("\n\n"),
      times(3_000, (i) => `${run(i % 50)} a ${run(i % 50)}`).join(" "),
    ]) {
      const shown = context();
      expect(bodyOf(page({ body }, shown)).trim()).toBe(body);
      expect(shown.seen).toEqual([]);
    }
  });

  test("emphases beyond the limit become HTML where the text is written again, and HTML among them stays text", () => {
    const body = `<b> ${"**a *b* <i>** ".repeat(600)}`;
    const markdown = bodyOf(page({ body }, context({ target: targets.nuxt })));
    expect(markdown.match(/<strong>a <em>b<\/em>/g)).toHaveLength(600);
    expect(markdown).not.toMatch(/(?<!\\)<(?:b|i)>/);
  });

  test("only so many dead links are looked for in the fields, and all are reported", () => {
    const reported: (string | undefined)[] = [];
    const body = times(500, (i) => `[a](/dead/${i})`).join("\n\n");
    const shown = context({ findPage: () => ({ kind: "dead" }), deadLink: (_, path) => void reported.push(path) });
    page({ body }, shown);
    expect(reported).toHaveLength(500);
    expect(reported.filter((path) => path !== undefined)).toHaveLength(costLimits.placedDeadLinks);
  });
});

describe("what replaced a pattern finds the same", () => {
  const hostile = fc.array(
    fc.constantFrom("[", "]", "(", ")", "a", " ", "\n", "<a ", "href=", "href =", '"', "'", ">", "x", "<A\n"),
    { maxLength: 14 },
  );

  test("links and images", () => {
    fc.assert(
      fc.property(hostile, (pieces) => {
        const value = pieces.join("");
        expect(hasInlineLink(value)).toBe(/!?\[[^\]\n]+\]\([^)\s]+\)/.test(value));
      }),
      { numRuns: 1_000 },
    );
  });

  test("addresses of elements", () => {
    fc.assert(
      fc.property(hostile, (pieces) => {
        const value = pieces.join("");
        const matches = value.matchAll(/<a\s[^>]*?\bhref\s*=\s*["']?([^"'\s>]+)/gi);
        expect(hrefsIn(value)).toEqual(Array.from(matches, (match) => match[1]));
      }),
      { numRuns: 1_000 },
    );
  });

  test("the blocks of a Markdown text", () => {
    const pieces = fc.constantFrom(
      ..."# ,## a,a,\n,\n\n, ,    ,- ,1. ,> ,```,~~~,<h1>,<b>,<!--,-->,===,---,|a|,|-|,[a]: b,[a](b),*a*,`a`,\\,&amp;,<script>".split(
        ",",
      ),
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 14 }), (parts) => {
        const value = parts.join("");
        const blocks = (tree: ReturnType<typeof markdownTree>) =>
          tree.children.map(({ type, position }) => [type, position?.start.offset, position?.end.offset]);
        expect(blocks(markdownBlocks(value))).toEqual(blocks(markdownTree(value)));
      }),
      { numRuns: 500 },
    );
  });
});
