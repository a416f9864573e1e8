import fc from "fast-check";
import { expect, test } from "vitest";
import { editDistance, nearestName } from "../../../src/config/schema/nearest-name.js";

const names = ["concurrency", "prefer", "rateLimit", "maxRequests", "timeout", "retries"];

test.each([
  ["concurency", "concurrency"],
  ["rate_limit", "rateLimit"],
  ["ratelimit", "rateLimit"],
  ["RATE-LIMIT", "rateLimit"],
  ["timoeut", "timeout"],
  ["maxRequest", "maxRequests"],
])("%s is taken for %s", (written, meant) => {
  expect(nearestName(written, names)).toBe(meant);
});

test("a name that is near to nothing is taken for nothing", () => {
  expect(nearestName("colour", names)).toBeUndefined();
  expect(nearestName("", names)).toBeUndefined();
});

test("the distance is zero for equal texts, the same in both directions, and never more than the longer text", () => {
  const text = fc.string({ maxLength: 12 });
  fc.assert(
    fc.property(text, text, (left, right) => {
      const distance = editDistance(left, right);
      expect(distance).toBe(editDistance(right, left));
      expect(distance === 0).toBe(left === right);
      expect(distance).toBeLessThanOrEqual(Math.max(left.length, right.length));
    }),
  );
});

test("a swap of neighbours counts once", () => {
  expect(editDistance("ab", "ba")).toBe(1);
  expect(editDistance("kitten", "sitting")).toBe(3);
});
