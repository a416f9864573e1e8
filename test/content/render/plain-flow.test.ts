import fc from "fast-check";
import type { RootContent } from "mdast";
import { toMarkdown } from "mdast-util-to-markdown";
import { expect, test } from "vitest";
import { type PrintLine, plainFlow } from "../../../src/content/render/plain-flow.js";

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
