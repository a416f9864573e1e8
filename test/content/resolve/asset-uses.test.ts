import fc from "fast-check";
import { expect, test } from "vitest";
import { assetUrls } from "../../../src/content/resolve/asset-urls.js";
import { countAssetUses } from "../../../src/content/resolve/asset-uses.js";

const url = fc.constantFrom(
  "https://a.example.com/f/1/a.png",
  "//a.example.com/f/1/b.png/m/800x0",
  "https://example.com/page",
  "https://example.com/x.pdf",
  "see https://a.example.com/f/2/c.jpg, please",
  "",
  " https://example.com/spaced.png",
);
const { value: content } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    url,
    fc.constantFrom(null, 1, "asset", "image"),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.record(
      {
        fieldtype: fc.constantFrom("asset", "multilink", 1),
        filename: fc.oneof(url, tie("value")),
        type: fc.constantFrom("image", "doc"),
        attrs: fc.record({ src: url, href: url }, { requiredKeys: [] }),
        linktype: fc.constantFrom("asset", "story"),
        href: url,
        url,
        cached_url: url,
        any: tie("value"),
      },
      { requiredKeys: [] },
    ),
  ),
}));

test("the uses of assets are those that a whole reading of the record finds", () => {
  fc.assert(
    fc.property(content, content, (before, after) => {
      const uses = countAssetUses();
      uses.note({ before: JSON.stringify(before), after: JSON.stringify(after) });
      const expected = new Map<string, number>();
      for (const found of assetUrls(before)) expected.set(found, -1);
      for (const found of assetUrls(after)) expected.set(found, (expected.get(found) ?? 0) + 1);
      expect(new Map(uses.gains)).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});
