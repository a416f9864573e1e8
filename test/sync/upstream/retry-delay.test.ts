import { describe, expect, test } from "vitest";
import { UpstreamError } from "../../../src/lib/http/upstream-error.js";
import { parseRetryAfter, retryDelay } from "../../../src/sync/upstream/retry-delay.js";

const fault = new UpstreamError("UPSTREAM_UNREACHABLE", "fault", { status: 503, retriable: true });
const limited = new UpstreamError("UPSTREAM_RATE_LIMITED", "limited", { status: 429, retriable: true });

describe("the wait before another attempt", () => {
  test("is anything up to a ceiling that doubles up to a maximum", () => {
    const ceilings = [1, 2, 3, 4, 7, 20].map((attempt) => retryDelay(fault, attempt, () => 1));
    expect(ceilings).toEqual([500, 1_000, 2_000, 4_000, 30_000, 30_000]);
    expect(retryDelay(fault, 5, () => 0)).toBe(0);
    expect(retryDelay(fault, 1, () => 0.5)).toBe(250);
  });

  test("is at least a second after a 429 without a time", () => {
    expect(retryDelay(limited, 1, () => 0)).toBe(1_000);
  });

  test("is at least Retry-After, up to a minute", () => {
    const asks = (retryAfterMs: number) => new UpstreamError("UPSTREAM_RATE_LIMITED", "limited", { retryAfterMs });
    expect(retryDelay(asks(7_000), 1, () => 0)).toBe(7_000);
    expect(retryDelay(asks(7_000), 1, () => 1)).toBe(7_500);
    expect(retryDelay(asks(9e15), 1, () => 0)).toBe(60_000);
  });
});

test("reads Retry-After in seconds or as a date on the server's clock, and ignores anything else", () => {
  const now = Date.parse("Tue, 03 Nov 2026 10:00:00 GMT");
  const read = (text: string | undefined) => parseRetryAfter(text, now);
  expect([read("3"), read(" 0 "), read("1.5"), read("99999999999999999999")]).toEqual([3_000, 0, 1_500, 1e23]);
  expect([read("Tue, 03 Nov 2026 10:00:30 GMT"), read("Tue, 03 Nov 2026 09:00:00 GMT")]).toEqual([30_000, 0]);
  expect([undefined, "", "soon", "-5", "NaN", "1e3"].map(read)).toEqual(Array(6).fill(undefined));
});
