// @module-tag long
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { richTextToMarkdown } from "../../../src/content/render/rich-text.js";
import { nodeTypes, parsedMarkdown, visibleText } from "../../support/parsed-markdown.js";

const context = { storyUrl: (slug: string) => `/${slug}`, unknown: () => undefined, blocks: new Map() };

/** Everything that means something to a reader of Markdown, HTML or YAML, and characters that get lost on the way. */
const hostile = [
  ..."*_`~|<>[]()#-+!&\\:$%{}=.@'\"^",
  ..."\n\r\t \v\f\u0000\u001b\u007f\u0085\u00a0\u2028\ufeff\ud800é😀a1",
  "\r\n",
  "---",
  "---js",
  "===",
  "***",
  "```",
  "~~~",
  "1. ",
  "- ",
  "# ",
  "    ",
  "<!--",
  "-->",
  "<div>",
  "</u>",
  "<script>",
  "<a@b.c>",
  "<0@0>",
  "&amp;",
  "&#10;",
  "http://x.y/z",
  "www.x.y",
  "a@b.c",
  "](x)",
  "![",
  "[x]: y",
  "| - |",
  ":-:",
  "{{ x }}",
  "{% x %}",
  "\\\n",
];
const text = fc
  .array(fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...hostile) }, fc.string()), { maxLength: 12 })
  .map((parts) => parts.join(""));

/** The text that survives by design: line endings become equal, and what neither UTF-8 nor a reference carries is U+FFFD. */
function carried(value: string): string {
  const text = value
    .replace(/\r\n?|[\v\f\u0085]/g, "\n")
    .replace(/[\u0000-\u0008\u000e-\u001f\u007f-\u009f]/g, "\ufffd");
  return asUtf8(text);
}

/** What a reader sees of a line: nothing of blanks alone, and no spaces at its edges. */
function shown(line: string): string {
  return /[^\s\u200b-\u200d\u2060\ufeff]/u.test(line) ? line.replace(/^[ \t\n]+|[ \t\n]+$/g, "") : "";
}

/** A line without all that takes up no ink at its edges, where marks may keep spaces inside. */
function inked(line: string): string {
  return line.replace(/^[\s\u200b-\u200d\u2060\ufeff]+|[\s\u200b-\u200d\u2060\ufeff]+$/gu, "");
}

/** Lone surrogates, and U+0000 which Markdown cannot hold, as U+FFFD. */
function asUtf8(value: string): string {
  return Buffer.from(value).toString().replaceAll("\u0000", "\ufffd");
}

const marks = fc
  .subarray([
    "bold",
    "italic",
    "strike",
    "underline",
    "code",
    "link",
    "superscript",
    "highlight",
    "textStyle",
    "anchor",
  ])
  .map((types) => types.map((type) => ({ type, attrs: attributes[type] ?? {} })));
const attributes: Record<string, object> = {
  link: { href: "https://example.com/a?b|c=(d)", linktype: "url", target: "_blank" },
  highlight: { color: "#fff" },
  textStyle: { color: "red|\n\n", class: 'a"b|c\n\n<d>' },
  anchor: { id: "a\n\nb|`c`" },
};

