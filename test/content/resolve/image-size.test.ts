import { describe, expect, test } from "vitest";
import { imageSizeStep, showsOriginal, sizeInAddress, sizeOfAsset } from "../../../src/content/resolve/asset-fields.js";
import { resolveContent } from "../../../src/content/resolve/resolve-content.js";

describe("the size in an address", () => {
  test.each([
    ["https://a.storyblok.com/f/39898/3310x2192/e4ec08624e/demo.jpg", { width: 3310, height: 2192 }],
    ["//a.storyblok.com/f/39898/1x65535/e4ec08624e/demo.jpg", { width: 1, height: 65535 }],
    ["https://a.storyblok.com/f/39898/x/e4ec08624e/manual.pdf", undefined],
    ["https://a.storyblok.com/f/39898/0x0/e4ec08624e/a.svg", undefined],
    ["https://a.storyblok.com/f/39898/-3x7/e4ec08624e/a.png", undefined],
    ["https://a.storyblok.com/f/39898/65536x10/e4ec08624e/a.png", undefined],
    ["https://a.storyblok.com/f/39898/99999999x1/e4ec08624e/a.png", undefined],
    ["https://a.storyblok.com/f/39898/8x8/", undefined],
    ["https://a.storyblok.com/f/x/8x8/a.png", undefined],
    ["https://example.com/photos/800x600/a.png", undefined],
    ["https://example.com/?u=/f/1/8x8/a.png", undefined],
    ["/f/1/8x8/a.png", undefined],
    ["", undefined],
  ])("%s", (url, size) => {
    expect(sizeInAddress(url)).toEqual(size);
  });

  test("wins over the size in the bytes, which is not read then", () => {
    const record = () => ({ width: 3, height: 4 });
    const never = () => expect.unreachable();
    expect(sizeOfAsset("https://a/f/1/1x2/a/b.png", never)).toEqual({ width: 1, height: 2 });
    expect(sizeOfAsset("https://a/f/1/x/a/b.png", record)).toEqual({ width: 3, height: 4 });
    expect(sizeOfAsset("https://a/f/1/x/a/b.png", () => ({ width: 3 }))).toBeUndefined();
    expect(sizeOfAsset("https://a/f/1/x/a/b.png", () => undefined)).toBeUndefined();
    const withoutFile = () => ({ hash: null, width: 3, height: 4 });
    expect(sizeOfAsset("https://a/f/1/x/a/b.png", withoutFile)).toBeUndefined();
  });
});

describe("the sizes of the images in content", () => {
  const filename = "https://a/f/1/8x6/a/b.png";
  const sized = (content: unknown) => resolveContent(content, { sizes: imageSizeStep(sizeInAddress) });

  test("are added to asset fields and images of rich text, at any depth", () => {
    const image = { type: "image", attrs: { src: filename, alt: "A" } };
    const content = {
      photo: { fieldtype: "asset", id: 1, filename, alt: "A" },
      body: [{ component: "gallery", photos: [{ id: 1, filename }] }],
      text: { type: "doc", content: [{ type: "paragraph", content: [image] }] },
    };
    expect(sized(content)).toEqual({
      photo: { ...content.photo, src: filename, width: 8, height: 6 },
      body: [{ component: "gallery", photos: [{ id: 1, filename, src: filename, width: 8, height: 6 }] }],
      text: {
        type: "doc",
        content: [
          { type: "paragraph", content: [{ type: "image", attrs: { src: filename, alt: "A", width: 8, height: 6 } }] },
        ],
      },
    });
  });

  test("are left out where they are not known, and nothing is added to an empty field", () => {
    const unknown = "https://a/f/1/x/a/b.pdf";
    const content = {
      file: { fieldtype: "asset", filename: unknown },
      empty: { fieldtype: "asset", id: null, filename: "" },
      missing: { fieldtype: "asset", filename: null },
      block: { component: "download", filename },
      text: { type: "image", attrs: { src: unknown } },
      odd: { type: "image", attrs: null },
    };
    expect(sized(content)).toEqual({ ...content, file: { ...content.file, src: unknown } });
  });

  test("never replace what an editor set, not even one side", () => {
    const content = [
      { filename, src: "mine", width: 100 },
      { type: "image", attrs: { src: filename, width: "50", height: null } },
    ];
    expect(sized(content)).toEqual(content);
  });

  test("of a variant are those of the original only where that is shown", () => {
    const variant = `${filename}/m/100x0`;
    expect(showsOriginal(filename, () => false)).toBe(filename);
    expect(showsOriginal("//a/f/1/8x6/a/b.png#x", () => false)).toBe(filename);
    expect(showsOriginal(variant, () => true)).toBe(filename);
    expect(showsOriginal(variant, () => false)).toBeUndefined();
    expect(showsOriginal("/assets/b.png", () => true)).toBeUndefined();
  });
});
