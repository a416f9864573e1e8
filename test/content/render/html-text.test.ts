import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bodyToHtml } from "../../../src/content/render/rich-text.js";
import { storyMarkdown } from "../../../src/content/render/story-markdown.js";
import { targets } from "../../../src/content/render/targets.js";
import { readMarkdown } from "../../../src/content/tree/verify-content.js";
import { story } from "../../support/sample-snapshot.js";
import { readers } from "../../support/target-readers.js";
import { workMs } from "../../support/work-time.js";

const context = { storyUrl: (slug: string) => `/${slug}`, unknown: () => undefined, blocks: new Map() };

function page(content: object, target = targets.plain) {
  const record = story(1, { content: { _uid: "u", component: "page", ...content } });
  return readMarkdown(
    storyMarkdown(record, { url: "/a", setting: undefined, target, context: () => ({ ...context, target }) }),
  );
}

function bodyOf(block: object): string {
  return page({ body: [{ _uid: "b", component: "teaser", ...block }] }).body.trimEnd();
}

function htmlOf(block: object): string {
  return bodyToHtml({ _uid: "u", component: "page", body: [{ _uid: "b", component: "teaser", ...block }] }, context);
}

const imported = "<p>Written in the <strong>old</strong> system.</p>\n<ul><li>one</li></ul>";

describe("a plain text that is HTML", () => {
  test.each(["text", "content", "intro", "title", "description"])(
    "keeps tags and Markdown that it shows as text in %s",
    (field) => {
      for (const shown of ["&lt;script&gt;run()&lt;/script&gt;", "&lt;img src=x onerror=run()&gt; **bold**"]) {
        for (const target of Object.values(targets)) {
          const { body } = page({ body: [{ _uid: "b", component: "teaser", [field]: `<p>${shown}</p>` }] }, target);
          expect(body).not.toMatch(/(?<!\\)<(?:script|img)/);
          expect(body).not.toMatch(/(?<!\\)\*\*bold/);
        }
      }
    },
  );

  test.each<[string, object, string]>([
    [
      "is Markdown",
      { title: "Moved here", description: imported },
      "## Moved here\n\nWritten in the **old** system.\n\n- one",
    ],
    ["is Markdown in a field of Markdown", { text: imported }, "Written in the **old** system.\n\n- one"],
    ["has headings", { intro: "<h3>A</h3><p>b</p>" }, "### A\n\nb"],
    [
      "has links, and none that runs a script",
      { intro: '<p><a href="/a" onclick="x()">a</a> <a href="java&#10;script:x()">b</a></p>' },
      "[a](/a) b",
    ],
    ["has images", { intro: '<p><img src="/a.png" alt="A" onerror="x()"> b</p>' }, "![A](/a.png) b"],
    ["has code", { intro: '<pre><code class="language-ts">a &lt; b\n  c</code></pre>' }, "```ts\na < b\n  c\n```"],
    ["has a heading within code as code", { intro: "<pre><h2>a\n b</pre>" }, "```\na\n b\n```"],
    ["has quotations and rules", { intro: "<blockquote>a</blockquote><hr><p>b" }, "> a\n\n***\n\nb"],
    ["has tables", { intro: "<table><tr><th>A<th>B<tr><td>1<td>2</table>" }, "| A | B |\n| - | - |\n| 1 | 2 |"],
    ["has numbered lists in lists", { intro: "<ol start=3><li>a<ul><li>b</ul><li>c</ol>" }, "3. a\n   - b\n4. c"],
    ["has references", { intro: "<p>Fish &amp; chips&nbsp;&eacute;&#8217;</p>" }, "Fish & chips\u00a0é’"],
    ["has breaks, and none at the end", { intro: "<p>a<br>b<br/></p>" }, "a\\\nb"],
    ["has no line for blanks", { intro: "<p>&nbsp;</p><p> </p><p>a</p>" }, "a"],
    ["has its text from unknown elements", { intro: "<div><x-y>a</x-y></div>" }, "a"],
    [
      "has no scripts, styles, comments and form controls",
      { intro: "<!-- c --><p>a</p><script>s()</script><style>p{}</style><input value=v>" },
      "a",
    ],
    [
      "has the address of what it embeds",
      { intro: '<p>a</p><iframe src="https://v.example/1" title="Film"></iframe>' },
      "a\n\n[Film](https://v.example/1)",
    ],
    ["may close its elements in any order", { intro: "<p><b>a <i>b</b> c</i></p></div>" }, "**a _b_** c"],
    ["may never close", { intro: "<p>a <strong>b" }, "a **b**"],
    ["in one element is a line", { title: "<p>Our <em>best</em> year</p>", intro: "T." }, "## Our *best* year\n\nT."],
    [
      "without marks in one element is a text",
      { title: "<h2>Fish &amp; chips</h2>", intro: "T." },
      "## Fish & chips\n\nT.",
    ],
    ["keeps paragraphs apart by blank lines", { intro: "a <b>b</b>\n\nc <ul><li>d</li></ul>" }, "a **b**\n\nc\n\n- d"],
  ])("%s", (_, block, expected) => {
    expect(bodyOf(block)).toBe(expected);
  });

  test("is HTML in the HTML of a page", () => {
    expect(htmlOf({ title: "Moved <em>here</em>", description: imported })).toBe(
      "<h2>Moved <em>here</em></h2><p>Written in the <strong>old</strong> system.</p><ul><li><p>one</p></li></ul>",
    );
    expect(bodyToHtml({ _uid: "u", component: "page", body: imported }, context)).toBe(
      "<p>Written in the <strong>old</strong> system.</p><ul><li><p>one</p></li></ul>",
    );
  });

  test("is Markdown as a body of its own", () => {
    expect(page({ body: imported }).body).toBe("Written in the **old** system.\n\n- one\n");
  });

  test.each<[string, object, string]>([
    ["a tag alone", { intro: "The <b> tag" }, "The \\<b> tag"],
    ["an unknown element", { intro: "A <Foo>b</Foo>" }, "A \\<Foo>b\\</Foo>"],
    ["a tag that never ends", { intro: '<p class="a' }, '\\<p class="a'],
    ["a comment that never ends", { intro: "<p>a</p><!-- b" }, "\\<p>a\\</p>\\<!-- b"],
    ["a control that never closes", { intro: "<p>a</p><select>b" }, "\\<p>a\\</p>\\<select>b"],
    ["a script in a line", { intro: "a <script>b</script>" }, "a \\<script>b\\</script>"],
    ["an image alone", { intro: "a <img src=x onerror=b>" }, "a \\<img src=x onerror=b>"],
    ["a comparison", { intro: "1 < 2 and a < b > c" }, "1 < 2 and a < b > c"],
  ])("%s stays text", (_, block, expected) => {
    expect(bodyOf(block)).toBe(expected);
  });

  test("code stays code", () => {
    expect(bodyOf({ code: "<p>\n<b>a</b></p>" })).toBe("```\n<p>\n<b>a</b></p>\n```");
  });

  test("Markdown with HTML in it stays Markdown", () => {
    const text = "<div>\n\n**a**\n\n</div>";
    expect(bodyOf({ text })).toBe(text);
  });
});

