import { describe, expect, test } from "vitest";
import type { RenderContext } from "../../../src/content/render/render-context.js";
import { richTextToHtml, richTextToMarkdown } from "../../../src/content/render/rich-text.js";
import { workMs } from "../../support/work-time.js";

function context(more: Partial<RenderContext> = {}): RenderContext & { seen: string[] } {
  const seen: string[] = [];
  return { storyUrl: (slug) => `/${slug}`, unknown: (what) => seen.push(what), blocks: new Map(), seen, ...more };
}

function doc(...content: unknown[]) {
  return { type: "doc", content };
}

function paragraph(...content: unknown[]) {
  return { type: "paragraph", content };
}

function text(value: string, ...marks: (string | object)[]) {
  return { type: "text", text: value, marks: marks.map((mark) => (typeof mark === "string" ? { type: mark } : mark)) };
}

function link(attrs: object) {
  return { type: "link", attrs };
}

function cell(type: string, value: string, attrs: object = {}) {
  return { type, attrs, content: [paragraph(text(value))] };
}

const heading = { type: "heading", attrs: { level: 2 }, content: [text("T")] };
const list = (type: string, attrs = {}) => ({
  type,
  attrs,
  content: [
    { type: "list_item", content: [paragraph(text("a"))] },
    { type: "list_item", content: [paragraph(text("b"))] },
  ],
});
const table = {
  type: "table",
  content: [
    { type: "tableRow", content: [cell("tableHeader", "A"), cell("tableHeader", "B|")] },
    { type: "tableRow", content: [cell("tableCell", "1"), cell("tableCell", "2")] },
  ],
};

describe("every node as Markdown and as HTML", () => {
  test.each<[string, unknown, string, string]>([
    ["heading", heading, "## T\n", "<h2>T</h2>"],
    ["heading without level", { ...heading, attrs: { level: null } }, "# T\n", "<h1>T</h1>"],
    [
      "centred heading",
      { ...heading, attrs: { level: 2, textAlign: "center" } },
      '<div style="text-align: center">\n\n## T\n\n</div>\n',
      '<h2 style="text-align: center">T</h2>',
    ],
    ["paragraph", paragraph(text("a")), "a\n", "<p>a</p>"],
    ["empty paragraph", paragraph(), "", "<p></p>"],
    [
      "right to left",
      { ...paragraph(text("a")), attrs: { dir: "rtl" } },
      '<div dir="rtl">\n\na\n\n</div>\n',
      '<p dir="rtl">a</p>',
    ],
    [
      "blockquote",
      { type: "blockquote", content: [paragraph(text("a"))] },
      "> a\n",
      "<blockquote><p>a</p></blockquote>",
    ],
    ["bullet list", list("bullet_list"), "- a\n- b\n", "<ul><li><p>a</p></li><li><p>b</p></li></ul>"],
    [
      "ordered list",
      list("ordered_list", { order: 3 }),
      "3. a\n4. b\n",
      '<ol start="3"><li><p>a</p></li><li><p>b</p></li></ol>',
    ],
    [
      "code",
      { type: "code_block", attrs: { class: "language-ts" }, content: [text("a\n\n<b>")] },
      "```ts\na\n\n<b>\n```\n",
      '<pre><code class="language-ts">a&#10;&#10;&#x3C;b></code></pre>',
    ],
    ["rule", { type: "horizontal_rule" }, "***\n", "<hr>"],
    ["line break", paragraph(text("a"), { type: "hard_break" }, text("b")), "a\\\nb\n", "<p>a<br>b</p>"],
    [
      "line break in a heading",
      { ...heading, content: [text("a"), { type: "hard_break" }, text("b")] },
      "## a<br>b\n",
      "<h2>a<br>b</h2>",
    ],
    [
      "image",
      { type: "image", attrs: { src: "//x/a.png", alt: "A]", title: 'T"' } },
      '![A\\]](//x/a.png "T\\"")\n',
      '<img src="//x/a.png" alt="A]" title="T&#x22;">',
    ],
    ["emoji", paragraph({ type: "emoji", attrs: { name: "lamp", emoji: "🪔" } }), "🪔\n", "<p>🪔</p>"],
    ["emoji without a character", paragraph({ type: "emoji", attrs: { name: "lamp" } }), ":lamp:\n", "<p>:lamp:</p>"],
    [
      "table",
      table,
      "| A | B\\| |\n| - | - |\n| 1 | 2 |\n",
      "<table><thead><tr><th><p>A</p></th><th><p>B|</p></th></tr></thead><tbody><tr><td><p>1</p></td><td><p>2</p></td></tr></tbody></table>",
    ],
  ])("%s", (_, node, markdown, html) => {
    expect(richTextToMarkdown(doc(node), context())).toBe(markdown);
    expect(richTextToHtml(doc(node), context())).toBe(html);
  });

  test("a table with spans, colours, blocks or without a head is HTML within Markdown", () => {
    const row = {
      type: "tableRow",
      content: [cell("tableCell", "<1>", { colspan: 2, rowspan: null, backgroundColor: "#fff" })],
    };
    expect(richTextToMarkdown(doc({ type: "table", content: [row] }), context())).toBe(
      '<table><tbody><tr><td colspan="2" style="background-color: #fff"><p>&#x3C;1></p></td></tr></tbody></table>\n',
    );
  });

  test("a list after a list stays separate, also where an item begins with a rule", () => {
    const item = (...content: object[]) => ({ type: "list_item", content });
    const second = { type: "bullet_list", content: [item(paragraph(text("b"))), item({ type: "horizontal_rule" })] };
    expect(richTextToMarkdown(doc(list("bullet_list"), second), context())).toBe("- a\n- b\n\n+ b\n\n+ ***\n");
  });

  test("a list whose first item holds only an empty list stays apart from the paragraph above it", () => {
    const item = (...content: unknown[]) => ({ type: "list_item", content });
    const nested = { type: "bullet_list", content: [item({ type: "bullet_list", content: [item()] })] };
    const document = doc({ type: "bullet_list", content: [item(paragraph(text("a")), nested)] });
    expect(richTextToMarkdown(document, context())).toBe("- a\n\n  - -\n");
  });

  test("names in snake case and camel case mean the same", () => {
    const other = JSON.parse(
      JSON.stringify(table)
        .replaceAll("tableRow", "table_row")
        .replaceAll("tableHeader", "table_header")
        .replaceAll("tableCell", "table_cell"),
    );
    expect(richTextToMarkdown(doc(other), context())).toBe(richTextToMarkdown(doc(table), context()));
  });
});

