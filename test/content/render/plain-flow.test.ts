import fc from "fast-check";
import type { PhrasingContent, RootContent } from "mdast";
import { toMarkdown } from "mdast-util-to-markdown";
import { expect, test } from "vitest";
import { markdownText } from "../../../src/content/render/markdown-text.js";
import { type IsPlain, type PrintLine, plainFlow, plainPhrasing } from "../../../src/content/render/plain-flow.js";
import { targets } from "../../../src/content/render/targets.js";

const options = { bullet: "-", bulletOther: "+", rule: "*", listItemIndent: "one" } as const;
const printLine: PrintLine = ({ children: [only] }) => (only?.type === "text" ? only.value : undefined);

const children = fc.constantFrom("a", "b c").map((value) => [{ type: "text" as const, value }]);
const paragraph = children.map((inner) => ({ type: "paragraph" as const, children: inner }));
const heading = fc.tuple(fc.integer({ min: 1, max: 6 }), children).map(([depth, inner]) => {
  return { type: "heading" as const, depth: depth as 1, children: inner };
});
const item = fc.tuple(fc.boolean(), fc.array(paragraph, { minLength: 1, maxLength: 2, size: "small" }));
const list = fc
  .record({
    ordered: fc.boolean(),
    start: fc.constantFrom(undefined, null, 0, 1, 7),
    spread: fc.boolean(),
    items: fc.array(item, { maxLength: 3 }),
  })
  .map(({ items, ordered, start, spread }): RootContent => {
    const listItems = items.map(([isSpread, inner]) => ({
      type: "listItem" as const,
      spread: isSpread,
      children: inner,
    }));
    return { type: "list", ordered, spread, children: listItems, ...(start === undefined ? {} : { start }) };
  });
const rule = fc.constant<RootContent>({ type: "thematicBreak" });
const block: fc.Arbitrary<RootContent> = fc.oneof(
  { weight: 4, arbitrary: paragraph },
  { weight: 3, arbitrary: heading },
  { weight: 3, arbitrary: list },
  rule,
);

test("blocks are what the library prints, or left to it", () => {
  let printed = 0;
  fc.assert(
    fc.property(fc.array(block, { maxLength: 5 }), (blocks) => {
      const own = plainFlow(blocks, printLine);
      if (own === undefined) return;
      printed += 1;
      expect(own).toBe(toMarkdown({ type: "root", children: blocks }, options));
    }),
    { numRuns: 10_000, seed: 7 },
  );
  expect(printed).toBeGreaterThan(2_000);
});

const lineOptions = { bullet: "-", rule: "*", resourceLink: true } as const;
/** Spaces at the edges are judged by who calls; here as `markdownText` does. */
const isPlain: IsPlain = (value, { before, after }) =>
  /^[\p{L}\p{N}, ]+$/u.test(value) &&
  !(value.startsWith(" ") && before.endsWith("\n")) &&
  !(value.endsWith(" ") && after.startsWith("\n"));

const words = fc
  .array(fc.constantFrom("a", "B", "é", "光", "𝒳", "1", ",", " "), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join(""));
const address = fc.constantFrom(
  "/x",
  "https://example.com/a-b_c.html?d=e+f%20#g",
  "a*b",
  "http://x/(y)",
  "/a b",
  "?a&b",
  "/x#",
  "<",
);
const text = words.map((value) => ({ type: "text" as const, value }));
const node: fc.Arbitrary<PhrasingContent> = fc.oneof(
  { weight: 3, arbitrary: text },
  fc.tuple(fc.constantFrom("strong" as const, "emphasis" as const), text).map(([type, child]) => {
    return { type, children: [child] };
  }),
  fc.tuple(address, text).map(([url, child]) => ({ type: "link" as const, url, children: [child] })),
);
const line = fc.array(node, { minLength: 1, maxLength: 6 });

test("a line is what the library prints, in paragraphs and headings, or left to it", () => {
  let printed = 0;
  fc.assert(
    fc.property(line, fc.integer({ min: 1, max: 6 }), (children, depth) => {
      const own = plainPhrasing(children, isPlain, []);
      if (own === undefined) return;
      printed += 1;
      const heading = { type: "heading", depth: depth as 1, children } as const;
      expect(`${own}\n`).toBe(toMarkdown({ type: "root", children: [{ type: "paragraph", children }] }, lineOptions));
      expect(`${"#".repeat(depth)} ${own}\n`).toBe(toMarkdown({ type: "root", children: [heading] }, lineOptions));
    }),
    { numRuns: 20_000, seed: 7 },
  );
  expect(printed).toBeGreaterThan(2_000);
});

test("what a target has escaped in addresses is left to the library", () => {
  const link = (url: string) =>
    plainPhrasing([{ type: "link", url, children: [{ type: "text", value: "a" }] }], isPlain, targets.vitepress.unsafe);
  expect(link("/page")).toBe("[a](/page)");
  expect(link("/page8-")).toBeUndefined();
  const children: PhrasingContent[] = [{ type: "link", url: "/page8-", children: [{ type: "text", value: "a" }] }];
  expect(markdownText([{ type: "paragraph", children }], targets.vitepress)).toBe("[a](/page8\\-)\n");
});

test.each<[string, PhrasingContent[]]>([
  ["nothing", []],
  ["sequences that touch", ["a", "b"].map((value) => ({ type: "strong", children: [{ type: "text", value }] }))],
  ["a space inside of a sequence", [{ type: "strong", children: [{ type: "text", value: "a " }] }]],
  ["a title", [{ type: "link", url: "/x", title: "t", children: [{ type: "text", value: "a" }] }]],
  ["a line break", [{ type: "text", value: "a" }, { type: "break" }]],
])("%s is left to the library", (_, children) => {
  expect(plainPhrasing(children, isPlain, [])).toBeUndefined();
});
