import fc from "fast-check";
import type { PhrasingContent } from "mdast";
import { toMarkdown } from "mdast-util-to-markdown";
import { expect, test } from "vitest";
import { markdownText } from "../../../src/content/render/markdown-text.js";
import { parsedMarkdown, visibleText } from "../../support/parsed-markdown.js";

const words = fc
  .array(
    fc.constantFrom(...["a", "w", "Www", "s", "é", "光", "1", "12", ".", ",", " ", "–", "…", "’", "*", "\n", "#"]),
    {
      minLength: 1,
      maxLength: 12,
    },
  )
  .map((parts) => parts.join(""));

test("prints plain words as the library does, at any place", () => {
  const node = fc.tuple(words, fc.nat(2)).map(([value, kind]): PhrasingContent => {
    const text = { type: "text" as const, value };
    if (kind === 0) return text;
    return kind === 1 ? { type: "strong", children: [text] } : { type: "link", url: "/x", children: [text] };
  });
  fc.assert(
    fc.property(fc.array(node, { minLength: 1, maxLength: 4 }), (children) => {
      const printed = markdownText([{ type: "paragraph", children }]);
      const options = { bullet: "-", rule: "*", fences: true, resourceLink: true } as const;
      const expected = toMarkdown({ type: "root", children: [{ type: "paragraph", children }] }, options);
      // What the library leaves to itself (addresses that would become links) is escaped here beyond it.
      const text = (markdown: string) => visibleText(parsedMarkdown(markdown)).replace(/\s+/g, " ");
      expect(text(printed)).toBe(text(expected));
    }),
    {
      numRuns: 500,
      examples: [
        [
          [
            { type: "strong", children: [{ type: "text", value: "a" }] },
            { type: "text", value: ". " },
          ],
        ],
      ],
    },
  );
});