describe("every mark as Markdown and as HTML", () => {
  test.each<[string, object[], string, string]>([
    ["bold", [text("a", "bold")], "**a**", "<strong>a</strong>"],
    ["italic", [text("a", "italic")], "*a*", "<em>a</em>"],
    ["strike", [text("a", "strike")], "~~a~~", "<del>a</del>"],
    ["underline", [text("a", "underline")], "<u>a</u>", "<u>a</u>"],
    ["code", [text("a`b", "code")], "``a`b``", "<code>a`b</code>"],
    ["superscript", [text("a", "superscript")], "<sup>a</sup>", "<sup>a</sup>"],
    ["subscript", [text("a", "subscript")], "<sub>a</sub>", "<sub>a</sub>"],
    [
      "highlight",
      [text("a", { type: "highlight", attrs: { color: "#ff0" } })],
      '<mark style="background-color: #ff0">a</mark>',
      '<mark style="background-color: #ff0">a</mark>',
    ],
    [
      "textStyle",
      [text("a", { type: "textStyle", attrs: { color: "red", id: null, class: "big" } })],
      '<span class="big" style="color: red">a</span>',
      '<span class="big" style="color: red">a</span>',
    ],
    [
      "a colour that is no colour",
      [text("a", { type: "textStyle", attrs: { color: "red;background:url(//x)" } })],
      "a",
      "a",
    ],
    [
      "styled",
      [text("a", { type: "styled", attrs: { class: "x" } })],
      '<span class="x">a</span>',
      '<span class="x">a</span>',
    ],
    ["anchor", [text("a", { type: "anchor", attrs: { id: "x" } })], '<span id="x">a</span>', '<span id="x">a</span>'],
    [
      "link",
      [text("a", link({ href: "/x", linktype: "url", target: "_self", anchor: null }))],
      "[a](/x)",
      '<a href="/x">a</a>',
    ],
    [
      "story link with anchor",
      [text("a", link({ href: "/x", linktype: "story", anchor: "top" }))],
      "[a](/x#top)",
      '<a href="/x#top">a</a>',
    ],
    [
      "email link",
      [text("a", link({ href: "b@example.com", linktype: "email" }))],
      "[a](mailto:b@example.com)",
      '<a href="mailto:b@example.com">a</a>',
    ],
    [
      "link to a new window",
      [text("a", link({ href: "/x", target: "_blank" }))],
      '<a href="/x" target="_blank" rel="noopener">a</a>',
      '<a href="/x" target="_blank" rel="noopener">a</a>',
    ],
    ["link that would run a script", [text("a", link({ href: " java\nscript:alert(1)" }))], "a", "a"],
    ["empty link", [text("a", link({ href: "", linktype: "url" }))], "a", "a"],
    [
      "one link over two texts",
      [text("a", link({ href: "/x" })), text("b", "bold", link({ href: "/x" }))],
      "[a**b**](/x)",
      '<a href="/x">a<strong>b</strong></a>',
    ],
    [
      "marks that overlap",
      [text("a ", "bold"), text("b", "italic", "bold"), text(" c", "italic")],
      "**a _b_** *c*",
      "<strong>a <em>b</em></strong><em> c</em>",
    ],
    [
      "spaces at the edge of bold",
      [text("a "), text(" b ", "bold"), text("c")],
      "a  **b** c",
      "a <strong> b </strong>c",
    ],
    [
      "a mark on an image",
      [{ type: "image", attrs: { src: "/a.png", alt: "A" }, marks: [link({ href: "/x" })] }],
      "[![A](/a.png)](/x)",
      '<a href="/x"><img src="/a.png" alt="A"></a>',
    ],
  ])("%s", (_, nodes, markdown, html) => {
    expect(richTextToMarkdown(doc(paragraph(...nodes)), context())).toBe(`${markdown}\n`);
    expect(richTextToHtml(doc(paragraph(...nodes)), context())).toBe(`<p>${html}</p>`);
  });
});

