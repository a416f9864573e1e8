import fc from "fast-check";
import { fromMarkdown } from "mdast-util-from-markdown";
import { expect, test } from "vitest";
import { diffStory, diffValue } from "../../../src/content/diff/diff-story.js";
import { diffText } from "../../../src/content/diff/diff-text.js";
import { differenceEntries } from "../../../src/content/diff/difference-entries.js";
import { differenceMarkdown } from "../../../src/content/diff/difference-markdown.js";
import { applyDifference } from "./apply-difference.js";

const uid = fc.constantFrom("a", "b", "c", "d", "e");
const text = fc
  .array(fc.constantFrom("one", "two", " ", "\n", "three", "é", "<b>"), { maxLength: 8 })
  .map((words) => words.join(""));
const { content } = fc.letrec<{ content: unknown; block: unknown; doc: unknown }>((tie) => ({
  content: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.integer({ min: 0, max: 3 }),
    fc.constant(null),
    fc.array(tie("block"), { maxLength: 5 }),
    fc.array(fc.oneof(text, fc.integer({ min: 0, max: 3 })), { maxLength: 5 }),
    tie("doc"),
    fc.dictionary(fc.constantFrom("x", "y", "__proto__", "toString"), tie("content"), { maxKeys: 3 }),
  ),
  block: fc.record({ _uid: uid, component: fc.constantFrom("teaser", "grid"), body: tie("content"), title: text }),
  doc: fc.record({
    type: fc.constant("doc"),
    content: fc.array(
      fc.record({
        type: fc.constantFrom("paragraph", "heading"),
        content: fc.array(fc.record({ type: fc.constant("text"), text }), { maxLength: 2 }),
      }),
      { maxLength: 4 },
    ),
  }),
}));

test("applying a difference to the old value gives the new one", () => {
  fc.assert(
    fc.property(content, content, (before, after) => {
      expect(applyDifference(before, diffValue(before, after))).toEqual(after);
    }),
    { numRuns: 400 },
  );
});

test("equal values have no difference, in any order of keys", () => {
  fc.assert(
    fc.property(content, (value) => {
      expect(diffValue(value, structuredClone(value))).toBeUndefined();
      expect(diffValue({ a: value, b: 1 }, { b: 1, a: value })).toBeUndefined();
    }),
  );
});

test("the pieces of two texts spell both of them", () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const pieces = diffText(before, after);
      const without = (gone: string) => pieces.flatMap((one) => (one.change === gone ? [] : [one.text])).join("");
      expect([without("added"), without("removed")]).toEqual([before, after]);
    }),
  );
});

const block = (_uid: string, headline: string, more: object = {}) => ({ _uid, component: "teaser", headline, ...more });
const story = (body: unknown, more: object = {}) =>
  JSON.stringify({ uuid: "u", name: "Home", content: { _uid: "root", component: "page", body }, ...more });
const entries = (before: string, after: string) => differenceEntries(diffStory(before, after).fields);

test("a block that was dragged has moved, and is neither added nor removed", () => {
  const [a, b, c] = [block("1", "One"), block("2", "Two"), block("3", "Three")];
  expect(entries(story([a, b, c]), story([c, a, b]))).toEqual([
    {
      path: "content › body › 1 teaser",
      change: "moved",
      from: "content › body › 3 teaser",
      to: "content › body › 1 teaser",
    },
  ]);
});

test("a block that was dragged to another column has moved, with what changed in it", () => {
  const columns = (left: object[], right: object[]) => [
    { _uid: "l", component: "column", items: left },
    { _uid: "r", component: "column", items: right },
  ];
  const found = entries(story(columns([block("1", "Old words")], [])), story(columns([], [block("1", "New words")])));
  expect(found).toEqual([
    {
      path: "content › body › 2 column › items › 1 teaser",
      change: "moved",
      from: "content › body › 1 column › items › 1 teaser",
      to: "content › body › 2 column › items › 1 teaser",
    },
    {
      path: "content › body › 2 column › items › 1 teaser › headline",
      change: "changed",
      words: [
        { change: "removed", text: "Old" },
        { change: "added", text: "New" },
        { change: "same", text: " words" },
      ],
    },
  ]);
});

