import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  durationText,
  parseDuration,
  parseDurationWithUnit,
  parseShare,
  parseSize,
  sizeText,
} from "../../../src/config/schema/quantity.js";

describe("durations", () => {
  test.each([
    ["500ms", 500],
    ["2s", 2000],
    ["1.5h", 5_400_000],
    ["5 m", 300_000],
    ["7d", 604_800_000],
    ["24H", 86_400_000],
    [0, 0],
    [1500, 1500],
    ["60", 60],
  ])("%j is %i ms", (written, expected) => {
    expect(parseDuration(written)).toBe(expected);
  });

  test.each([
    "",
    "s",
    "2 fortnights",
    "-1s",
    "1e3",
    "1s 2s",
    true,
    null,
    undefined,
    [],
    -1,
    Number.NaN,
    "9".repeat(30),
  ])("%j is no duration", (written) => {
    expect(parseDuration(written)).toBeUndefined();
  });
});

describe("durations of a command line", () => {
  test.each([
    ["90m", 5_400_000],
    ["24h", 86_400_000],
    ["1.5s", 1500],
    [" 200ms ", 200],
  ])("%j is %i ms", (written, expected) => {
    expect(parseDurationWithUnit(written)).toBe(expected);
  });

  test.each(["", "90", "1.5 ", "soon", "-1h"])("%j has no unit, or is no duration", (written) => {
    expect(parseDurationWithUnit(written)).toBeUndefined();
  });
});

describe("sizes", () => {
  test.each([
    ["512KB", 524_288],
    ["50MB", 52_428_800],
    ["2gb", 2_147_483_648],
    ["100B", 100],
    [4096, 4096],
  ])("%j is %i bytes", (written, expected) => {
    expect(parseSize(written)).toBe(expected);
  });

  test("a duration is no size, and a size no duration", () => {
    expect(parseSize("2s")).toBeUndefined();
    expect(parseDuration("2MB")).toBeUndefined();
  });
});

describe("shares", () => {
  test.each([
    ["20%", 0.2],
    ["0.2", 0.2],
    [0.2, 0.2],
    ["100 %", 1],
    [0, 0],
    [1, 1],
  ])("%j is %d", (written, expected) => {
    expect(parseShare(written)).toBe(expected);
  });

  test.each(["120%", 20, "-1%", "a fifth", null, {}])("%j is no share", (written) => {
    expect(parseShare(written)).toBeUndefined();
  });
});

test("any number of whole units means units times their length", () => {
  fc.assert(
    fc.property(fc.nat(1_000_000), (count) => {
      expect(parseDuration(`${count}s`)).toBe(count * 1000);
      expect(parseSize(`${count} KB`)).toBe(count * 1024);
      expect(parseDuration(count)).toBe(count);
    }),
  );
});

test("a quantity is shown with the largest unit that needs no fraction, and reads back as what it was", () => {
  expect([0, 100, 5_400_000, 31_536_000_000].map(durationText)).toEqual(["0", "100ms", "90m", "365d"]);
  expect([1, 1024, 524_288].map(sizeText)).toEqual(["1B", "1KB", "512KB"]);
  fc.assert(
    fc.property(fc.nat(), (count) => {
      expect(parseDuration(durationText(count))).toBe(count);
      expect(parseSize(sizeText(count))).toBe(count);
    }),
  );
});