test("blocks of HTML and breaks within Markdown are HTML in the HTML of a page", () => {
  const text = "**a**<br>b <b>c</b>\n\n<div onclick=x()>d <em>e</em></div>\n\n<script>s()</script>";
  expect(htmlOf({ text }).replaceAll("&#10;", "")).toBe(
    "<p><strong>a</strong><br>b &#x3C;b>c&#x3C;/b></p><p>d <em>e</em></p>&#x3C;script>s()&#x3C;/script>",
  );
});

describe("a block of raw HTML", () => {
  test.each([
    [{ component: "raw_html", code: '<div class="x">Hi <b>you</div><script>s()</script>' }, "Hi **you**"],
    [{ component: "block", html: "Hi <em>you</em> <blink>there" }, "Hi *you* there"],
    [{ component: "html_block", content: "<div><script>s()</script></div>" }, ""],
    [{ component: "html", html: "<script>s()</script>" }, ""],
  ])("%j shows what is harmless", (block, expected) => {
    expect(bodyOf(block)).toBe(expected);
    expect(htmlOf(block)).not.toMatch(/script|s\(\)/);
  });

  test("is told whole in the front matter when a part of it is not shown", () => {
    const html = "<p>a</p><script>s()</script>";
    expect(JSON.stringify(page({ body: [{ _uid: "b", component: "raw_html", html }] }).data.body)).toContain("s()");
  });
});

describe("elements in a line of text", () => {
  test.each<[string, object, string]>([
    ["a heading", { title: "Our <em>best</em><br>year<br>", intro: "T." }, "## Our *best*<br>year\n\nT."],
    ["a paragraph", { intro: "a <strong>b</strong><br>c" }, "a **b**\\\nc"],
    ["a paragraph of lines", { intro: "a <b>b</b>\nc" }, "a **b**\\\nc"],
    ["a list", { facts: ["A <b>b</b>", "No glitter"] }, "- A **b**\n- No glitter"],
    ["a label", { label: "Join <b>us</b>", link: { linktype: "url", url: "/a", cached_url: "/a" } }, "[Join us](/a)"],
  ])("of %s are emphasis and breaks", (_, block, expected) => {
    expect(bodyOf(block)).toBe(expected);
  });
});

