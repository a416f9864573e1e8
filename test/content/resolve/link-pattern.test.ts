import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { siteUrl, slugOfAddress, slugWithoutLanguage } from "../../../src/content/resolve/link-pattern.js";

const standard = { pattern: "/{language?}/{slug}", home: "home" };

describe("siteUrl", () => {
  test.each([
    ["blog/first", "default", "/blog/first"],
    ["de/blog/first", "de", "/de/blog/first"],
    ["blog/", "default", "/blog"],
    ["de/blog/", "de", "/de/blog"],
    ["home", "default", "/"],
    ["de/home", "de", "/de"],
    ["de/", "de", "/de"],
    ["blog/home", "default", "/blog/home"],
    ["blog//first", "default", "/blog/first"],
    ["//evil.example/x", "default", "/evil.example/x"],
    ["a b/ü?#%", "default", "/a%20b/%C3%BC%3F%23%25"],
    ["lone\ud800", "default", "/lone%EF%BF%BD"],
    ["$&/$1", "default", "/$&/$1"],
  ])("%j in %s is %s", (fullSlug, language, url) => {
    expect(siteUrl(fullSlug, language, standard)).toBe(url);
  });

  test("follows a pattern with origin, language and trailing slash", () => {
    const settings = { pattern: "https://www.example.com/{language}/{slug}/", home: "start" };
    expect(siteUrl("de/a/b", "de", settings)).toBe("https://www.example.com/de/a/b/");
    expect(siteUrl("start", "default", settings)).toBe("https://www.example.com/default/");
  });
});

describe("slugWithoutLanguage", () => {
  test("cuts the prefix of its own language only, and a whole segment", () => {
    expect(slugWithoutLanguage("de/a", "de")).toBe("a");
    expect(slugWithoutLanguage("de", "de")).toBe("");
    expect(slugWithoutLanguage("deutsch/a", "de")).toBe("deutsch/a");
    expect(slugWithoutLanguage("de/a", "default")).toBe("de/a");
  });
});

describe("slugOfAddress", () => {
  const patterns = ["/{language?}/{slug}", "/{slug}/", "/site/{language}/{slug}", "https://www.example.com/{slug}.x"];

  test("reads back what siteUrl writes, with any query, fragment and slash after it", () => {
    const slug = fc
      .array(fc.string({ unit: "grapheme", minLength: 1 }), { minLength: 1, maxLength: 3 })
      .map((segments) => segments.map((segment) => segment.replaceAll("/", "-")).join("/"));
    fc.assert(
      fc.property(
        fc.oneof(slug, fc.constant("home")),
        fc.constantFrom("default", "de"),
        fc.constantFrom(...patterns),
        fc.constantFrom("", "?a=b", "#part", "?a#b"),
        (slug, language, pattern, suffix) => {
          const settings = { pattern, home: "home" };
          const address = siteUrl(language === "default" ? slug : `${language}/${slug}`, language, settings);
          fc.pre(slugWithoutLanguage(slug, language) === slug);
          expect(slugOfAddress(address + suffix, language, settings)).toBe(slug);
          const isOfOrigin = address.startsWith("https:");
          if (isOfOrigin) expect(slugOfAddress(address.slice(23) + suffix, language, settings)).toBe(slug);
        },
      ),
    );
  });

  test.each([
    ["/blog/", "blog"],
    ["//blog/first", undefined],
    ["blog/first", undefined],
    ["#part", undefined],
    ["?a=b", undefined],
    ["", undefined],
    ["https://example.com/blog", undefined],
    ["mailto:a@example.com", undefined],
    ["/\\evil.example", undefined],
    ["/a%20b/%C3%BC", "a b/ü"],
    ["/100%", "100%"],
    ["/", "home"],
    ["/#top", "home"],
  ])("of %j is %j", (address, slug) => {
    expect(slugOfAddress(address, "default", standard)).toBe(slug);
  });

  test("is undefined outside the pattern's own part of a site", () => {
    const settings = { pattern: "https://example.com/site/{language?}/{slug}", home: "home" };
    const slugs = [
      "/contact",
      "/sitemap",
      "https://example.com/contact",
      "https://example.com.evil/site/a",
      "/site/de/a",
    ];
    expect(slugs.map((address) => slugOfAddress(address, "de", settings))).toEqual([
      ...[undefined, undefined, undefined, undefined],
      "a",
    ]);
  });
});
