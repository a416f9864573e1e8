import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { costLimits } from "../../src/cost-limits.js";
import { rewriteValue, visitValue } from "../../src/resolve/rewrite-value.js";

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

  test("tells the path and the field of a block that a value belongs to", () => {
    const content = {
      component: "page",
      list: ["x"],
      plugin: { value: "y" },
      body: [{ component: "teaser", text: "z" }],
    };
    const seen: [string, string, string | undefined][] = [];
    visitValue(content, (value, place) => {
      if (typeof value === "string") {
        const field = place.field === undefined ? undefined : `${place.component}.${place.field}`;
        seen.push([value, place.path(), field]);
      }
    });
    expect(seen).toEqual([
      ["page", "component", "page.component"],
      ["x", "list[0]", "page.list"],
      ["y", "plugin.value", undefined],
      ["teaser", "body[0].component", "teaser.component"],
      ["z", "body[0].text", "teaser.text"],
    ]);
  });
});

test("the path of a value nested very deeply is its end", () => {
  let value: unknown = "x";
  for (let level = 0; level < 10_000; level++) value = [value];
  let path = "";
  visitValue(value, (item, place) => {
    if (item === "x") path = place.path();
  });
  expect(path).toMatch(/^…(?:\[0\])+$/);
  expect(path.length).toBeLessThan(costLimits.pathCharacters + 20);
});
