import { renderRichText } from "@storyblok/richtext";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { richTextToHtml } from "../../../src/content/render/rich-text.js";
import { htmlOutline } from "../../support/html-outline.js";

const context = { storyUrl: (slug: string) => `/${slug}`, unknown: () => undefined, blocks: new Map() };

const text = (value: string, ...marks: object[]) => ({
  type: "text",
  text: value,
  ...(marks.length > 0 ? { marks } : {}),
});
const paragraph = (...content: object[]) => ({ type: "paragraph", content });
const item = (...content: object[]) => ({ type: "list_item", content });
const cell = (type: string, ...content: object[]) => ({
  type,
  attrs: { colspan: 1, rowspan: 1, colwidth: null },
  content,
});

/** Documents that editors make, each with one thing in it. */
const documents: Record<string, object[]> = {
  paragraphs: [paragraph(text("one")), paragraph(text("two"))],
  headings: [1, 2, 3, 4, 5, 6].map((level) => ({
    type: "heading",
    attrs: { level },
    content: [text(`level ${level}`)],
  })),
  "bold and italic": [paragraph(text("a"), text("b", { type: "bold" }), text("c", { type: "italic" }))],
  "struck, underlined, raised and lowered": [
    paragraph(text("b", { type: "underline" }), text("c", { type: "superscript" }), text("d", { type: "subscript" })),
  ],
  "hostile text": [paragraph(text('<script>alert("x")</script> & {{ x }}'))],
  code: [paragraph(text("x < y", { type: "code" }))],
  "a code block": [{ type: "code_block", attrs: { class: "language-js" }, content: [text("a < b && c")] }],
  "a quotation": [{ type: "blockquote", content: [paragraph(text("said"))] }],
  lists: [
    { type: "bullet_list", content: [item(paragraph(text("a"))), item(paragraph(text("b")))] },
    { type: "ordered_list", attrs: { order: 3 }, content: [item(paragraph(text("c")))] },
  ],
  "a rule and a break": [{ type: "horizontal_rule" }, paragraph(text("a"), { type: "hard_break" }, text("b"))],
  "a link": [paragraph(text("out", { type: "link", attrs: { href: "https://example.com/a?b=c&d", linktype: "url" } }))],
  "a link to an address": [
    paragraph(text("mail", { type: "link", attrs: { href: "a@example.com", linktype: "email" } })),
  ],
  "a link with an anchor": [
    paragraph(text("there", { type: "link", attrs: { href: "/page", anchor: "part", linktype: "story" } })),
  ],
  "an image": [
    paragraph({ type: "image", attrs: { src: "https://example.com/a.png", alt: 'a "picture"', title: "t" } }),
  ],
  "a table": [
    {
      type: "table",
      content: [
        {
          type: "tableRow",
          content: [cell("tableHeader", paragraph(text("h"))), cell("tableHeader", paragraph(text("i")))],
        },
        {
          type: "tableRow",
          content: [cell("tableCell", paragraph(text("a"))), cell("tableCell", paragraph(text("b")))],
        },
      ],
    },
  ],
};

/** What differs without a difference: how characters are written, and attributes that say what is so anyway. */
function comparable(html: string): string {
  return html
    .replace(/&#x([0-9a-f]+);/gi, (_, digits: string) => String.fromCodePoint(Number.parseInt(digits, 16)))
    .replace(/&#(\d+);/g, (_, digits: string) => String.fromCodePoint(Number(digits)))
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&amp;/g, "&")
    .replace(/ (?:colspan|rowspan)="1"| target="_self"| order="\d+"| data-[a-z-]+="[^"]*"/g, "")
    .replace(/ ?\/>/g, ">");
}

describe("HTML of rich text, compared with what the platform's own renderer makes of it", () => {
  test.each(Object.keys(documents))("%s", (name) => {
    const document = { type: "doc", content: documents[name] };
    const expected = renderRichText(document as Parameters<typeof renderRichText>[0]);
    expect(comparable(richTextToHtml(document, context))).toBe(comparable(String(expected)));
  });
});

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });
const colour = fc.constantFrom("#f00", "rgb(0, 128, 0)", "rebeccapurple");
const words = fc.constantFrom("a", "b c", "d & e", "<f>", '"g"', "{{ h }}");
const direction = maybe(fc.constantFrom("ltr", "rtl"));
const blockAttrs = fc.record({
  textAlign: maybe(fc.constantFrom("left", "center", "right", "justify")),
  dir: direction,
});

const custom = fc.dictionary(
  fc.constantFrom("rel", "title", "hreflang", "download", "class", "data-track", "data-a-b", "aria-label"),
  fc.constantFrom("nofollow sponsored", "x", 'say "y" & {z}'),
);
const link = fc.record({
  type: fc.constant("link"),
  attrs: fc.oneof(
    fc.record({
      href: fc.constantFrom("/a", "https://example.com/?a=b&c"),
      linktype: fc.constant("url"),
      target: maybe(fc.constantFrom("_self", "_blank", "_top")),
      custom: maybe(custom),
    }),
    fc.record({
      href: fc.constant("/story"),
      linktype: fc.constant("story"),
      uuid: fc.constant("u"),
      anchor: maybe(fc.constant("part")),
    }),
    fc.record({ href: fc.constant("a@example.com"), linktype: fc.constant("email") }),
  ),
});
const mark = fc.oneof(
  fc
    .constantFrom("bold", "italic", "strike", "underline", "code", "superscript", "subscript")
    .map((type) => ({ type })),
  fc.record({ type: fc.constant("highlight"), attrs: fc.record({ color: colour }) }),
  fc.record({
    type: fc.constant("textStyle"),
    attrs: fc.record({ color: maybe(colour), id: maybe(fc.constantFrom("i", "j")), class: maybe(fc.constant("k")) }),
  }),
  fc.record({ type: fc.constant("styled"), attrs: fc.record({ class: fc.constantFrom("lead", "small") }) }),
  fc.record({ type: fc.constant("anchor"), attrs: fc.record({ id: fc.constantFrom("here", "there") }) }),
);
/** No mark twice; at most one link, as a text can only lead to one place. */
const marks = fc
  .tuple(fc.uniqueArray(mark, { maxLength: 4, selector: (one) => JSON.stringify(one) }), maybe(link), fc.nat(4))
  .map(([some, around, place]) => (around === null ? some : some.toSpliced(place, 0, around as never)));
