import { describe, expect, test } from "vitest";
import { costOf, intervalOf, loadRateTiers, type RequestKind } from "../../../src/sync/upstream/rate-tiers.js";

describe("the published tiers", () => {
  const tiers = loadRateTiers();
  const perSecond = (kind: RequestKind) => tiers.unitsPerSecond / costOf(kind, tiers);

  test.each([
    [1, 50],
    [25, 50],
    [26, 15],
    [50, 15],
    [51, 10],
    [75, 10],
    [76, 6],
    [100, 6],
    [1_000, 6],
  ])("allow for %i a page %i requests a second", (perPage, requests) => {
    expect(perSecond({ group: "delivery", perPage })).toBe(requests);
    expect(intervalOf({ group: "delivery", perPage }, tiers)).toBeCloseTo(1_000 / requests);
  });

  test("allow 50 single reads a second, 3 of the management interface, and 30 drafts at once", () => {
    expect(perSecond({ group: "delivery" })).toBe(50);
    expect(perSecond({ group: "management" })).toBe(3);
    expect(perSecond({ group: "oauth" })).toBe(3);
    expect(tiers.draftsAtOnce).toBe(30);
  });
});
