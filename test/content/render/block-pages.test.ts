import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ContentTypeSetting } from "../../../src/config/config.js";
import type { RenderContext } from "../../../src/content/render/render-context.js";
import { richTextToHtml } from "../../../src/content/render/rich-text.js";
import { storyMarkdown } from "../../../src/content/render/story-markdown.js";
import { readMarkdown } from "../../../src/content/tree/verify-content.js";
import { parsedMarkdown, visibleText } from "../../support/parsed-markdown.js";
import { story } from "../../support/sample-snapshot.js";

type Fields = Record<string, unknown>;

function contextWith(types: Record<string, ContentTypeSetting> = {}): RenderContext {
  return {
    storyUrl: (slug) => `/${slug}`,
    unknown: () => undefined,
    setting: (component) => types[component],
    blocks: new Map(),
  };
}

function page(blocks: Fields[], types: Record<string, ContentTypeSetting> = {}) {
  const body = blocks.map((block, index) => ({ _uid: `u${index}`, component: "block", ...block }));
  const record = story(1, { content: { _uid: "u", component: "page", body } });
  const context = contextWith(types);
  const text = storyMarkdown(record, { url: "/a", setting: undefined, context: () => context });
  return { text, ...readMarkdown(text) };
}

function bodyOf(block: Fields, types?: Record<string, ContentTypeSetting>): string {
  return page([block], types).body.trimEnd();
}

function outlineOf(block: Fields, types?: Record<string, ContentTypeSetting>): unknown {
  return (page([block], types).data.body as unknown[] | undefined)?.[0];
}

function rich(text: string) {
  return { type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text }] }] };
}

const image = { fieldtype: "asset", id: 1, filename: "https://a.example/f/1/lamp.png", alt: "A lamp" };
const link = { fieldtype: "multilink", linktype: "url", url: "https://b.example/", cached_url: "https://b.example/" };

describe("texts of a block", () => {
  test.each<[string, Fields, string]>([
    ["a text of prose is a paragraph", { subtitle: "One line." }, "One line."],
    ["lines of plain text stay lines", { address: "Lamp Street 1\nBristol" }, "Lamp Street 1\\\nBristol"],
    ["paragraphs of plain text stay apart", { bio: "One.\n\nTwo * two." }, "One.\n\nTwo \\* two."],
    ["a field named as Markdown is Markdown", { text: "By **one** *lamp*" }, "By **one** *lamp*"],
    ["several lines with a list are Markdown", { summary: "- a\n- b" }, "- a\n- b"],
    ["a text with a link is Markdown", { summary: "See [the books](/books)." }, "See [the books](/books)."],
    ["a line that only begins like a list is text", { motto: "- 20 % on everything!" }, "\\- 20 % on everything!"],
    ["Markdown that ends open is closed", { text: "```js\nlet a", note: "After." }, "```js\nlet a\n```\n\nAfter."],
    ["a comment that ends open is closed", { text: "<!-- a", note: "After." }, "<!-- a\n-->\n\nAfter."],
    ["a heading comes first, a subheading next", { text: "T", sub_title: "S.", headline: "H" }, "## H\n\nS.\n\nT"],
    ["a question comes before its answer", { answer: rich("Yes."), question: "Open?" }, "## Open?\n\nYes."],
    ["a number has a label", { headline: "H", seats: 12 }, "## H\n\nSeats: 12"],
    ["facts are a list", { seats: "12", open_until: "2025-01-02" }, "- Seats: 12\n- Open until: 2025-01-02"],
    ["a price belongs to its currency", { price: "9.00", currency: "GBP", text: "T." }, "9.00 GBP\n\nT."],
    ["a figure and its label are a line", { value: "80", suffix: "+", label: "books" }, "**80+** books"],
    ["a list of texts is a list", { facts: ["Twelve children", "No glitter"] }, "- Twelve children\n- No glitter"],
    ["code is code", { code: "a < b", language: "js" }, "```js\na < b\n```"],
    ["a number that is an option is no heading", { default_tab: "0", text: "T" }, "T"],
    [
      "a sentence in a field named as a setting is shown",
      { style: "Sewn by hand, in blue." },
      "Sewn by hand, in blue.",
    ],
    ["other scripts are no identifiers", { caption: "光", note_2: "да" }, "光\n\nда"],
  ])("%s", (_, block, expected) => {
    expect(bodyOf(block)).toBe(expected);
  });
});

