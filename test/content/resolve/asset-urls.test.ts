import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { assetUrlStep, assetUrls, countAssetUses, originalAssetUrl } from "../../../src/content/resolve/asset-urls.js";
import { resolveContent } from "../../../src/content/resolve/resolve-content.js";
import { workMs } from "../../support/work-time.js";

const host = "https://a.example.com";

describe("originalAssetUrl", () => {
  test.each([
    ["//a.example.com/f/1/2x3/abc/one.jpg", `${host}/f/1/2x3/abc/one.jpg`],
    [`${host}/f/1/2x3/abc/one.jpg/m/800x0/filters:quality(60)`, `${host}/f/1/2x3/abc/one.jpg`],
    [`${host}/f/1/2x3/abc/one.jpg/m`, `${host}/f/1/2x3/abc/one.jpg`],
    [`${host}/f/1/2x3/abc/one.jpg/m/`, `${host}/f/1/2x3/abc/one.jpg`],
    [`${host}/f/1/x/abc/icon.svg`, `${host}/f/1/x/abc/icon.svg`],
    [`${host}/f/1/m/abc/one.jpg`, `${host}/f/1/m/abc/one.jpg`],
    ["http://a.example.com/f/1/x/abc/one.pdf#page=2", "http://a.example.com/f/1/x/abc/one.pdf"],
    ["  //a.example.com/f/1/one.jpg ", `${host}/f/1/one.jpg`],
  ])("%s is %s", (url, original) => {
    expect(originalAssetUrl(url)).toBe(original);
  });

  test.each(["", "/f/1/one.jpg", "ftp://a.example.com/f/1/one.jpg", "data:image/png;base64,AA", "javascript:alert(1)"])(
    "%j is no asset's URL",
    (url) => {
      expect(originalAssetUrl(url)).toBeUndefined();
    },
  );
});

describe("assetUrls", () => {
  test("finds every kind of place that names an asset, each once and in document order", () => {
    const record = {
      image: { fieldtype: "asset", id: 1, filename: `${host}/f/1/1x1/a/field.jpg` },
      again: { fieldtype: "asset", id: 1, filename: `${host}/f/1/1x1/a/field.jpg/m/10x10` },
      empty: { fieldtype: "asset", id: null, filename: "" },
      unset: { fieldtype: "asset", id: null, filename: null },
      external: {
        fieldtype: "asset",
        id: null,
        filename: "https://images.example.org/lamp.jpg",
        is_external_url: true,
      },
      gallery: [{ id: 2, filename: "//a.example.com/f/1/1x1/b/gallery.png" }],
      old: "//a.example.com/f/1/1x1/c/old.gif",
      markdown: `See ![x](//a.example.com/f/1/1x1/d/inline.png) and ${host}/f/1/x/e/paper.pdf.`,
      text: {
        type: "doc",
        content: [
          { type: "image", attrs: { src: "https://elsewhere.example/picture.png", alt: "" } },
          {
            type: "text",
            text: "a",
            marks: [{ type: "link", attrs: { linktype: "asset", href: `${host}/f/1/x/f/leaflet.pdf` } }],
          },
        ],
      },
      link: { fieldtype: "multilink", linktype: "asset", url: "", cached_url: `${host}/f/1/x/g/linked.pdf` },
      page: { fieldtype: "multilink", linktype: "url", url: "https://www.example.com/f" },
      words: "and/or in //comments",
    };
    expect(assetUrls(record)).toEqual([
      `${host}/f/1/1x1/a/field.jpg`,
      "https://images.example.org/lamp.jpg",
      `${host}/f/1/1x1/b/gallery.png`,
      `${host}/f/1/1x1/c/old.gif`,
      `${host}/f/1/1x1/d/inline.png`,
      `${host}/f/1/x/e/paper.pdf`,
      "https://elsewhere.example/picture.png",
      `${host}/f/1/x/f/leaflet.pdf`,
      `${host}/f/1/x/g/linked.pdf`,
    ]);
  });

  test("walks nesting that would overflow a recursion", () => {
    let value: unknown = `${host}/f/1/x/a/deep.jpg`;
    for (let level = 0; level < 20_000; level++) value = level % 2 === 0 ? [value] : { value };
    expect(assetUrls(value)).toEqual([`${host}/f/1/x/a/deep.jpg`]);
  });

  test("takes time that grows with the text, not with its square", () => {
    const text = `//a/f/1/${"//a.b".repeat(100_000)}`;
    expect(workMs(() => assetUrls({ text }))).toBeLessThan(2000);
  });
});

