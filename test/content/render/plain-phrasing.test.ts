import fc from "fast-check";
import type { PhrasingContent } from "mdast";
import { toMarkdown } from "mdast-util-to-markdown";
import { expect, test } from "vitest";
import { markdownText } from "../../../src/content/render/markdown-text.js";
import { type IsPlain, plainPhrasing } from "../../../src/content/render/plain-phrasing.js";
import { targets } from "../../../src/content/render/targets.js";

const options = { bullet: "-", rule: "*", resourceLink: true } as const;
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
      expect(`${own}\n`).toBe(toMarkdown({ type: "root", children: [{ type: "paragraph", children }] }, options));
      expect(`${"#".repeat(depth)} ${own}\n`).toBe(toMarkdown({ type: "root", children: [heading] }, options));
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
