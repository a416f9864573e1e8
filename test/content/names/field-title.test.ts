import { expect, test } from "vitest";
import { fieldTitle } from "../../../src/content/names/field-title.js";

const link = { linktype: "story", uuid: "u", href: "/x" };
const paragraph = (...content: object[]) => ({ type: "paragraph", content });
const linked = { type: "text", text: "our shops", marks: [{ type: "bold" }, { type: "link", attrs: link }] };
const teaser = { component: "teaser", link: { linktype: "story", id: "u" }, background_image: { alt: "" } };

const content = {
  component: "page",
  headline: "Hello",
  backgroundImage: { filename: "a.png", alt: "" },
  books: ["a", "b"],
  body: [
    { component: "hero-banner", items: [teaser] },
    teaser,
    { component: "grid", columns: [{ component: "column", content: [teaser, teaser] }] },
  ],
  text: {
    type: "doc",
    content: [
      { type: "heading", content: [linked] },
      paragraph({ type: "text", text: "at " }, linked),
      {
        type: "bullet_list",
        content: [
          { type: "list_item", content: [paragraph({ type: "text", text: "x" })] },
          { type: "list_item", content: [paragraph(linked)] },
        ],
      },
      { type: "blok", attrs: { id: "1", body: [teaser] } },
      { type: "blok", attrs: { id: "2", body: [teaser, { component: "note", text: paragraph() }] } },
      { type: "blockquote", content: [paragraph(linked)] },
      {
        type: "table",
        content: [{ type: "tableRow", content: [{ type: "tableCell", content: [paragraph(linked)] }] }],
      },
    ],
  },
  prices: {
    fieldtype: "table",
    thead: [{ component: "_table_head", value: "A" }],
    tbody: [
      {
        component: "_table_row",
        body: [
          { component: "_table_col", value: "1" },
          { component: "_table_col", value: "2" },
        ],
      },
    ],
  },
  colour: { plugin: "picker", chosen: { hexValue: "#fff" } },
  grouped: [["a"], ["b", "c"]],
};

test.each([
  ["headline", "Headline"],
  ["backgroundImage.alt", "Background image › Alt"],
  ["books[1]", "Books 2"],
  ["body[1].link", "Body › Teaser 2 › Link"],
  ["body[0].items[0].background_image.alt", "Body › Hero banner 1 › Items › Teaser 1 › Background image › Alt"],
  ["body[2].columns[0].content[1].link", "Body › Grid 3 › Columns › Column 1 › Content › Teaser 2 › Link"],
  ["text.content[0].content[0].marks[1].attrs", "Text › Heading 1"],
  ["text.content[1].content[1].marks[1].attrs", "Text › Paragraph 2"],
  ["text.content[2].content[1].content[0].content[0].marks[1].attrs", "Text › List 3 › item 2"],
  ["text.content[3].attrs.body[0].link", "Text › Teaser 4 › Link"],
  ["text.content[4].attrs.body[1].text", "Text › Note 5.2 › Text"],
  ["text.content[5].content[0].content[0].marks[1].attrs", "Text › Quote 6"],
  ["text.content[6].content[0].content[0].content[0].content[0].marks[1].attrs", "Text › Table 7 › row 1 › cell 1"],
  ["prices.tbody[0].body[1].value", "Prices › row 1 › cell 2"],
  ["prices.thead[0].value", "Prices › column 1"],
  ["colour.chosen.hexValue", "Colour › Chosen › Hex value"],
  ["grouped[1][0]", "Grouped 2 1"],
  // What the content does not have any more is told by its name.
  ["body[7].link", "Body › 8 › Link"],
  ["headline.away", "Headline › Away"],
])("tells %s as an editor sees it: %s", (path, title) => {
  expect(fieldTitle(content, path)).toBe(title);
});

test.each([["…[0].link"], [""], ["gone.away"], ["page.headline"], ["a["]])(
  "leaves a path that it cannot follow: %j",
  (path) => {
    expect(fieldTitle(content, path)).toBe(path);
  },
);

test("leaves the path where there is no content", () => {
  expect(fieldTitle(undefined, "body[0].link")).toBe("body[0].link");
});

test("reads no member of a prototype", () => {
  expect(fieldTitle({ component: "page" }, "constructor.name")).toBe("constructor.name");
  expect(fieldTitle({ component: "page", a: {} }, "a.constructor.name")).toBe("A › Constructor › Name");
});
