import { expect, test } from "vitest";
import { renderRichText } from "../../../src/index.js";

const text = (value: string, ...marks: object[]) => ({ type: "text", text: value, marks });
const paragraph = (...content: object[]) => ({ type: "paragraph", content });
const doc = (...content: object[]) => ({ type: "doc", content });
/** Nodes as nested lists, as a framework's element function would make objects. */
const lists = {
  text: (value: string): unknown => value,
  element: (name: string, props: object, children: unknown[]): unknown => [name, props, ...children],
};

test("each element goes to the component of its node or mark, then to that of its HTML element, then to `element`", () => {
  const document = doc(
    { type: "heading", attrs: { level: 3 }, content: [text("Title")] },
    paragraph(
      text("see "),
      text("this", { type: "link", attrs: { href: "/a", linktype: "url", target: "_blank" } }, { type: "bold" }),
      { type: "hard_break" },
      text("x = 1", { type: "code" }),
    ),
    { type: "bullet_list", content: [{ type: "list_item", content: [paragraph(text("one"))] }] },
    { type: "code_block", attrs: { class: "language-js" }, content: [text("a < b")] },
    paragraph({ type: "image", attrs: { src: "/i.png", alt: "An image", width: 3, height: 2 } }),
  );
  const rendered = renderRichText<unknown>(document, {
    ...lists,
    components: {
      heading: (props, children, element) => ["Heading", element, props, ...children],
      link: ({ href }, children) => ["Link", href, ...children],
      strong: (_props, children) => ["Strong", ...children],
      image: (props) => ["Image", props],
    },
  });
  expect(rendered).toEqual([
    ["Heading", "h3", {}, "Title"],
    ["p", {}, "see ", ["Link", "/a", ["Strong", "this"]], ["br", {}], ["code", {}, "x = 1"]],
    ["ul", {}, ["li", {}, ["p", {}, "one"]]],
    ["pre", {}, ["code", { class: "language-js" }, "a < b"]],
    ["p", {}, ["Image", { src: "/i.png", alt: "An image", width: 3, height: 2 }]],
  ]);
});

test("blocks go to the function of their component, and may render their own rich text", () => {
  const document = doc(paragraph(text("before")), {
    type: "blok",
    attrs: {
      body: [
        { _uid: "1", component: "note", text: doc(paragraph(text("inside"))) },
        { _uid: "2", component: "constructor", label: "shown as usual" },
      ],
    },
  });
  const blocks = {
    note: (block: { text?: unknown }): unknown => ["Note", ...renderRichText<unknown>(block.text, lists)],
  };
  expect(renderRichText<unknown>(document, { ...lists, blocks })).toEqual([
    ["p", {}, "before"],
    ["Note", ["p", {}, "inside"]],
    ["p", {}, "shown as usual"],
  ]);
});

test("without `element` the children stay; unknown nodes keep theirs; an address that runs a script is left out", () => {
  const document = doc(
    { type: "chart", content: [paragraph(text("kept"))] },
    paragraph(text("no link", { type: "link", attrs: { href: "java\nscript:alert(1)" } })),
    paragraph(text("<script>", { type: "italic" })),
  );
  const texts = renderRichText<string>(document, {
    text: (value) => value,
    components: { link: ({ href }) => `[${href}]`, constructor: undefined },
  });
  expect(texts).toEqual(["kept", "no link", "<script>"]);
  expect(renderRichText<string>("no document", { text: (value) => value })).toEqual(["no document"]);
  expect(renderRichText<string>(undefined, { text: (value) => value })).toEqual([]);
});
