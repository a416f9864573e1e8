import fc from "fast-check";
import { expect, test } from "vitest";
import { wildcardTest } from "../../src/contract/wildcard.js";

test.each([
  ["posts*", "posts/mars", true],
  ["posts*", "posts", true],
  ["*mars", "posts/mars", true],
  ["*a*a*", "banana", true],
  ["a*b", "abab", true],
  ["a*b", "aba", false],
  ["posts", "posts/", false],
  ["*", "", true],
  ["", "", true],
  ["", "a", false],
])("whether %j matches %j: %s", (pattern, text, expected) => expect(wildcardTest(pattern)(text)).toBe(expected));

test("a pattern made by cutting pieces out of a text matches that text", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string(), fc.boolean())), (pieces) => {
      const text = pieces.map(([piece]) => piece).join("");
      const pattern = pieces.map(([piece, cut]) => (cut ? "*" : piece)).join("");
      expect(wildcardTest(pattern)(text)).toBe(true);
    }),
  );
});

test("many stars do not take exponential time", () => {
  expect(wildcardTest("*a".repeat(200))("b".repeat(20_000))).toBe(false);
});