describe("a cell of a table", () => {
  test.each([
    ["**a** and [b](/c)", "**a** and [b](/c)"],
    ["a <b>b</b><br>c", "a **b**<br>c"],
    ["<p>a <em>b</em></p>", "a *b*"],
    ["a*b", "a\\*b"],
    ["**a**\nb", "**a**<br>b"],
  ])("takes Markdown and HTML as every other text: %j", (value, expected) => {
    const table = { fieldtype: "table", thead: [{ value: "H" }], tbody: [{ body: [{ value }] }] };
    expect(bodyOf({ table })).toBe(`| H |\n| - |\n| ${expected} |`);
  });

  test("with a list makes the table HTML", () => {
    const table = { fieldtype: "table", thead: [{ value: "H" }], tbody: [{ body: [{ value: "- a\n- **b**" }] }] };
    expect(bodyOf({ table })).toContain("<td><ul><li><p>a</p></li><li><p><strong>b</strong></p></li></ul></td>");
  });
});

describe.each(Object.values(targets))("for $name", (target) => {
  const read = readers[target.name as keyof typeof readers];

  test("no tag of an imported text is seen", () => {
    for (const content of [
      { text: imported },
      { body: imported },
      { body: [{ component: "teaser", intro: imported, _uid: "" }] },
    ]) {
      const found = read(page(content, target).body);
      expect(
        found.text
          .replace(/^\s*Story 1/, "")
          .replace(/\s+/g, " ")
          .trim(),
      ).toMatch(/^Written in the old system\. ?one$/);
      expect(found.programs).toEqual([]);
    }
  });

  const piece = fc.constantFrom(
    ...[
      "<p>",
      "</p>",
      "<b>",
      "</b>",
      "<ul>",
      "<li>",
      "</ul>",
      "<table>",
      "<td>",
      "</table>",
      "<a href='javascript:x()'>",
      "</a>",
      "<br>",
    ],
    ...[
      "<script>",
      "</script>",
      "<iframe src='data:x'>",
      "<img src=x onerror=y>",
      "<h2>",
      "<pre>",
      "<code>",
      "<!--",
      "-->",
      "<svg onload=x>",
    ],
    ...["{{ 1 + 1 }}", "{% x %}", "{{< x >}}", "a", " ", "\n", "&lt;script&gt;", "*", "&", '"', "<"],
  );

  test("hostile HTML runs nothing, and breaks nothing", () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.constantFrom("intro", "html", "text"), (pieces, field) => {
        const value = `<p>${pieces.join("")}`;
        const { programs } = read(
          page({ body: [{ _uid: "", component: "teaser", [field]: value, caption: "Aa" }] }, target).body,
        );
        expect(programs).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });
});

describe("HTML that costs more than its bytes", () => {
  const times = (count: number, value: string) => value.repeat(count);
  test.each<[string, string]>([
    ["nested 10,000 deep", `${times(10_000, "<div>")}a${times(10_000, "</div>")}`],
    ["lists nested 10,000 deep", `${times(10_000, "<ul><li>")}a`],
    ["quotations nested 10,000 deep", `${times(10_000, "<blockquote>")}a`],
    ["tables nested 10,000 deep", `${times(10_000, "<table><tr><td>")}a`],
    ["emphasis that never closes", `<p>${times(100_000, "<b id=1>")}a`],
    ["paragraphs in 100,000 open elements", `${times(100_000, "<div><p>")}a`],
    ["closing tags without their opening", `<p>a${times(200_000, "</i>")}`],
    ["tags that never end", `<p>a${times(200_000, "<a b='")}`],
    ["scripts that never end", `<p>a</p>${times(100_000, "<script></script ")}`],
    ["one megabyte of prose", times(30_000, "<p>Some <b>bold</b> prose &amp; more.</p>\n")],
  ])(
    "%s is read in linear time, and keeps its text",
    (_, intro) => {
      let body = "";
      expect(workMs(() => (body = bodyOf({ intro })))).toBeLessThan(10_000);
      expect(body).toContain(intro.startsWith("<p>Some") ? "Some **bold** prose & more." : "a");
    },
    120_000,
  );
});
