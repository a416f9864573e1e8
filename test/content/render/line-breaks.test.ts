import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bodyToHtml, richTextToMarkdown } from "../../../src/content/render/rich-text.js";
import { targets } from "../../../src/content/render/targets.js";
import { nodeTypes, parsedMarkdown, visibleText } from "../../support/parsed-markdown.js";
import { readers } from "../../support/target-readers.js";

const context = { storyUrl: (slug: string) => `/${slug}`, unknown: () => undefined, blocks: new Map() };

const br = { type: "hard_break" };
const text = (value: string, ...marks: (string | object)[]) => ({
  type: "text",
  text: value,
  marks: marks.map((mark) => (typeof mark === "string" ? { type: mark } : mark)),
});
const paragraph = (...content: object[]) => ({ type: "paragraph", content });
const heading = (...content: object[]) => ({ type: "heading", attrs: { level: 2 }, content });
const item = (...content: object[]) => ({ type: "list_item", content });
const list = (...content: object[]) => ({ type: "bullet_list", content });
const quote = (...content: object[]) => ({ type: "blockquote", content });
const table = (...content: object[]) => ({
  type: "table",
  content: [{ type: "tableRow", content: [{ type: "tableHeader", content }] }],
});
const image = { type: "image", attrs: { src: "https://example.com/a.png", alt: "" } };
const link = { type: "link", attrs: { href: "/a", linktype: "url" } };
const anchor = { type: "anchor", attrs: { id: "here" } };

function written(...content: object[]): string {
  return richTextToMarkdown({ type: "doc", content }, context);
}

describe("a line break in Markdown", () => {
  test.each<[string, object[], string]>([
    [
      "at the end of a paragraph leaves nothing, and one alone is no paragraph",
      [paragraph(text("Address line"), br), paragraph(br), paragraph(text("Next paragraph."))],
      "Address line\n\nNext paragraph.\n",
    ],
    ["at the start of a paragraph leaves nothing", [paragraph(br, br, text(" a"))], "a\n"],
    ["between words stays, without spaces beside it", [paragraph(text("a "), br, text(" b"))], "a\\\nb\n"],
    ["twice in a row stays twice", [paragraph(text("a"), br, br, text("b"))], "a\\\n\\\nb\n"],
    [
      "at the end of bold text is outside it",
      [paragraph(text("a", "bold"), { ...br, marks: [{ type: "bold" }] }, text("b"))],
      "**a**\\\nb\n",
    ],
    [
      "at the end of a bold paragraph leaves nothing",
      [paragraph(text("a", "bold"), { ...br, marks: [{ type: "bold" }] })],
      "**a**\n",
    ],
    [
      "inside bold text stays",
      [paragraph(text("a", "bold"), { ...br, marks: [{ type: "bold" }] }, text("b", "bold"))],
      "**a\\\nb**\n",
    ],
    ["inside a link stays", [paragraph(text("a", link), { ...br, marks: [link] }, text("b", link))], "[a\\\nb](/a)\n"],
    [
      "at the end of a link is outside it",
      [paragraph(text("a", link), { ...br, marks: [link] }, text("b"))],
      "[a](/a)\\\nb\n",
    ],
    ["alone in a link makes no link", [paragraph(text("a"), { ...br, marks: [link] }, text("b"))], "a\\\nb\n"],
    [
      "at the end of underlined text is outside it",
      [paragraph(text("a", "underline"), { ...br, marks: [{ type: "underline" }] }, text("b"))],
      "<u>a</u>\\\nb\n",
    ],
    [
      "at the end of an item leaves nothing",
      [list(item(paragraph(text("a"), br)), item(paragraph(text("b", "bold"), br)))],
      "- a\n- **b**\n",
    ],
    [
      "before a nested list leaves nothing",
      [list(item(paragraph(text("a"), br), list(item(paragraph(text("b"), br)))))],
      "- a\n  - b\n",
    ],
    [
      "in an item without a paragraph leaves nothing",
      [list(item(text("a"), br, list(item(text("b")))))],
      "- a\n  - b\n",
    ],
    ["at the end of a quotation leaves nothing", [quote(paragraph(text("a"), br), paragraph(br))], "> a\n"],
    ["at the end of a heading leaves nothing", [heading(text("a"), br)], "## a\n"],
    ["inside a heading is `<br>`", [heading(text("a "), br, text(" b"), br)], "## a<br>b\n"],
    ["at the end of a cell leaves nothing", [table(paragraph(text("a"), br))], "| a |\n| - |\n"],
    ["inside a cell is `<br>`", [table(paragraph(br, text("a"), br, text("b")))], "| a<br>b |\n| - |\n"],
    [
      "beside an image leaves nothing",
      [paragraph({ type: "image", attrs: { src: "/a.png", alt: "A" } }, br)],
      "![A](/a.png)\n",
    ],
  ])("%s", (_, content, expected) => {
    expect(written(...content)).toBe(expected);
  });
});

describe.each(Object.values(targets))("for $name", (target) => {
  test.each<[string, object, string]>([
    [
      "an underscore in bold italic text before an image in struck text stays an underscore",
      paragraph(text("m_n_o", "bold", "italic"), { ...image, marks: text("", "bold", "italic", "strike").marks }),
      "m_n_o",
    ],
    ["a line ending and a bar in a heading make no table", heading(text("|{a\nb")), "|{ab"],
  ])("%s", (_, block, expected) => {
    const markdown = richTextToMarkdown({ type: "doc", content: [block] }, { ...context, target });
    expect(ink(readers[target.name as keyof typeof readers](markdown).text)).toBe(expected);
  });
});

