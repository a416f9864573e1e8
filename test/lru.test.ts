import fc from "fast-check";
import { expect, test } from "vitest";
import { Lru } from "../src/lib/collections/lru.js";

test("evicts the least recently used entry first", () => {
  const kept = new Lru<string, number>(2);
  kept.set("a", 1);
  kept.set("b", 2);
  kept.get("a");
  kept.set("c", 3);
  expect([kept.get("a"), kept.get("b"), kept.get("c")]).toEqual([1, undefined, 3]);
});

test("a value that exceeds the limit by itself evicts nothing", () => {
  const kept = new Lru<string, string>(10, (text) => text.length);
  kept.set("a", "12345");
  kept.set("b", "12345");
  kept.set("heavy", "12345678901");
  expect([kept.get("a"), kept.get("b"), kept.get("heavy")]).toEqual(["12345", "12345", undefined]);
  kept.set("a", "123456");
  expect([kept.get("a"), kept.get("b")]).toEqual(["123456", undefined]);
});

test("a value that became too heavy is removed", () => {
  const kept = new Lru<string, string>(3, (text) => text.length);
  kept.set("a", "1");
  kept.set("a", "1234");
  expect(kept.get("a")).toBeUndefined();
});

type Step = ["get" | "set" | "delete", key: number, weight: number];
const step: fc.Arbitrary<Step> = fc.tuple(
  fc.constantFrom("get", "set", "delete"),
  fc.integer({ min: 0, max: 8 }),
  fc.integer({ min: 0, max: 6 }),
);

test("matches a list in order of use, cut at the front", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const kept = new Lru<number, { weight: number }>(10, ({ weight }) => weight);
      let model: { key: number; value: { weight: number } }[] = [];
      for (const [what, key, weight] of steps) {
        const known = model.find((entry) => entry.key === key);
        const others = model.filter((entry) => entry !== known);
        if (what === "get") {
          expect(kept.get(key)).toBe(known?.value);
          if (known !== undefined) model = [...others, known];
        } else if (what === "delete") {
          expect(kept.delete(key)).toBe(known !== undefined);
          model = others;
        } else {
          const value = { weight };
          kept.set(key, value);
          model = [...others, { key, value }];
          while (model.reduce((sum, entry) => sum + entry.value.weight, 0) > 10) model.shift();
        }
      }
      for (const { key, value } of model) expect(kept.get(key)).toBe(value);
      kept.clear();
      for (const { key } of model) expect(kept.get(key)).toBeUndefined();
    }),
  );
});
