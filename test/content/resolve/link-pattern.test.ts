import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { pathOfAddress, siteUrl, slugsAt } from "../../../src/content/resolve/link-pattern.js";
import { realPath, slugWithoutLanguage } from "../../../src/contract/story-address.js";

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
    expect(siteUrl({ full_slug: fullSlug }, language, standard)).toBe(url);
  });

  test("follows a pattern with origin, language and trailing slash", () => {
    const settings = { pattern: "https://www.example.com/{language}/{slug}/", home: "start" };
    expect(siteUrl({ full_slug: "de/a/b" }, "de", settings)).toBe("https://www.example.com/de/a/b/");
    expect(siteUrl({ full_slug: "start" }, "default", settings)).toBe("https://www.example.com/default/");
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

describe("pathOfAddress", () => {
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
          const full_slug = language === "default" ? slug : `${language}/${slug}`;
          const address = siteUrl({ full_slug }, language, settings);
          const path = slug === "home" ? "" : slug;
          fc.pre(slugWithoutLanguage(slug, language) === slug);
          expect(pathOfAddress(address + suffix, language, settings)).toBe(path);
          const isOfOrigin = address.startsWith("https:");
          if (isOfOrigin) expect(pathOfAddress(address.slice(23) + suffix, language, settings)).toBe(path);
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
    ["/", ""],
    ["/#top", ""],
  ])("of %j is %j", (address, slug) => {
    expect(pathOfAddress(address, "default", standard)).toBe(slug);
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
    expect(slugs.map((address) => pathOfAddress(address, "de", settings))).toEqual([
      ...[undefined, undefined, undefined, undefined],
      "a",
    ]);
  });
});

describe("a real path", () => {
  test.each([
    ["services", "/services"],
    ["/services/", "/services"],
    ["/", "/"],
    ["caf%C3%A9", "/caf%C3%A9"],
    ["a//b", "/a/b"],
    ["", "/content/services"],
    ["  ", "/content/services"],
    [null, "/content/services"],
    ["../admin", "/content/services"],
    ["a/%2e%2e/b", "/content/services"],
    ["a\\b", "/content/services"],
    ["a\u0000b", "/content/services"],
    ["a\nb", "/content/services"],
    ["https://evil.example/x", "/content/services"],
    ["//evil.example/x", "/content/services"],
    ["javascript:alert(1)", "/content/services"],
    ["preview?path=x", "/content/services"],
  ])("%j of content/services is at %s", (path, url) => {
    expect(siteUrl({ full_slug: "content/services", path }, "default", standard)).toBe(url);
  });

  test("gets the language of its edition once", () => {
    const urls = ["services", "de/services"].map((path) => {
      return siteUrl({ full_slug: "de/content/services", path }, "de", standard);
    });
    expect(urls).toEqual(["/de/services", "/de/services"]);
    expect(siteUrl({ full_slug: "de/start", path: "/" }, "de", standard)).toBe("/de");
  });

  test("is ignored where the configuration says so", () => {
    const settings = { ...standard, use: "slug" as const };
    expect(siteUrl({ full_slug: "content/services", path: "services" }, "default", settings)).toBe("/content/services");
  });

  test("that is the slug of the home page leaves it at the root", () => {
    expect(siteUrl({ full_slug: "home", path: "home" }, "default", standard)).toBe("/");
  });

  test("never leaves the site, whatever it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (path) => {
        const url = siteUrl({ full_slug: "a", path }, "default", standard);
        const isInside = /^\/(?!\/)/.test(url) && !url.split("/").some((segment) => /^\.{1,2}$/.test(segment));
        expect(isInside && !/^\/|[\u0000-\u001f]/.test(realPath(path) ?? "")).toBe(true);
      }),
      { numRuns: 50 },
    );
  });
});

describe("home pages of folders", () => {
  test.each([
    ["*/home", "en/home", "/en"],
    ["*/home", "home", "/home"],
    ["*/home", "a/b/home", "/a/b/home"],
    [["home", "*/home"], "home", "/"],
    [["home", "*/home"], "de/home", "/de"],
    [["en/start", "de/start"], "de/start", "/de"],
    [["en/start", "de/start"], "fr/start", "/fr/start"],
    ["en/home", "en/home", "/"],
  ])("with %j, %s is at %s", (home, full_slug, url) => {
    const settings = { ...standard, home };
    expect(siteUrl({ full_slug }, "default", settings)).toBe(url);
    const path = pathOfAddress(url, "default", settings);
    expect(slugsAt(path ?? "", settings)).toContain(full_slug);
  });
});
