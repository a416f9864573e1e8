import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { startDeadline } from "../../../src/lib/http/deadline.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Milliseconds until a deadline ends a request that receives something every so many milliseconds, and why. */
function endOf(arrivalMs: number): [number, string] {
  const deadline = startDeadline(new URL("https://example.com/"), 200, 60);
  for (let ms = 1; ; ms += 1) {
    vi.advanceTimersByTime(1);
    if (deadline.signal.aborted) return [ms, deadline.signal.reason.message];
    if (ms % arrivalMs === 0) deadline.touch();
  }
}

describe("the deadlines of a request", () => {
  test.each([
    [1000, 60, "sent nothing for 60 ms"],
    [50, 200, "was not answered completely within 200 ms"],
    [59, 200, "was not answered completely within 200 ms"],
    [61, 60, "sent nothing for 60 ms"],
  ])("something arrives every %i ms: it ends after %i ms", (arrivalMs, ms, why) => {
    expect(endOf(arrivalMs)).toEqual([ms, `https://example.com/ ${why}.`]);
  });
});
