import { expect, test } from "vitest";
import { cataloguedAsset } from "../../demo/assets/pictures.js";
import { blocksFromMarkdown, lineFromMarkdown } from "../../demo/compile/rich-text-from-markdown.js";
import { uuidOf } from "../../demo/identifiers.js";

const lamp = cataloguedAsset("lamp-outline", { kind: "emblem", alt: "A lamp", colour: "#333333" });
const blocks = (markdown: string) => blocksFromMarkdown(markdown, () => lamp);
const paragraph = (...content: unknown[]) => [{ type: "paragraph", content }];
const text = (value: string, ...marks: unknown[]) =>
  marks.length === 0 ? { type: "text", text: value } : { type: "text", text: value, marks };
const link = (attrs: object) => ({ type: "link", attrs: { uuid: null, anchor: null, target: null, ...attrs } });

test.each<[string, string, unknown[]]>([
  ["a line break as a space", "one\ntwo", paragraph(text("one two"))],
  ["a break after a backslash", "one\\\ntwo", paragraph(text("one"), { type: "hard_break" }, text("two"))],
  [
    "marks from the outside in",
    "***a** b*",
    paragraph(text("a", { type: "italic" }, { type: "bold" }), text(" b", { type: "italic" })),
  ],
  [
    "code and struck text",
    "`a` ~~b~~",
    paragraph(text("a", { type: "code" }), text(" "), text("b", { type: "strike" })),
  ],
  [
    "a link to a story, with the address stored in it",
    '[Us](/about/visit#tickets "/old")',
    paragraph(
      text(
        "Us",
        link({ href: "/old", uuid: uuidOf("about/visit"), anchor: "tickets", target: "_self", linktype: "story" }),
      ),
    ),
  ],
  [
    "links outside, to a file and to a mail address",
    "[a](https://a.example) [b](asset:lamp-outline) [c](mailto:c@d.example)",
    paragraph(
      text("a", link({ href: "https://a.example", target: "_blank", linktype: "url" })),
      text(" "),
      text("b", link({ href: lamp.url, linktype: "asset" })),
      text(" "),
      text("c", link({ href: "c@d.example", linktype: "email" })),
    ),
  ],
  [
    "a heading",
    "## A **b**",
    [{ type: "heading", attrs: { level: 2 }, content: [text("A "), text("b", { type: "bold" })] }],
  ],
  [
    "lists, with their start number",
    "3. a\n4. b\n\n   - c",
    [
      {
        type: "ordered_list",
        attrs: { order: 3 },
        content: [
          { type: "list_item", content: paragraph(text("a")) },
          {
            type: "list_item",
            content: [
              ...paragraph(text("b")),
              { type: "bullet_list", content: [{ type: "list_item", content: paragraph(text("c")) }] },
            ],
          },
        ],
      },
    ],
  ],
  [
    "a quote, a rule and code",
    "> a\n\n---\n\n```ts\nb\n\nc\n```",
    [
      { type: "blockquote", content: paragraph(text("a")) },
      { type: "horizontal_rule" },
      { type: "code_block", attrs: { class: "language-ts" }, content: [text("b\n\nc")] },
    ],
  ],
  [
    "an image in its own paragraph",
    '![A lamp](asset:lamp-outline "Lit")',
    [
      {
        type: "image",
        attrs: { id: lamp.id, alt: "A lamp", src: lamp.url, title: "Lit", source: "", copyright: "", meta_data: {} },
      },
    ],
  ],
  ["a table", "| a |\n|---|\n| b |", [{ type: "table", content: [row("tableHeader", "a"), row("tableCell", "b")] }]],
])("reads %s", (_, markdown, nodes) => {
  expect(blocks(markdown)).toEqual(nodes);
});

test.each(["<b>a</b>", "<div>", "a ![b](asset:lamp-outline)", "[a]: https://a.example"])("refuses %s", (markdown) => {
  expect(() => blocks(markdown)).toThrow(/has no counterpart/);
});

test("a line keeps the spaces at its ends, and rejects more than one line", () => {
  const line = (markdown: string) => lineFromMarkdown(markdown, () => lamp);
  expect(line(" a **b** ")).toEqual([text(" a "), text("b", { type: "bold" }), text(" ")]);
  expect(line("  ")).toEqual([text("  ")]);
  expect(() => line("a\n\nb")).toThrow(/no single line/);
});

function row(type: string, value: string) {
  const attrs = { colspan: 1, rowspan: 1, colwidth: null, backgroundColor: null };
  return { type: "tableRow", content: [{ type, attrs, content: paragraph(text(value)) }] };
}
