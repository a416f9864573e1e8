import { describe, expect, test } from "vitest";
import { siteUrl, slugWithoutLanguage } from "../../src/resolve/link-pattern.js";

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