describe("addresses of assets in content", () => {
  const local = new Map([
    [`${host}/f/1/1x1/a/one.jpg`, "/cms/one.jpg"],
    ["https://elsewhere.example/picture.png", "/cms/picture.png"],
  ]);
  const rewrite = (value: unknown) => resolveContent(value, { assetUrls: assetUrlStep((url) => local.get(url)) });

  test("replaces what it finds, whole and within text, and leaves all else", () => {
    const record = {
      a: { fieldtype: "asset", filename: "//a.example.com/f/1/1x1/a/one.jpg/m/9x9" },
      b: `![x](${host}/f/1/1x1/a/one.jpg), ${host}/f/1/1x1/a/two.jpg`,
      c: { type: "image", attrs: { src: "https://elsewhere.example/picture.png" } },
      d: "https://elsewhere.example/picture.png is only told of",
    };
    expect(rewrite(record)).toEqual({
      a: { fieldtype: "asset", filename: "/cms/one.jpg" },
      b: `![x](/cms/one.jpg), ${host}/f/1/1x1/a/two.jpg`,
      c: { type: "image", attrs: { src: "/cms/picture.png" } },
      d: "https://elsewhere.example/picture.png is only told of",
    });
  });

  test("does not change the record, and keeps a key named __proto__", () => {
    const text = `{"__proto__":{"filename":"${host}/f/1/1x1/a/one.jpg"},"b":1}`;
    const record = JSON.parse(text);
    expect(JSON.stringify(rewrite(record))).toBe('{"__proto__":{"filename":"/cms/one.jpg"},"b":1}');
    expect(JSON.stringify(record)).toBe(text);
  });
});

test("the old host of the image service leads to the original", () => {
  const original = "https://a.storyblok.com/f/39898/3310x2192/e4ec08624e/demo.jpeg";
  const variant = "//img2.storyblok.com/800x0/filters:quality(60)/f/39898/3310x2192/e4ec08624e/demo.jpeg";
  expect(originalAssetUrl(variant)).toBe(original);
  expect(assetUrls({ component: "page", image: variant, text: `see https:${variant} there` })).toEqual([original]);
});

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

describe("a file name with spaces or brackets", () => {
  const urls = ["price list.png", "plan (1).pdf", "a [b] c.png", "50% off, now.jpg"].map((name) => {
    return `${host}/f/1/10x10/aaaaaaaaaa/${name}`;
  });

  test.each(urls)("%s is one asset in a field and as a text of its own", (filename) => {
    expect(assetUrls({ image: { fieldtype: "asset", id: 1, filename } })).toEqual([filename]);
    expect(assetUrls({ type: "image", attrs: { src: filename } })).toEqual([filename]);
    expect(assetUrls({ image: filename })).toEqual([filename]);
  });

  test("does not reach beyond the name in a sentence", () => {
    const text = `${host}/f/1/10x10/a/one.png and ${host}/f/1/10x10/b/two.png`;
    expect(assetUrls({ text })).toEqual([`${host}/f/1/10x10/a/one.png`, `${host}/f/1/10x10/b/two.png`]);
    expect(assetUrls({ text: `${host}/f/1/10x10/a/one.png is a file.txt` })).toEqual([`${host}/f/1/10x10/a/one.png`]);
  });
});
