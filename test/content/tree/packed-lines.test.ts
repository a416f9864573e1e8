import fc from "fast-check";
import { expect, test } from "vitest";
import { PackedLines } from "../../../src/content/tree/packed-lines.js";

/** The first two keys are in another order as UTF-8 than as UTF-16. */
const key = fc.oneof(fc.constantFrom("😀", "\uffee", "a", "a b", "aä"), fc.nat(30).map(String));
const list = fc.uniqueArray(fc.tuple(key, fc.constantFrom(undefined, "x", "y\tz")), {
  selector: ([key]) => key,
  maxLength: 8,
});

test("any number of sorted lists come as one, with every key once", () => {
  fc.assert(
    fc.property(fc.array(list, { maxLength: 600, size: "max" }), (lists) => {
      const packed = new PackedLines();
      const expected = new Map<string, string[]>();
      for (const lines of lists) {
        const sorted = lines.sort(([a], [b]) => (a < b ? -1 : 1));
        packed.add(sorted.map(([key, rest]) => (rest === undefined ? key : `${key}\t${rest}`)));
        for (const [key, rest] of lines) expected.set(key, [...(expected.get(key) ?? []), ...(rest ? [rest] : [])]);
      }
      const found = [...packed.merged()];
      expect(found.map(({ key }) => key)).toEqual([...expected.keys()].sort());
      for (const { key, rest } of found) {
        expect(rest?.split(" ").sort() ?? []).toEqual(expected.get(key)!.sort());
      }
    }),
    { numRuns: 60 },
  );
});