const inline = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(words, marks).map(([value, some]) => text(value, ...some)) },
  { weight: 1, arbitrary: fc.constant({ type: "hard_break" }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant("image"),
      attrs: fc.record({ src: fc.constant("https://example.com/a.png"), alt: words, title: maybe(words) }),
    }),
  },
);
const textBlock = fc.record({
  type: fc.constant("paragraph"),
  attrs: blockAttrs,
  content: fc.array(inline, { maxLength: 5 }),
});
const cells = (type: string) =>
  fc.record({
    type: fc.constant(type),
    attrs: fc.record({
      colspan: fc.constantFrom(1, 2),
      rowspan: fc.constantFrom(1, 3),
      colwidth: maybe(fc.tuple(fc.integer({ min: 1, max: 900 }))),
      ...(type === "tableCell" ? { backgroundColor: maybe(colour) } : {}),
    }),
    content: fc.tuple(textBlock),
  });
const row = (...types: string[]) =>
  fc.record({
    type: fc.constant("tableRow"),
    content: fc.array(fc.oneof(...types.map(cells)), { minLength: 1, maxLength: 3 }),
  });
const table = fc
  .tuple(fc.array(row("tableHeader"), { maxLength: 2 }), fc.array(row("tableCell", "tableHeader"), { maxLength: 3 }))
  .filter(([head, body]) => head.length + body.length > 0)
  .map(([head, body]) => ({ type: "table", content: [...head, ...body] }));
const items = fc.array(
  fc.record({ type: fc.constant("list_item"), attrs: fc.record({ dir: direction }), content: fc.tuple(textBlock) }),
  { minLength: 1, maxLength: 3 },
);
const block = fc.oneof(
  textBlock,
  fc
    .tuple(textBlock, fc.integer({ min: 1, max: 6 }))
    .map(([{ attrs, content }, level]) => ({ type: "heading", attrs: { ...attrs, level }, content })),
  fc.record({ type: fc.constant("blockquote"), attrs: fc.record({ dir: direction }), content: fc.tuple(textBlock) }),
  fc.record({ type: fc.constant("bullet_list"), content: items }),
  fc.record({ type: fc.constant("ordered_list"), attrs: fc.record({ order: fc.constantFrom(1, 3) }), content: items }),
  fc.record({
    type: fc.constant("code_block"),
    attrs: fc.record({ class: maybe(fc.constant("language-js")), dir: direction }),
    content: fc.tuple(words.map((value) => text(value))),
  }),
  fc.constant({ type: "horizontal_rule" }),
  table,
);

describe("HTML of generated rich text", () => {
  test("says what the platform's own renderer says: every text in the same elements with the same attributes", () => {
    fc.assert(
      fc.property(fc.array(block, { minLength: 1, maxLength: 4 }), (content) => {
        const document = { type: "doc", content };
        const expected = String(renderRichText(document as Parameters<typeof renderRichText>[0]));
        expect(htmlOutline(richTextToHtml(document, context))).toEqual(htmlOutline(expected));
      }),
      { numRuns: 1000 },
    );
  });

  test.each([
    ["hr", "<hr>"],
    ["br", "<p>a<br>b</p>"],
    ["img", '<p>a<img src="https://example.com/a.png" alt="x">b</p>'],
  ])("a node named like the element %s is that element", (type, expected) => {
    const unknown: string[] = [];
    const node = { type, attrs: { src: "https://example.com/a.png", alt: "x" } };
    const content = type === "hr" ? [node] : [paragraph(text("a"), node, text("b"))];
    const html = richTextToHtml({ type: "doc", content }, { ...context, unknown: (what) => unknown.push(what) });
    expect(html).toBe(expected);
    expect(unknown).toEqual([]);
  });

  test("drops link attributes that could run code, change the layout or send data", () => {
    const hostile = {
      ...{
        onclick: "x()",
        onMouseOver: "x()",
        style: "position: fixed",
        href: "javascript:x()",
        ping: "https://e.vil",
      },
      ...{
        "data-hx-on": "x()",
        "v-on:click": "x()",
        "@click": "x()",
        ":href": "x",
        "a b": "c",
        srcdoc: "x",
        target: "_top",
      },
      ...{ REL: "sponsored", Title: "kept" },
    };
    const attrs = { href: "/a", linktype: "url", custom: hostile };
    const html = richTextToHtml({ type: "doc", content: [paragraph(text("t", { type: "link", attrs }))] }, context);
    expect(html).toBe('<p><a href="/a" rel="sponsored" title="kept">t</a></p>');
  });
});
