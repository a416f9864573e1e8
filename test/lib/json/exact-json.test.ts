import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson } from "../../../src/lib/json/canonical-json.js";
import { NumberText, parseExact, plainNumber, printExact } from "../../../src/lib/json/exact-json.js";
import { jsonTexts, numberTokens } from "../../support/json-texts.js";

test("prints parsed numbers unchanged, and JSON.stringify sees what JSON.parse gives", () => {
  fc.assert(
    fc.property(jsonTexts, ({ text }) => {
      const canonical = canonicalJson(text);
      const value = parseExact(canonical);
      expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(canonical)));
      // JSON.parse moves keys that look like indexes to the front.
      if (!/"\d+":/.test(canonical)) expect(printExact(value)).toBe(canonical);
    }),
  );
});

test("numbers keep their text in copies of the value", () => {
  fc.assert(
    fc.property(fc.array(numberTokens), numberTokens, (items, own) => {
      const value = parseExact(`{"items":[${items.join(",")}],"own":${own}}`) as { items: unknown[] };
      const copy = { first: 1, ...value, items: [...value.items, "x"], none: undefined };
      const list = [...items, '"x"'].join(",");
      expect(printExact(copy)).toBe(`{"first":1,"items":[${list}],"own":${own}}`);
    }),
  );
});

test("only numbers that a double prints differently become NumberText", () => {
  expect(parseExact('[0,-1,1.5,1e+21,123456789012345680000,"1.10"]')).toEqual([
    0,
    -1,
    1.5,
    1e21,
    123456789012345680000,
    "1.10",
  ]);
  const special = parseExact("[1.10,-0,1e400,9007199254740993]") as unknown[];
  for (const value of special) expect(value).toBeInstanceOf(NumberText);
  expect(special.map(plainNumber)).toEqual([1.1, -0, Number.POSITIVE_INFINITY, 9007199254740992]);
});

test.each(["", "{", "[1.10", "01.5", "[1.5,]"])("%j is a SyntaxError", (text) => {
  expect(() => parseExact(text)).toThrow(SyntaxError);
});

test("nesting of 20,000 levels is parsed", () => {
  expect(() => parseExact(`${'{"a":['.repeat(10_000)}1.10${"]}".repeat(10_000)}`)).not.toThrow();
});