describe("blocks inside rich text", () => {
  const block = {
    _uid: "1",
    _editable: "<!--x-->",
    component: "call_out",
    headline: "Buy <b>",
    price: "24",
    wide: true,
    image: { fieldtype: "asset", filename: "/a.png", alt: "A" },
    more: { fieldtype: "multilink", linktype: "url", url: "https://example.com", anchor: "x" },
    unset: "",
    author: { uuid: "u", full_slug: "authors/mira", name: "Mira", component: "author" },
    text: doc(paragraph(text("inner"))),
    body: [{ _uid: "2", component: "quote", by: "Bob" }],
    seo: { plugin: "seo", title: "S" },
  };

  test("are shown with all that a reader reads, in Markdown and in HTML", () => {
    const document = doc({ type: "blok", attrs: { id: "x", body: [block] } });
    expect(richTextToMarkdown(document, context())).toBe(
      [
        "**[Buy \\<b>](https://example.com#x)**",
        "",
        "Price: 24",
        "",
        "![A](/a.png)",
        "",
        "Author: [Mira](/authors/mira)",
        "",
        "inner",
        "",
        "Bob",
        "",
      ].join("\n"),
    );
    const html = richTextToHtml(document, context());
    for (const part of [
      '<p><strong><a href="https://example.com#x">Buy &#x3C;b></a></strong></p>',
      "<p>Price: 24</p>",
      '<img src="/a.png" alt="A">',
      "inner",
      "Bob",
      '<a href="/authors/mira">Mira</a>',
    ]) {
      expect(html).toContain(part);
    }
    for (const setting of ["wide", "seo", "call_out"]) expect(html).not.toContain(setting);
  });

  test("are handed to the renderer of their component", () => {
    const blocks = new Map([
      [
        "call_out",
        { markdown: () => [{ type: "thematicBreak" as const }], html: () => [{ type: "text" as const, value: "!" }] },
      ],
    ]);
    const document = doc({ type: "blok", attrs: { body: [block] } });
    expect(richTextToMarkdown(document, context({ blocks }))).toBe("***\n");
    expect(richTextToHtml(document, context({ blocks }))).toBe("!");
  });

  test.each([null, [], undefined, "text", 7, {}])("a body that is %j does no harm", (body) => {
    const document = doc({ type: "blok", attrs: { body } });
    expect(richTextToMarkdown(document, context())).toBe(body === "text" ? "text\n" : body === 7 ? "7\n" : "");
  });
});

