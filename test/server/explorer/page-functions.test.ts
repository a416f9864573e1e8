import { expect, test } from "vitest";
import { contentLeaves } from "../../../src/server/explorer/data/find-mentions.js";
import { makerOf } from "../../../src/server/explorer/explorer.js";
import {
  address,
  cut,
  duration,
  generationIn,
  shortDate,
  storyAddress,
} from "../../../src/server/explorer/parts/page.js";
import { safeHref } from "../../../src/server/explorer/parts/rich-text-html.js";

test.each([
  ["", ""],
  ["index", ""],
  ["stories/x", "stories/*"],
  ["stories/x/languages", "stories/*/languages"],
  ["compare/x", "compare/*"],
  ["stories/x/y", undefined],
  ["index/x", undefined],
  ["constructor", undefined],
  ["*", undefined],
])("the path %j is one of the page %j", (path, page) => {
  expect(makerOf(path.split("/"))?.path).toBe(page);
});

test("an address omits empty parameters and escapes the rest", () => {
  expect(address("stories", { q: "a&b", folder: "", page: 2, type: undefined })).toBe(
    "/_explorer/stories?q=a%26b&page=2",
  );
  expect(storyAddress("../x", { version: "draft" })).toBe("/_explorer/stories/..%2Fx?version=draft");
});

test.each([
  ["3", 3],
  ["0", undefined],
  ["-1", undefined],
  ["1e3", undefined],
  ["", undefined],
])("the generation %j is %s", (text, generation) => {
  const query = new URLSearchParams({ from: text });
  expect(generationIn({ path: [], query, format: "page", nowMs: 0 }, "from")).toBe(generation);
});

test.each(["https://a.example/x", "mailto:a@a.example", "tel:123"])("a link may lead to %s", (text) => {
  expect(safeHref(text)).toBe(text);
});

test.each(["javascript:x", " javascript:x", "data:text/html,x", "//a.example", "/x", "https://", ""])(
  "no link leads to %j",
  (text) => {
    expect(safeHref(text)).toBeUndefined();
  },
);

test("contentLeaves gives the path of each value; all of a rich text has one path", () => {
  const text = { type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text: "words" }] }] };
  const leaves = [...contentLeaves({ body: [{ component: "teaser", headline: "Hello", text }] })];
  expect(leaves).toContainEqual({
    path: "body › 1 teaser › headline",
    place: "/body/0/headline",
    key: "headline",
    value: "Hello",
  });
  expect(leaves).toContainEqual({
    path: "body › 1 teaser › text",
    place: "/body/0/text/content/0/content/0/text",
    key: "text",
    value: "words",
  });
});

test("texts are short", () => {
  expect([duration(380), duration(12_345), duration(240_000)]).toEqual(["380 ms", "12.3 s", "4 min"]);
  expect([shortDate("2026-02-01T09:30:00.000Z"), shortDate("soon"), shortDate(null)]).toEqual([
    "2026-02-01 09:30",
    "soon",
    "–",
  ]);
  expect([cut("abc", 3), cut("abcd", 3)]).toEqual(["abc", "abc…"]);
});
