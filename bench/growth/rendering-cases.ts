import type { ContentTarget } from "../../src/config/config.js";
import type { RenderContext } from "../../src/content/render/render-context.js";
import { richTextToHtml } from "../../src/content/render/rich-text.js";
import { storyMarkdown } from "../../src/content/render/story-markdown.js";
import { targets } from "../../src/content/render/targets.js";
import type { GrowthCase, Work } from "./growth-case.js";
import { hostileTexts } from "./hostile-text.js";
import { recordOf } from "./sample-space.js";

function contextFor(target: ContentTarget): RenderContext {
  return {
    target: targets[target],
    blocks: new Map(),
    storyUrl: (slug) => `/${slug}`,
    unknown: () => undefined,
    findPage: (address) => ({ kind: address.startsWith("/") ? "dead" : "elsewhere" }),
    deadLink: () => undefined,
  };
}

/** The Markdown file of a story. A story that cannot be rendered is named, so that is an outcome as good as another. */
function page(fields: object, target: ContentTarget = "plain"): Work {
  const context = contextFor(target);
  return () => {
    try {
      return storyMarkdown(recordOf(1, fields), {
        url: "/a",
        setting: undefined,
        target: targets[target],
        context: () => context,
      });
    } catch (error) {
      if (error instanceof RangeError) return error;
      throw error;
    }
  };
}

/** Rich text as Markdown and as HTML. */
function richText(content: readonly unknown[]): Work {
  const document = { type: "doc", content };
  const asPage = page({ text: document }, "vitepress");
  return () => [asPage(), richTextToHtml(document, contextFor("plain"))];
}

function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

function paragraph(...content: unknown[]) {
  return { type: "paragraph", content };
}

function text(value: string, ...marks: unknown[]) {
  return { type: "text", text: value, marks };
}

const bold = { type: "bold" };
const italic = { type: "italic" };
const strike = { type: "strike" };

function nested(levels: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = paragraph(text("a"));
  for (let level = 0; level < levels; level++) value = wrap(value);
  return value;
}

function table(rows: readonly (readonly unknown[])[]) {
  return {
    type: "table",
    content: rows.map((cells, row) => ({
      type: "tableRow",
      content: cells.map((attrs) => ({
        type: row === 0 ? "tableHeader" : "tableCell",
        attrs,
        content: [paragraph(text("a"))],
      })),
    })),
  };
}

function block(fields: object, component = "teaser") {
  return { _uid: "b", component, ...fields };
}

const richTexts: Record<string, [size: number, content: (n: number) => unknown[]]> = {
  "texts, each with a mark of its own": [
    1_000,
    (n) => [paragraph(...times(n, (i) => text("a", { type: "textStyle", attrs: { color: `#${i}` } })))],
  ],
  "500 emphases and n texts": [
    1_000,
    (n) => [paragraph(...times(n, (i) => (i % Math.ceil(n / 240) ? text("a*_~") : text("*", bold, italic))))],
  ],
  "paragraphs of many emphases": [
    20,
    (n) => times(n, () => paragraph(...times(400, (i) => text("a*", [bold, italic, strike][i % 3])))),
  ],
  "emphases without an element between them": [
    1_000,
    (n) => [paragraph(...times(n, (i) => text("a", bold, { type: "textStyle", attrs: { color: `url(${i})` } })))],
  ],
  "nested marks that end one after the other": [
    250,
    (n) => [
      paragraph(
        ...times(n, (i) =>
          text("a", ...times(Math.min(20, n - i), (m) => ({ type: "textStyle", attrs: { color: `#${i + m}` } }))),
        ),
      ),
    ],
  ],
  paragraphs: [2_000, (n) => times(n, () => paragraph(text("a")))],
  headings: [1_000, (n) => times(n, (i) => ({ type: "heading", attrs: { level: (i % 6) + 1 }, content: [text("a")] }))],
  "a long heading": [12_500, (n) => [{ type: "heading", content: [text("a_b ".repeat(n))] }]],
  "line breaks": [
    2_000,
    (n) => [paragraph(...times(n, (i) => (i % 2 ? { type: "hard_break" } : text("a", { type: "underline" }))))],
  ],
  "lines in one text": [2_000, (n) => [paragraph(text("a\n".repeat(n)))]],
  images: [
    2_000,
    (n) => [paragraph(...times(n, (i) => ({ type: "image", attrs: { src: `https://a.b/${i}.png`, alt: "a" } })))],
  ],
  "links, all of them dead": [
    1_000,
    (n) => times(n, (i) => paragraph(text("a", { type: "link", attrs: { href: `/${i}` } }))),
  ],
  "items of a list": [
    2_000,
    (n) => [{ type: "bullet_list", content: times(n, () => ({ type: "list_item", content: [paragraph(text("a"))] })) }],
  ],
  "nested quotations": [1_000, (n) => [nested(n, (inner) => ({ type: "blockquote", content: [inner] }))]],
  "nested lists": [
    1_000,
    (n) => [
      nested(n, (inner) => ({
        type: "bullet_list",
        content: [{ type: "list_item", content: [paragraph(text("a")), inner] }],
      })),
    ],
  ],
  "nested tables": [
    100,
    (n) => [
      nested(n, (inner) => ({
        type: "table",
        content: [{ type: "tableRow", content: [{ type: "tableCell", content: [inner] }] }],
      })),
    ],
  ],
  "cells of a square table": [
    1_000,
    (n) => [table(times(Math.ceil(Math.sqrt(n)), () => times(Math.ceil(Math.sqrt(n)), () => ({}))))],
  ],
  "cells that span": [1_000, (n) => [table(times(n, () => [{ colspan: 1000, rowspan: 1000 }]))]],
  "footnote-like nodes that nothing knows": [
    2_000,
    (n) => times(n, (i) => ({ type: `footer-${i}`, content: [paragraph(text("a"))] })),
  ],
  "blocks in rich text": [
    1_000,
    (n) => times(n, () => ({ type: "blok", attrs: { body: [block({ title: "a", text: "b" })] } })),
  ],
  "text with hostile runs": [50_000, (n) => hostileTexts(n).map((value) => paragraph(text(value)))],
  "marked text with hostile runs": [
    25_000,
    (n) =>
      hostileTexts(n).map((value) =>
        paragraph(
          text("a"),
          text(value, bold, { type: "link", attrs: { href: value, title: value } }),
          text(value, { type: "code" }),
        ),
      ),
  ],
  "code with hostile runs": [
    50_000,
    (n) =>
      hostileTexts(n).map((value) => ({
        type: "code_block",
        attrs: { class: `language-${value}` },
        content: [text(value)],
      })),
  ],
  "images with hostile runs": [
    25_000,
    (n) =>
      hostileTexts(n).map((value) => paragraph({ type: "image", attrs: { src: value, alt: value, title: value } })),
  ],
};

