import { expect, test } from "vitest";
import type { RenderContext } from "../../../src/content/render/render-context.js";
import { bodyToHtml } from "../../../src/content/render/rich-text.js";
import type { Blok } from "../../../src/contract/records.js";

const context: RenderContext = { blocks: new Map(), storyUrl: (slug) => `/${slug}`, unknown: () => undefined };

function block(component: string, fields: object): Blok {
  return { _uid: component, component, ...fields };
}

function doc(text: string) {
  return { type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text }] }] };
}

test("a body has rich text, Markdown and blocks in the order of the record, and nothing else", () => {
  const content = block("page", {
    title: "The title",
    text: doc("1 < 2"),
    markdown: "# Heading\n\n**bold** <script>alert(1)</script>",
    blocks: [
      block("section", {
        headline: "Section",
        text: doc("Inside"),
        items: [block("card", { title: "Card", text: doc("Deep") })],
      }),
    ],
    seo: block("seo", { title: "for machines" }),
  });
  expect(bodyToHtml(content, context).replaceAll("&#10;", "\n")).toBe(
    [
      "<p>1 &#x3C; 2</p>",
      "<h1>Heading</h1>\n<p><strong>bold</strong> &#x3C;script>alert(1)&#x3C;/script></p>",
      "<h2>Section</h2><p>Inside</p><h3>Card</h3><p>Deep</p>",
    ].join(""),
  );
});

test("the fields that the configuration names are the body, also where they are no body by themselves", () => {
  const faq = block("faq", { question: "Why?", answer: "Because of **this**.", helpful: "12" });
  const setting = () => ({ body: ["answer"], markdown: ["answer"] });
  expect(bodyToHtml(faq, { ...context, setting })).toBe("<p>Because of <strong>this</strong>.</p>");
});

test("a picture of a Markdown text gets the size that is known of it", () => {
  const content = block("page", { markdown: "Look: ![a lamp](/cms/a/lamp.svg) ![other](https://else.example/x.png)" });
  const sizeOf = (address: string) => (address === "/cms/a/lamp.svg" ? { width: 120, height: 90 } : undefined);
  expect(bodyToHtml(content, context, sizeOf)).toBe(
    '<p>Look: <img src="/cms/a/lamp.svg" alt="a lamp" width="120" height="90"> <img src="https://else.example/x.png" alt="other"></p>',
  );
});

test("a picture of a block says its size", () => {
  const image = { fieldtype: "asset", filename: "/cms/a/lamp.png", alt: "A lamp", width: 320, height: 180 };
  expect(bodyToHtml(block("page", { body: [block("figure", { image })] }), context)).toBe(
    '<p><img src="/cms/a/lamp.png" alt="A lamp" width="320" height="180"></p>',
  );
});
