import { expect, test } from "vitest";
import { linkText, savedSlug } from "../../../src/content/names/link-text.js";

const attrs = { linktype: "story", uuid: "u", href: "/shops" };
const mark = { type: "link", attrs };
const node = (text: string, ...marks: object[]) => ({ type: "text", text, marks });
const multilink = { fieldtype: "multilink", linktype: "story", id: "u", url: "" };
const content = {
  component: "page",
  text: {
    type: "doc",
    content: [
      {
        type: "paragraph",
        content: [node("See "), node("our ", mark), node("shops", { type: "bold" }, mark), node(".")],
      },
      {
        type: "paragraph",
        content: [node("x".repeat(100), mark), node("next", { type: "link", attrs: { href: "/" } })],
      },
      { type: "paragraph", content: [node(" \n ", mark)] },
    ],
  },
  body: [
    { component: "button", link: multilink, label: " Buy\nnow " },
    { component: "teaser", cta: multilink, cta_text: "Read on", title: "Not this" },
    { component: "bare", link: multilink, label: "" },
    { component: "page", first: multilink, second: multilink, text: "Of both?", second_label: "Second" },
  ],
  link: multilink,
};

test.each([
  ["text.content[0].content[2].marks[1].attrs", "our shops"],
  ["text.content[0].content[1].marks[0].attrs", "our shops"],
  ["text.content[1].content[0].marks[0].attrs", `${"x".repeat(59)}…`],
  ["text.content[2].content[0].marks[0].attrs", undefined],
  ["body[0].link", "Buy now"],
  ["body[1].cta", "Read on"],
  ["body[2].link", undefined],
  ["body[3].first", undefined],
  ["body[3].second", "Second"],
  ["link", undefined],
  ["body[9].link", undefined],
  ["…[0].link", undefined],
])("the text of the link at %s is %s", (path, text) => {
  expect(linkText(content, path)).toBe(text);
});

test.each([
  [{ ...attrs, href: "/shops/?a=b" }, "shops"],
  [{ ...multilink, cached_url: "company/old-team/" }, "company/old-team"],
  [{ ...multilink, cached_url: "x".repeat(100) }, `${"x".repeat(59)}…`],
  [multilink, undefined],
  [{ ...multilink, linktype: "url", url: "/shops" }, undefined],
  ["/shops", undefined],
])("the saved slug of %j", (link, slug) => {
  expect(savedSlug({ link }, "link")).toBe(slug);
  expect(savedSlug({ link }, "other")).toBeUndefined();
});
