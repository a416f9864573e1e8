import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rewriteValue, visitValue } from "../../../src/content/resolve/rewrite-value.js";
import { costLimits } from "../../../src/lib/cost-limits.js";

describe("rewriteValue", () => {
  test("is the value itself when nothing is replaced", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(rewriteValue(value, (item) => item)).toBe(value);
      }),
    );
  });

  test("replaces as a recursion would, and never changes the original", () => {
    const double = (value: unknown): unknown => {
      if (typeof value === "number") return value * 2;
      if (Array.isArray(value)) return value.map(double);
      if (typeof value !== "object" || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, double(inner)]));
    };
    fc.assert(
      fc.property(fc.json(), (json) => {
        const value: unknown = JSON.parse(json);
        const doubled = rewriteValue(value, (item) => (typeof item === "number" ? item * 2 : item));
        expect(doubled).toEqual(double(JSON.parse(json)));
        expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(json)));
      }),
    );
  });

  test("shares the parts in which nothing was replaced", () => {
    const value = { same: { a: [1] }, other: { b: 2 } };
    const result = rewriteValue(value, (item) => (item === 2 ? 3 : item)) as typeof value;
    expect(result).toEqual({ same: { a: [1] }, other: { b: 3 } });
    expect(result.same).toBe(value.same);
  });
});

test("the path of a value nested very deeply is its end", () => {
  let value: unknown = { deep: ["x"] };
  const pathIn = (content: unknown): string => {
    let found = "";
    rewriteValue(content, (item, place) => {
      if (item === "x") found = place.path();
      return item;
    });
    return found;
  };
  expect(pathIn(value)).toBe("deep[0]");
  for (let level = 0; level < 10_000; level++) value = [value];
  expect(pathIn(value)).toMatch(/^…(?:\[0\])+\.deep\[0\]$/);
  expect(pathIn(value).length).toBeLessThan(costLimits.pathCharacters + 20);
});

test("values of any depth are visited and replaced", () => {
  let value: unknown = "x";
  for (let level = 0; level < 10_000; level++) value = [value];
  let seen = 0;
  visitValue(value, (item) => {
    if (item === "x") seen += 1;
  });
  expect(seen).toBe(1);
  let result = rewriteValue(value, (item) => (item === "x" ? "y" : item));
  while (Array.isArray(result)) result = result[0];
  expect(result).toBe("y");
});
