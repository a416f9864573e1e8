import fc from "fast-check";
import { expect, test } from "vitest";
import { backOffMs, parkedMs, refusalAfter } from "../../src/watch/parking.js";

const minute = 60_000;
const hour = 60 * minute;
const refused = {
  outcome: "failed" as const,
  problems: [{ code: "UPSTREAM_REFUSED" as const, message: "", hint: "" }],
};
const unreachable = { ...refused, problems: [{ ...refused.problems[0]!, code: "UPSTREAM_UNREACHABLE" as const }] };

test("what fails for ever is tried in every turn of the first hour, then ever less often, and at least every six hours", () => {
  expect([0, 59 * minute, hour, 90 * minute, 5 * hour, 400 * hour].map(backOffMs)).toEqual([
    0,
    0,
    hour,
    90 * minute,
    5 * hour,
    6 * hour,
  ]);
  fc.assert(
    fc.property(fc.nat(), fc.nat(), (a, b) => {
      expect(backOffMs(Math.max(a, b))).toBeGreaterThanOrEqual(backOffMs(Math.min(a, b)));
    }),
  );
});

test("a refusal counts from its first run; a run that cannot reach the space neither ends nor begins one", () => {
  const first = refusalAfter(undefined, refused, 1000);
  expect(first).toEqual({ sinceMs: 1000, code: "UPSTREAM_REFUSED" });
  expect(refusalAfter(first, refused, 2000)).toEqual(first);
  expect(refusalAfter(first, unreachable, 2000)).toEqual(first);
  expect(refusalAfter(undefined, unreachable, 2000)).toBeUndefined();
  expect(refusalAfter(first, { outcome: "unchanged", problems: [] }, 2000)).toBeUndefined();
  expect(parkedMs(first, 1000 + hour - 1)).toBe(0);
  expect(parkedMs(first, 1000 + hour)).toBe(hour);
  expect(parkedMs(undefined, 10 * hour)).toBe(0);
});