describe("content of an unexpected shape", () => {
  test("unknown nodes and marks keep their text and are reported", () => {
    const unknown = context();
    const node = { type: "chart", content: [paragraph(text("a", "sparkle")), { type: "legend", text: "b" }] };
    expect(richTextToMarkdown(doc(node), unknown)).toBe("a\n\nb\n");
    expect(unknown.seen).toEqual(['node "chart"', 'mark "sparkle"']);
  });

  test.each<[unknown, string]>([
    [null, ""],
    [undefined, ""],
    ["", ""],
    ["only # text", "only # text\n"],
    [12, "12\n"],
    [{}, ""],
    [{ type: "doc" }, ""],
    [{ type: "doc", content: "text" }, ""],
    [{ type: "doc", content: [null, 1, "x", [text("y")]] }, "1x\n\ny\n"],
    [doc({ type: "heading", attrs: null, content: [text("a")] }), "# a\n"],
    [doc(paragraph({ type: "text" }, { type: "text", text: null })), ""],
    [doc({ type: "text", text: "a", marks: [null, "bold", { type: 7 }] }), "**a**\n"],
    [doc({ type: "constructor", content: [text("a")] }), "a\n"],
  ])("%j", (document, markdown) => {
    expect(richTextToMarkdown(document, context())).toBe(markdown);
    expect(() => richTextToHtml(document, context())).not.toThrow();
  });

  test.each([
    ["blockquote", (inner: object) => ({ type: "blockquote", content: [inner] })],
    ["list", (inner: object) => ({ type: "bullet_list", content: [{ type: "list_item", content: [inner] }] })],
    [
      "table",
      (inner: object) => ({
        type: "table",
        content: [{ type: "tableRow", content: [{ type: "tableCell", content: [inner] }] }],
      }),
    ],
    ["block", (inner: object) => ({ type: "blok", attrs: { body: [{ component: "b", text: doc(inner) }] } })],
  ])("%s nested in itself 2000 times keeps its text and is told", (_, nest) => {
    let node: object = paragraph(text("at the bottom"));
    for (let level = 0; level < 2000; level++) node = nest(node);
    const seen = context();
    expect(richTextToMarkdown(doc(node), seen)).toContain("at the bottom");
    expect(richTextToHtml(doc(node), seen)).toContain("at the bottom");
    expect(seen.seen[0]).toBe("nesting deeper than 100 levels");
  });

  test("many changes of marks in one paragraph take no longer than a moment", () => {
    const nodes = Array.from({ length: 1000 }, (_, index) =>
      text("a*", ...["bold", "italic", "strike"].slice(0, (index % 3) + 1)),
    );
    expect(workMs(() => richTextToMarkdown(doc(paragraph(...nodes)), context()))).toBeLessThan(5000);
  });
});