const pages: Record<string, [size: number, fields: (n: number) => object]> = {
  "a Markdown field with hostile runs": [25_000, (n) => Object.fromEntries([["body", hostileTexts(n).join("\n\n")]])],
  "blocks with hostile texts": [
    6_000,
    (n) => ({
      body: hostileTexts(n).map((value) =>
        block({
          intro: value,
          title: value,
          price: value,
          link: value,
          text: value,
          code: value,
          language: value,
          image: value,
          alt: value,
        }),
      ),
    }),
  ],
  "links and assets with hostile addresses": [
    12_000,
    (n) => ({
      body: hostileTexts(n).map((value) =>
        block({
          file: { fieldtype: "asset", filename: value, alt: value, title: value },
          link: { fieldtype: "multilink", linktype: "url", url: value, cached_url: value, anchor: value },
        }),
      ),
    }),
  ],
  "fields with hostile names": [
    50_000,
    (n) => ({
      body: [block(Object.fromEntries(hostileTexts(n).map((value) => [value, "a"])))],
      ...Object.fromEntries(hostileTexts(n).map((value) => [value, "a"])),
    }),
  ],
  "tables with hostile texts": [
    25_000,
    (n) => ({
      body: [
        block({ table: { thead: [{ value: "a" }], tbody: hostileTexts(n).map((value) => ({ body: [{ value }] })) } }),
      ],
    }),
  ],
  "a title with hostile runs": [50_000, (n) => ({ title: hostileTexts(n).join(" "), body: "a" })],
  "nested lists in Markdown": [500, (n) => ({ body: `${"- ".repeat(n)}a <b>` })],
  "unclosed emphases in Markdown": [1_000, (n) => ({ body: `${"*a **b _c __d ".repeat(n)}<b>` })],
  "definitions in Markdown": [500, (n) => ({ body: times(n, (i) => `[a${i}]: /${i}\n\n[a${i}]`).join("\n\n") })],
  "a table in Markdown": [500, (n) => ({ body: `| a <b> |\n|---|\n${"| b |\n".repeat(n)}` })],
  "texts of one block": [500, (n) => ({ body: [block(Object.fromEntries(times(n, (i) => [`alt_${i}`, `a ${i}`])))] })],
  "blocks in a block": [
    1_000,
    (n) => ({ body: [block({ items: times(n, () => block({ title: "a", text: "b" })) }, "grid")] }),
  ],
  "nested blocks": [
    500,
    (n) => {
      let inner = block({ text: "a" });
      for (let level = 0; level < n; level++) inner = block({ title: "a", items: [inner] });
      return { body: [inner] };
    },
  ],
  "keys in the front matter": [5_000, (n) => Object.fromEntries(times(n, (i) => [`key_${i}`, { a: [1, { b: "c" }] }]))],
  "stories in a field": [
    1_000,
    (n) => ({
      body: [
        block({ related: times(n, (i) => ({ uuid: String(i), full_slug: `a/${i}`, name: "a", component: "page" })) }),
      ],
    }),
  ],
};

/** Markdown and HTML of what an editor or a program may have put into a story. */
export const renderingCases: readonly GrowthCase[] = [
  ...Object.entries(richTexts).map(([name, [size, content]]): GrowthCase => {
    return { name: `render: ${name}`, size, prepare: (n) => richText(content(n)) };
  }),
  ...Object.entries(pages).flatMap(([name, [size, fields]]): GrowthCase[] => {
    return (["plain", "vitepress", "hugo"] as const).map((target) => {
      return { name: `render for ${target}: ${name}`, size, prepare: (n) => page(fields(n), target) };
    });
  }),
];