describe("Markdown of rich text", () => {
  test("gives back any text of a paragraph as that text and nothing else", () => {
    fc.assert(
      fc.property(text, (value) => {
        const document = { type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text: value }] }] };
        const tree = parsedMarkdown(richTextToMarkdown(document, context));
        expect(visibleText(tree)).toBe(shown(carried(value)));
        expect(nodeTypes(tree)).toEqual(shown(carried(value)) === "" ? [] : ["paragraph", "text"]);
      }),
      { numRuns: 2000 },
    );
  });

  const places: Record<string, (paragraph: { content: unknown[] }) => object> = {
    paragraph: ({ content }) => ({ type: "paragraph", content }),
    centred: ({ content }) => ({ type: "paragraph", attrs: { textAlign: "center" }, content }),
    heading: ({ content }) => ({ type: "heading", attrs: { level: 2 }, content }),
    list: (paragraph) => ({ type: "bullet_list", content: [{ type: "list_item", content: [paragraph] }] }),
    quotation: (paragraph) => ({ type: "blockquote", content: [paragraph] }),
    "table cell": (paragraph) => ({
      type: "table",
      content: [{ type: "tableRow", content: [{ type: "tableHeader", content: [paragraph] }] }],
    }),
  };

  test.each(Object.keys(places))("gives back marked text in a %s", (place) => {
    const nodes = fc.array(fc.record({ type: fc.constant("text"), text, marks }), { maxLength: 5 });
    fc.assert(
      fc.property(nodes, (content) => {
        const block = places[place]?.({ type: "paragraph", content } as { content: unknown[] });
        const tree = parsedMarkdown(richTextToMarkdown({ type: "doc", content: [block] }, context));
        const expected = content.map((node) => {
          const isCode = node.marks.some(({ type }) => type === "code");
          return isCode ? carried(node.text).replace(/\n/g, " ") : carried(node.text);
        });
        expect(inked(visibleText(tree))).toBe(inked(expected.join("")));
      }),
      { numRuns: 500 },
    );
  });

  test.each([false, true])("gives back code (in a list: %s)", (inList) => {
    fc.assert(
      fc.property(text, (value) => {
        const code = { type: "code_block", attrs: { class: "language-ts" }, content: [{ type: "text", text: value }] };
        const item = {
          type: "list_item",
          content: [{ type: "paragraph", content: [{ type: "text", text: "a" }] }, code],
        };
        const content = inList ? [{ type: "bullet_list", content: [item] }] : [code];
        const tree = parsedMarkdown(richTextToMarkdown({ type: "doc", content }, context));
        expect(visibleText(tree)).toBe((inList ? "a" : "") + asUtf8(value.replace(/\r\n?/g, "\n")));
      }),
      { numRuns: 500 },
    );
  });

  const paragraph = text.map((value) => ({ type: "paragraph", content: [{ type: "text", text: value }] }));
  const { block } = fc.letrec<{ block: object; blocks: object[] }>((tie) => ({
    blocks: fc.array(tie("block"), { maxLength: 3 }),
    block: fc.oneof(
      { maxDepth: 4, depthSize: "small" },
      paragraph,
      text.map((value) => ({ type: "heading", attrs: { level: 3 }, content: [{ type: "text", text: value }] })),
      text.map((value) => ({ type: "code_block", content: [{ type: "text", text: value }] })),
      fc.constant({ type: "horizontal_rule" }),
      tie("blocks").map((content) => ({ type: "blockquote", content })),
      tie("blocks").map((content) => ({ type: "paragraph", attrs: { dir: "rtl" }, content })),
      tie("blocks").map((content) => ({ type: "mystery", content })),
      fc.array(tie("blocks"), { maxLength: 3 }).chain((items) =>
        fc.constantFrom("bullet_list", "ordered_list").map((type) => ({
          type,
          content: items.map((content) => ({ type: "list_item", content })),
        })),
      ),
      fc.array(tie("blocks"), { maxLength: 3 }).map((cells) => ({
        type: "table",
        content: cells.map((content) => ({ type: "tableRow", content: [{ type: "tableCell", content }] })),
      })),
    ),
  }));

  test("gives back all text of any document, in order", () => {
    fc.assert(
      fc.property(fc.array(block, { maxLength: 4 }), (content) => {
        const tree = parsedMarkdown(richTextToMarkdown({ type: "doc", content }, context));
        const ink = (value: string) => value.replace(/[\s\u200b-\u200d\u2060\ufeff]/gu, "");
        expect(ink(visibleText(tree, { html: true }))).toBe(ink(texts(content).join("")));
      }),
      { numRuns: 1500 },
    );
  });
});

function texts(nodes: readonly object[], type = "", inTable = false): string[] {
  return nodes.flatMap((node) => {
    const { text: own, type: kind = "", content = [] } = node as { text?: string; type?: string; content?: object[] };
    if (own === undefined) return texts(content, kind, inTable || kind === "table");
    return [type === "code_block" || inTable ? asUtf8(own.replace(/\r\n?/g, "\n")) : carried(own)];
  });
}