describe("images, links, tables, quotations", () => {
  test.each<[string, Fields, string]>([
    ["an asset", { image, caption: "C." }, "![A lamp](https://a.example/f/1/lamp.png)\n\nC."],
    [
      "several assets",
      { images: [image, { filename: "/b.webp", alt: "B" }] },
      "![A lamp](https://a.example/f/1/lamp.png)\n\n![B](/b.webp)",
    ],
    ["an old image", { image: "//a.example/f/1/2x2/3/x.png", image_alt: "Old" }, "![Old](//a.example/f/1/2x2/3/x.png)"],
    ["an old image on disk", { image: "../../assets/ab12/x.png" }, "![](../../assets/ab12/x.png)"],
    [
      "a file",
      { file: { filename: "https://a.example/f/1/a.pdf", fieldtype: "asset" } },
      "[a.pdf](https://a.example/f/1/a.pdf)",
    ],
    ["an old file", { file: "//a.example/f/1/a.pdf" }, "[a.pdf](//a.example/f/1/a.pdf)"],
    ["a link with its label", { label: "Join us", link }, "[Join us](https://b.example/)"],
    [
      "a link with its text",
      { button_text: "Join", button_link: link, text: "T." },
      "[Join](https://b.example/)\n\nT.",
    ],
    ["a heading that leads somewhere", { title: "Visit", text: "T.", link }, "## [Visit](https://b.example/)\n\nT."],
    [
      "an image that leads somewhere",
      { logo: image, link },
      "[![A lamp](https://a.example/f/1/lamp.png)](https://b.example/)",
    ],
    [
      "two links",
      { a_link: link, a_label: "A", b_link: link, b_label: "B" },
      "[A](https://b.example/)\n\n[B](https://b.example/)",
    ],
    ["an address", { url: "https://v.example/watch", caption: "The film" }, "[The film](https://v.example/watch)"],
    ["a mail address", { email: "a@b.example" }, "[a@b.example](mailto:a@b.example)"],
    ["a script", { label: "Run", link: { ...link, url: "javascript:alert(1)" } }, "Run"],
    [
      "an embed",
      { caption: "The sound", code: '<iframe src="https://s.example/1"></iframe>' },
      "[The sound](https://s.example/1)",
    ],
    [
      "a story",
      { headline: "H", author: { uuid: "u", full_slug: "mira", name: "Mira" } },
      "## H\n\nAuthor: [Mira](/mira)",
    ],
    ["stories", { books: [{ uuid: "u", full_slug: "a", name: "A" }] }, "- [A](/a)"],
    ["a quotation", { quote: "Read.", author: "Jo", role: "reader" }, "> Read.\n>\n> — Jo\n\nreader"],
    [
      "a testimonial",
      { component: "testimonial", role: "reader", text: "Read.", name: "Jo" },
      "> Read.\n>\n> — Jo, reader",
    ],
    ["a rule", { component: "divider", style: "dotted" }, "***"],
  ])("%s", (_, block, expected) => {
    expect(bodyOf(block)).toBe(expected);
  });

  test("a table field is a table, with and without fieldtype, padded to its longest row", () => {
    const cell = (value: unknown) => ({ _uid: "c", component: "_table_col", value });
    const table = {
      thead: [cell("A|B")],
      tbody: [{ _uid: "r", component: "_table_row", body: [cell("1\n2"), cell(3)] }, { body: [] }],
    };
    const expected = "| A\\|B | |\n| - | - |\n| 1<br>2 | 3 |\n| | |";
    expect(bodyOf({ table })).toBe(expected);
    expect(bodyOf({ table: { ...table, fieldtype: "table" } })).toBe(expected);
    expect(outlineOf({ table })).toEqual({ component: "block" });
  });
});

describe("settings", () => {
  const settings = {
    title_tag: "h1",
    theme: "dark",
    layout: "Split",
    css: "text-center bg-primary",
    full_width: true,
    columns: "3",
    background: "#1d2a5b",
    option: "95db39a9-5cb2-4d04-b20e-c5a8c5229557",
    align: "Left",
    gap: "1.5rem",
    tracking: { plugin: "tracker", deep: { _uid: "x", a: [1] } },
    placeholder: "Your name",
    embed: "<script>run()</script>",
  };

  test("are in the front matter, at the place of their block, and not in the body", () => {
    const block = {
      ...settings,
      _editable: "<!--x-->",
      headline: "H",
      items: [{ _uid: "1", component: "card", text: "T.", size: "lg" }],
    };
    expect(bodyOf(block)).toBe("## H\n\nT.");
    expect(outlineOf(block)).toEqual({
      component: "block",
      ...settings,
      tracking: { plugin: "tracker", deep: { a: [1] } },
      items: [{ component: "card", size: "lg" }],
    });
  });

  test("of blocks in rich text, and hidden keys of images and links, are there too", () => {
    const blok = { type: "blok", attrs: { body: [{ _uid: "1", component: "call_out", text: "T.", tone: "warning" }] } };
    const block = {
      text: { type: "doc", content: [blok] },
      image: { ...image, copyright: "C", focus: "1x1:2x2", title: "", meta_data: { alt: "A lamp", by: "Jo" } },
      link: { ...link, rel: "nofollow", target: "_self" },
    };
    expect(outlineOf(block)).toEqual({
      component: "block",
      text: [{ component: "call_out", tone: "warning" }],
      image: { copyright: "C", focus: "1x1:2x2", meta_data: { by: "Jo" } },
      link: { rel: "nofollow" },
    });
  });

  test("content.types says otherwise for a component", () => {
    const block = { kind: "workshop", claim: "Big.", text: "T.", note: "N.", hidden: "x y" };
    expect(bodyOf(block, { block: { heading: "claim", exclude: ["hidden"], frontMatter: ["note"] } })).toBe(
      "## Big.\n\nT.",
    );
    expect(outlineOf(block, { block: { exclude: ["hidden"], frontMatter: ["note"] } })).toEqual({
      component: "block",
      kind: "workshop",
      note: "N.",
    });
    expect(bodyOf(block, { block: { body: ["note", "kind", "absent"] } })).toBe("N.\n\nKind: workshop");
    expect(outlineOf(block, { block: { body: ["text"] } })).toMatchObject({ claim: "Big.", note: "N.", hidden: "x y" });
    expect(bodyOf({ copy: "a *b*" }, { block: { markdown: ["copy"] } })).toBe("a *b*");
  });
});

