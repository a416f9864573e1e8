import fc from "fast-check";
import { expect, test } from "vitest";
import {
  comparePieces,
  comparePlaceToPrefix,
  dividedBy,
  firstPlace,
  maxPrefix,
  placeOf,
} from "../../src/snapshot/shard-trie.js";

/** Keys of few digits or many, in any case, with dashes anywhere; of many the first digits are the same. */
const hexKey = fc
  .tuple(
    fc.constantFrom("", "0", "7fffffff", "80000000", "7fffffffffffffff", "ffffffffffffffffffff"),
    fc.string({ unit: fc.constantFrom(..."0123456789abcdefABCDEF-"), minLength: 0, maxLength: 36 }),
  )
  .map(([start, rest]) => start + rest)
  .filter((key) => digitsOf(key) !== "");

/** As in docs/snapshot-format.md: a key's hexadecimal digits. */
function digitsOf(key: string): string {
  return key.replaceAll("-", "").toLowerCase();
}

function binaryOf(digits: string): string {
  return [...digits].map((digit) => Number.parseInt(digit, 16).toString(2).padStart(4, "0")).join("");
}

test("orders keys by their digits, then by their spelling", () => {
  fc.assert(
    fc.property(fc.uniqueArray(hexKey, { maxLength: 12 }), (keys) => {
      const places = keys.map((key) => ({ key, place: placeOf(key) })).sort(comparePieces);
      const digits = keys.map((key) => ({ key, place: digitsOf(key) })).sort(comparePieces);
      expect(places.map(({ key }) => key)).toEqual(digits.map(({ key }) => key));
    }),
    { numRuns: 2_000 },
  );
});

test("a prefix covers the keys whose binary digits begin with it; missing digits are zeros", () => {
  const prefix = fc.string({ unit: fc.constantFrom("0", "1"), maxLength: maxPrefix });
  const own = hexKey.chain((key) => fc.nat(maxPrefix).map((length) => ({ key, prefix: binaryPrefix(key, length) })));
  fc.assert(
    fc.property(fc.oneof(fc.record({ key: hexKey, prefix }), own), ({ key, prefix }) => {
      const digits = binaryPrefix(key, prefix.length);
      const order = digits === prefix ? 0 : digits < prefix ? -1 : 1;
      expect(Math.sign(comparePlaceToPrefix(placeOf(key), prefix))).toBe(order);
      const first = { place: firstPlace(prefix), key: "" };
      if (order !== 0) expect(Math.sign(comparePieces({ place: placeOf(key), key }, first))).toBe(order);
    }),
    { numRuns: 2_000 },
  );
});

function binaryPrefix(key: string, length: number): string {
  return binaryOf(digitsOf(key)).padEnd(maxPrefix, "0").slice(0, length);
}

test("two keys can be split if one of their first sixteen digits differs", () => {
  fc.assert(
    fc.property(hexKey, hexKey, (a, b) => {
      const isSame = digitsOf(a).slice(0, 16) === digitsOf(b).slice(0, 16);
      expect(dividedBy(placeOf(a)) === dividedBy(placeOf(b))).toBe(isSame);
    }),
    { numRuns: 2_000 },
  );
});

test("a uuid is its own place, and what is not hexadecimal has none", () => {
  const uuid = "0f3c8a52-7d1e-4b0a-9c64-5e2f81d7ab39";
  expect(placeOf(uuid)).toBe(uuid);
  expect(placeOf("0F3C8A527D1E4B0A9C645E2F81D7AB39")).toBe(uuid);
  for (const key of ["", "-", "xyz", `${uuid}g`]) expect(() => placeOf(key)).toThrow(RangeError);
});
