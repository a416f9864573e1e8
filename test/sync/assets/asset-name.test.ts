import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { assetName, extensionOf } from "../../../src/sync/assets/asset-name.js";
import { workMs } from "../../support/work-time.js";

describe("assetName", () => {
  test.each([
    ["https://a.example/f/1/700x700/97f51f6374/blood-cells.pdf", "blood-cells-700x700.pdf"],
    ["https://a.example/f/1/3310x2192/97f51f6374/.jpg", "file-3310x2192.jpg"],
    ["https://a.example/f/1/8x6/97f51f6374/nul", "file-nul-8x6"],
    ["https://a.example/f/1/0x0/97f51f6374/logo.svg", "logo.svg"],
    ["https://a.example/f/1/x/321ab22dd0/Icon_2.SVG", "Icon_2.SVG"],
    ["https://a.example/f/1/x/a/my%20photo%20(1).jpg", "my-photo-1.jpg"],
    ["https://a.example/f/1/x/a/gr%C3%BC%C3%9Fe.png", "gr-e.png"],
    ["https://a.example/f/1/x/a/%F0%9F%98%80.png", "file.png"],
    ["https://a.example/", "file"],
    ["https://a.example/f/1/x/a/", "file"],
    ["https://a.example/%2e%2e%2f%2e%2e%2fetc%2fpasswd", "etc-passwd"],
    ["https://a.example/..%5C..%5Cboot.ini", "boot.ini"],
    ["https://a.example/.htaccess", "file.htaccess"],
    ["https://a.example/nul", "file-nul"],
    ["https://a.example/CON.png", "file-CON.png"],
    ["https://a.example/photo.png.", "photo.png"],
    ["https://a.example/%00%0a%1b.gif", "file.gif"],
    ["https://a.example/%E0%A4%A.png", "E0-A4-A.png"],
    ["https://a.example/archive.tar.gz", "archive.tar.gz"],
    ["https://a.example/a.png:stream", "a.png-stream"],
  ])("of %s is %s", (url, name) => {
    expect(assetName(new URL(url))).toBe(name);
  });

  test("cuts a long name and keeps its extension", () => {
    const name = assetName(new URL(`https://a.example/${"long".repeat(100)}.jpeg`));
    expect(name).toHaveLength(100);
    expect(name).toMatch(/^long.*\.jpeg$/);
    const sized = assetName(new URL(`https://a.example/f/1/800x600/a/${"long".repeat(100)}.jpeg`));
    expect(sized).toHaveLength(100);
    expect(sized).toMatch(/^long.*-800x600\.jpeg$/);
  });

  test("returns a short, plain, visible file name that is unchanged in a URL", () => {
    const segment = fc.oneof(fc.string({ unit: "binary", maxLength: 200 }), fc.string({ unit: "grapheme" }));
    fc.assert(
      fc.property(segment, (text) => {
        const url = new URL("https://a.example/");
        url.pathname = `/${text}`;
        const name = assetName(url);
        expect(name).toMatch(/^[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$/);
        expect(name).not.toMatch(/[.-]$|^(con|nul|aux|prn)(\.|$)/i);
        expect(encodeURIComponent(name)).toBe(name);
      }),
      { numRuns: 500 },
    );
  });

  test("works in linear time for long names", () => {
    const url = new URL(`https://a.example/x${".".repeat(200_000)}-${"-.".repeat(100_000)}`);
    expect(workMs(() => expect(assetName(url)).toBe("x"))).toBeLessThan(500);
  });
});

test("extensionOf is in lower case and empty without a dot", () => {
  expect(extensionOf("A.PNG")).toBe("png");
  expect(extensionOf("file")).toBe("");
});
