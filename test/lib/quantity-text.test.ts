import { expect, test } from "vitest";
import { ago } from "../../src/lib/quantity-text.js";

test.each([
  [0, "0 s ago"],
  [90_000, "90 s ago"],
  [7_200_000, "2 h ago"],
  [400 * 86_400_000, "400 d ago"],
  // Two clocks may differ by a moment.
  [-20_000, "0 s ago"],
  [-7_186_958, "in the future: a clock is wrong"],
])("an age of %s ms is never negative", (ageMs, text) => {
  expect(ago(1_700_000_000_000 - ageMs, 1_700_000_000_000)).toBe(text);
});
