import { renderRichText } from "@storyblok/richtext";
import { describe, expect, test } from "vitest";
import { richTextToHtml } from "../../src/render/rich-text.js";

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

/** What differs without a difference: how characters are written, empty attributes, and where a table's parts begin. */
function comparable(html: string): string {
  return html
    .replace(/&#x([0-9a-f]+);/gi, (_, digits: string) => String.fromCodePoint(Number.parseInt(digits, 16)))
    .replace(/&#(\d+);/g, (_, digits: string) => String.fromCodePoint(Number(digits)))
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&amp;/g, "&")
    .replace(/<\/?(?:tbody|thead)>/g, "")
    .replace(/ (?:colspan|rowspan)="1"| target="_self"| order="\d+"| data-[a-z-]+="[^"]*"/g, "")
    .replace(/ ?\/>/g, ">");
}

describe("HTML of rich text, beside what the platform's own renderer makes of it", () => {
  test.each(Object.keys(documents))("%s", (name) => {
    const document = { type: "doc", content: documents[name] };
    const expected = renderRichText(document as Parameters<typeof renderRichText>[0]);
    expect(comparable(richTextToHtml(document, context))).toBe(comparable(String(expected)));
  });
});