test("rich text differs by paragraph, its links and blocks included", () => {
  const paragraph = (words: string, href?: string) => ({
    type: "paragraph",
    content: [{ type: "text", text: words, ...(href ? { marks: [{ type: "link", attrs: { href } }] } : {}) }],
  });
  const blok = (headline: string) => ({ type: "blok", attrs: { id: "x", body: [block("9", headline)] } });
  const doc = (...nodes: object[]) => ({ text: { type: "doc", content: nodes } });
  const found = entries(
    story([block("1", "h", doc(paragraph("stays"), paragraph("see", "/a"), blok("in"), paragraph("gone")))]),
    story([block("1", "h", doc(paragraph("stays"), paragraph("see", "/b"), blok("out")))]),
  );
  expect(found[0]?.paragraphs?.map(({ change, is }) => `${change} ${is}`)).toEqual([
    "changed paragraph",
    "removed paragraph",
  ]);
  expect(found[0]?.paragraphs?.[0]?.pieces).toContainEqual({ change: "added", text: "b" });
  expect(found[1]).toMatchObject({ path: "content › body › 1 teaser › text › 1 teaser › headline", change: "changed" });
});

test("bold that came is a change of formatting", () => {
  const doc = (marks: object[]) => ({
    type: "doc",
    content: [{ type: "paragraph", content: [{ type: "text", text: "word", marks }] }],
  });
  const found = diffValue(doc([]), doc([{ type: "bold" }]));
  expect(found).toMatchObject({ kind: "richText", paragraphs: [{ change: "changed", formatting: true }] });
});

test("numbers are compared as they are spelled, and a key order alone is a difference of spelling", () => {
  expect(diffStory('{"n":12345678901234567890}', '{"n":12345678901234567891}').fields).toHaveLength(1);
  expect(diffStory('{"a":1,"b":2}', '{"b":2,"a":1}').change).toBe("spelling");
});

test("a text of 5 MB, and values nested beyond every limit, are compared in bounded time", () => {
  const words = Array.from({ length: 500_000 }, (_, at) => `word${at % 977}`).join(" \n");
  const middle = words.length >> 1;
  const found = diffText(words, `${words.slice(0, middle)} NEW ${words.slice(middle)}`);
  expect(found.filter(({ change }) => change === "added").length).toBe(1);
  const other = Array.from({ length: 40_000 }, (_, at) => `other${(at * 7) % 1013}`).join(" \n");
  expect(diffText(words, other).length).toBeGreaterThan(0);
  let [deep, deeper]: unknown[] = ["x", "y"];
  for (let level = 0; level < 5_000; level++) [deep, deeper] = [[deep], [deeper]];
  expect(diffValue(deep, deeper)).toBeDefined();
  expect(differenceEntries([{ field: "f", difference: diffValue(deep, deeper)! }])).toHaveLength(1);
});

test("as Markdown, a name is read as the text that it is", () => {
  const name = fc
    .array(fc.constantFrom("&", "<", ">", "#", "*", "_", "`", "[", "](x)", "&amp;", "&#38;", "Tom", " a", "1."), {
      minLength: 1,
    })
    .map((pieces) => `x${pieces.join("")}x`);
  fc.assert(
    fc.property(name, (text) => {
      const about = { slug: "a", edition: "published/default", from: 1, to: 2, change: "same" as const, entries: [] };
      const [heading] = fromMarkdown(differenceMarkdown({ ...about, name: text })).children;
      expect(heading).toMatchObject({ type: "heading", children: [{ type: "text", value: text }] });
    }),
  );
});