test("the ranks of headings follow the headings around them, not the blocks", () => {
  const card = { _uid: "3", component: "card", title: "C" };
  const grid = { _uid: "1", component: "grid", columns: [{ _uid: "2", component: "column", blocks: [card] }] };
  expect(page([{ blocks: [grid] }, { headline: "H", blocks: [grid] }]).body).toBe("## C\n\n## H\n\n### C\n");
});

test("blocks of one line each are a list, unless they are the page's sections", () => {
  const items = ["One book a month", "Postage"].map((text) => ({
    _uid: "",
    component: "feature",
    text,
    icon: "check",
  }));
  expect(bodyOf({ items })).toBe("- One book a month\n- Postage");
  expect(page(items).body).toBe("One book a month\n\nPostage\n");
  expect(bodyOf({ items: items.map(({ text, ...item }) => ({ ...item, text: `${text}.` })) })).toBe(
    "One book a month.\n\nPostage.",
  );
});

test("HTML of blocks in rich text follows the same plan, and Markdown in them runs nothing", () => {
  const body = [
    { component: "card", title: "Hi <b>", text: "**bold** <img onerror=x> [a](javascript:b)", theme: "dark", image },
    { component: "quote", text: "Read.", source: "Jo" },
  ];
  expect(richTextToHtml({ type: "doc", content: [{ type: "blok", attrs: { body } }] }, contextWith())).toBe(
    "<p><strong>Hi &#x3C;b></strong></p><p><strong>bold</strong> &#x3C;img onerror=x> <a>a</a></p>" +
      '<p><img src="https://a.example/f/1/lamp.png" alt="A lamp"></p>' +
      "<blockquote><p>Read.</p><p>— Jo</p></blockquote>",
  );
});

describe("any page of blocks", () => {
  const names = fc.constantFrom(
    ..."headline title name text body label link_text quote author value price theme layout note alt image_alt code question answer items caption x link url level tag number step icon_name md order options recipient".split(
      " ",
    ),
  );
  // Finds a text again by its first word.
  const text = fc
    .tuple(fc.nat(1e9), fc.constantFrom("", " and more.", "\nsecond line", " word", "!", "\n\n- a\n- b"))
    .map(([number, rest]) => `Seen${number}x${rest}`);
  const leaf = fc.oneof(
    { weight: 4, arbitrary: text },
    text.map(rich),
    text.map((alt) => ({ ...image, alt: alt.split("\n")[0] })),
    text.map((title) => ({ ...link, title })),
    text.map((value) => ({ thead: [{ value }], tbody: [{ body: [{ value }] }] })),
    fc.tuple(text, text).map((texts) => texts),
    fc.constantFrom<unknown>(true, 3, "dark", "#fff", null, "", [], link),
    text.map((note) => ({ plugin: "p", note, _uid: "secret-uid" })),
    fc
      .tuple(names, text, text)
      .map(([name, one, other]) => [{ [name]: one, note: other, _uid: "secret-uid", tone: "dark" }]),
  );
  const { block } = fc.letrec<{ block: Fields; field: unknown }>((tie) => ({
    field: fc.oneof({ maxDepth: 3, withCrossShrink: true }, leaf, fc.array(tie("block"), { maxLength: 3 })),
    block: fc
      .tuple(
        fc.constantFrom("card", "quote", "testimonial", "grid", "button", "heading", "step", "form", "icon", "gallery"),
        fc.array(fc.tuple(names, tie("field")), { maxLength: 5 }),
      )
      .map(([component, fields]) => ({
        ...Object.fromEntries(fields),
        _uid: "secret-uid",
        _editable: "<!--secret-->",
        component,
      })),
  }));

  test("loses no text between its body and its front matter, and shows nothing of the editor's page", {
    tags: "long",
  }, () => {
    fc.assert(
      fc.property(fc.array(block, { minLength: 1, maxLength: 4 }), (blocks) => {
        const first = page(blocks);
        for (const [word] of JSON.stringify(blocks).matchAll(/Seen\d+x/g)) expect(first.text).toContain(word);
        expect(JSON.stringify(first.data)).not.toMatch(/_uid|_editable|secret/);
        expect(first.body).not.toContain("secret");
        expect(page(blocks).text).toBe(first.text);
        expect(visibleText(parsedMarkdown(first.body), { html: true })).not.toContain('"component"');
      }),
      { numRuns: 200 },
    );
  });
});
