import { expect, test } from "vitest";
import { namesPlaceholder, parsePathPattern } from "../../../src/config/schema/path-pattern.js";

test.each([
  "{slug}",
  "{uuid}",
  "{type}/{slug}",
  "{edition}/_{type}/{slug}",
  "cms/{language?}-{version}/{release}/{type}/{uuid}",
])("%s is a pattern", (pattern) => {
  expect(parsePathPattern(pattern)).toMatchObject({ file: pattern.endsWith("{uuid}") ? "uuid" : "slug" });
});

test.each([
  ...["", "/", "{type}", "{type}/{language}", "blog", "{slug}/{type}", "{slug}/index", "{type}-{slug}", "{slug}.md"],
  ...["/{slug}", "{type}//{slug}", "../{slug}", "./{slug}", "a b/{slug}", "a\\b/{slug}", "~x/{slug}", "{uuid}/{slug}"],
  ...["x{edition}/{slug}", "{edition}{type}/{slug}", "{Type}/{slug}", "{}/{slug}", "{type/{slug}", "{{type}}/{slug}"],
  ...["{constructor}/{slug}", "a.b/{slug}", "é/{slug}"],
])("%j is none", (pattern) => {
  expect(parsePathPattern(pattern)).toBeUndefined();
});

test("a pattern lists the parts of the edition that it names", () => {
  const pattern = parsePathPattern("{language?}/{type}/{slug}")!;
  expect(namesPlaceholder(pattern, "language", "language?")).toBe(true);
  expect(namesPlaceholder(pattern, "version", "edition")).toBe(false);
});