test("an underscore next to struck text stays an underscore", () => {
  const tree = parsedMarkdown(written(paragraph(text("=", "strike"), text("m_n_o"), text("=", "strike"))));
  expect(visibleText(tree)).toBe("=m_n_o=");
  expect(nodeTypes(tree)).toEqual(["paragraph", "delete", "text", "text", "delete", "text"]);
});

describe("blank nodes", () => {
  const blanks = [" ", "  ", "\t", "\n", "\u00a0", " \u00a0 ", "\u200b", "\ufeff"];

  test.each(blanks)("headings and paragraphs of %j alone are left out", (blank) => {
    const content = [
      heading(text(blank)),
      heading(text(blank, "bold")),
      paragraph(text(blank, link)),
      paragraph(text("Text.")),
    ];
    expect(written(...content)).toBe("Text.\n");
    const html = bodyToHtml({ _uid: "", component: "page", body: { type: "doc", content } }, context);
    expect(html).toBe("<p>Text.</p>");
  });

  test("a blank that a link can lead to stays", () => {
    expect(written(paragraph(text(" ", anchor)))).toBe('<span id="here"> </span>\n');
  });

  test("a cell with an empty second paragraph is a line", () => {
    expect(written(table(paragraph(text("a")), paragraph()))).toBe("| a |\n| - |\n");
  });

  test("a quotation of blanks is left out", () => {
    expect(written(quote(paragraph(text(" ")), paragraph(br)), paragraph(text("a")))).toBe("a\n");
  });
});

test.each([
  ["strong", "**a**"],
  ["b", "**a**"],
  ["em", "*a*"],
  ["i", "*a*"],
  ["s", "~~a~~"],
  ["u", "<u>a</u>"],
])("the mark %s is known by the name of its element", (mark, expected) => {
  const unknown: string[] = [];
  const document = { type: "doc", content: [paragraph(text("a", mark), text(" b"))] };
  expect(richTextToMarkdown(document, { ...context, unknown: (what) => unknown.push(what) })).toBe(`${expected} b\n`);
  expect(unknown).toEqual([]);
});

const words = fc.constantFrom(
  ...[
    "a",
    "b c",
    " d",
    "e ",
    " ",
    "f.",
    "1. g",
    "- h",
    "# i",
    "> j",
    "===",
    "---",
    "| k |",
    "*l*",
    "m_n_o",
    "\\",
    "&amp;",
  ],
  ...["<br>", "<b>", "`p`", "~~q~~", "[r](s)", "![", "!", "(t)", "é", "“u”", "10:30:45", "+", "\u00a0"],
);
const marks = fc.subarray(
  ["bold", "strong", "italic", "em", "strike", "underline", "code", "superscript", link, anchor].map((mark) =>
    typeof mark === "string" ? { type: mark } : mark,
  ),
  { maxLength: 3 },
);
const inline = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(words, marks)
      .map(([value, some]) => text(some.some(({ type }) => type === "code") ? "x" : value, ...some)),
  },
  { weight: 3, arbitrary: marks.map((some) => ({ ...br, marks: some })) },
  { weight: 1, arbitrary: marks.map((some) => ({ ...image, marks: some })) },
);
const line = fc.array(inline, { maxLength: 7 });
const block = fc.oneof(
  line.map((content) => paragraph(...content)),
  line.map((content) => heading(...content)),
  line.map((content) => quote(paragraph(...content))),
  line.map((content) => table(paragraph(...content))),
  fc
    .tuple(line, line, line)
    .map(([one, two, three]) => list(item(paragraph(...one), list(item(paragraph(...two)))), item(...three))),
);

function texts(node: object): string {
  const { text: own = "", content = [] } = node as { text?: string; content?: object[] };
  return own + content.map(texts).join("");
}

/** White space is laid out differently by each reader. */
function ink(value: string): string {
  return value.replace(/\s/g, "");
}

describe.each(Object.values(targets))("for $name", (target) => {
  test("a reader of the Markdown sees the editor's text and no character more", () => {
    fc.assert(
      fc.property(fc.array(block, { minLength: 1, maxLength: 3 }), (content) => {
        const markdown = richTextToMarkdown({ type: "doc", content }, { ...context, target });
        expect(ink(readers[target.name as keyof typeof readers](markdown).text)).toBe(ink(content.map(texts).join("")));
      }),
      { numRuns: 400 },
    );
  });
});

test("each break between words is one break, and no other", () => {
  const letters = fc.constantFrom("a", "b", "c d");
  const some = fc.array(
    fc.oneof(
      letters.map((value) => text(value)),
      letters.map((value) => text(value, "bold")),
      fc.constant(br),
    ),
  );
  fc.assert(
    fc.property(some, (content) => {
      const inner = content
        .map((node) => (node.type === "hard_break" ? "\n" : "x"))
        .join("")
        .replace(/^\n+|\n+$/g, "");
      const breaks = nodeTypes(parsedMarkdown(written(paragraph(...content)))).filter((type) => type === "break");
      expect(breaks).toHaveLength(inner.replace(/x/g, "").length);
    }),
    { numRuns: 500 },
  );
});