describe("what an editor says about a link", () => {
  const written = (attrs: object) =>
    richTextToMarkdown(doc(paragraph(text("t", link({ href: "/a", linktype: "url", ...attrs })))), context());

  test.each<[object, string]>([
    [{ custom: { title: 'a "b"\nc' } }, '[t](/a "a \\"b\\" c")\n'],
    [{ title: "a" }, '[t](/a "a")\n'],
    [{ title: "a", custom: { title: "b" } }, '[t](/a "b")\n'],
    [{ custom: { rel: "nofollow sponsored", title: "b" } }, '<a href="/a" rel="nofollow sponsored" title="b">t</a>\n'],
    [{ rel: "me", target: "_blank" }, '<a href="/a" target="_blank" rel="me noopener">t</a>\n'],
    [{ rel: "noreferrer", target: "_blank" }, '<a href="/a" target="_blank" rel="noreferrer">t</a>\n'],
    [{ custom: { download: "", title: "", hreflang: 7 } }, '<a href="/a" download="" hreflang="7">t</a>\n'],
    [{ custom: { onclick: "x", style: "y", href: "z" } }, "[t](/a)\n"],
    [{ custom: null, rel: null, title: { a: 1 } }, "[t](/a)\n"],
    [{ custom: ["a"] }, "[t](/a)\n"],
  ])("%j is kept as %j", (attrs, expected) => {
    expect(written(attrs)).toBe(expected);
  });
});

describe("direction and alignment in Markdown", () => {
  const block = (attrs: object, type = "paragraph") => ({ ...paragraph(text("a")), type, attrs });

  test.each<[string, unknown, string]>([
    ["left where everything is", block({ textAlign: "left", dir: "ltr" }), "a\n"],
    [
      "left in a paragraph from right to left",
      block({ textAlign: "left", dir: "rtl" }),
      '<div dir="rtl" style="text-align: left">\n\na\n\n</div>\n',
    ],
    [
      "left and from left to right in a quotation from right to left",
      { type: "blockquote", attrs: { dir: "rtl" }, content: [block({ textAlign: "left", dir: "ltr" }), block({})] },
      '<div dir="rtl">\n\n> <div dir="ltr" style="text-align: left">\n>\n> a\n>\n> </div>\n>\n> a\n\n</div>\n',
    ],
    [
      "an item from right to left",
      { type: "bullet_list", content: [{ type: "list_item", attrs: { dir: "rtl" }, content: [block({})] }] },
      '- <div dir="rtl">\n\n  a\n\n  </div>\n',
    ],
  ])("%s", (_, node, expected) => {
    expect(richTextToMarkdown(doc(node), context())).toBe(expected);
  });

  test("a table whose cells are aligned as everything around them stays a Markdown table", () => {
    const aligned = (dir: string) => ({
      type: "table",
      content: table.content.map((row) => ({
        ...row,
        content: row.content.map((one) => ({
          ...one,
          content: [{ ...one.content[0]!, attrs: { textAlign: "left", dir } }],
        })),
      })),
    });
    expect(richTextToMarkdown(doc(aligned("ltr")), context())).toBe(richTextToMarkdown(doc(table), context()));
    expect(richTextToMarkdown(doc(aligned("rtl")), context())).toMatch(/^<table><thead>/);
  });
});

test("HTML has the width of columns, and a Markdown table stays Markdown", () => {
  const wide = {
    ...table,
    content: table.content.map((row) => ({
      ...row,
      content: row.content.map((one) => ({ ...one, attrs: { colwidth: [120], backgroundColor: null } })),
    })),
  };
  expect(richTextToHtml(doc(wide), context())).toContain('<th style="width: 120px"><p>A</p></th>');
  expect(richTextToMarkdown(doc(wide), context())).toBe(richTextToMarkdown(doc(table), context()));
  for (const colwidth of [["1; x"], [-1], [Number.NaN], {}, "url(x)", [null]]) {
    const one = { type: "table", content: [{ type: "tableRow", content: [cell("tableCell", "a", { colwidth })] }] };
    expect(richTextToHtml(doc(one), context())).toBe("<table><tbody><tr><td><p>a</p></td></tr></tbody></table>");
  }
});

test("of two styles on a text the first is innermost, however far each reaches", () => {
  const style = (color: string) => ({ type: "textStyle", attrs: { color } });
  const red = style("red");
  const blue = style("blue");
  expect(richTextToHtml(doc(paragraph(text("a", red, blue), text("b", red))), context())).toBe(
    '<p><span style="color: blue"><span style="color: red">a</span></span><span style="color: red">b</span></p>',
  );
  expect(richTextToMarkdown(doc(paragraph(text("a", red, blue), text("b", blue))), context())).toBe(
    '<span style="color: blue"><span style="color: red">a</span>b</span>\n',
  );
});
