import { describe, expect, test } from "vitest";
import { parseTime } from "../../src/cli/parse-time.js";

/** A Friday, 15:20 in Vienna. */
const nowMs = Date.parse("2026-11-27T14:20:30.500Z");
const vienna = { nowMs, timeZone: "Europe/Vienna" };

function parsed(text: string, clock = vienna): [start: string, end: string] | undefined {
  const time = parseTime(text, clock);
  return time && [new Date(time.startMs).toISOString(), new Date(time.endMs).toISOString()];
}

describe("a time by name", () => {
  test.each([
    ["2026-11-20", "2026-11-19T23:00:00.000Z", "2026-11-20T22:59:59.999Z"],
    ["today", "2026-11-26T23:00:00.000Z", "2026-11-27T22:59:59.999Z"],
    ["yesterday", "2026-11-25T23:00:00.000Z", "2026-11-26T22:59:59.999Z"],
    ["last monday", "2026-11-22T23:00:00.000Z", "2026-11-23T22:59:59.999Z"],
    ["Thursday", "2026-11-25T23:00:00.000Z", "2026-11-26T22:59:59.999Z"],
    ["on sat", "2026-11-20T23:00:00.000Z", "2026-11-21T22:59:59.999Z"],
    // Today is no last Friday.
    ["last friday", "2026-11-19T23:00:00.000Z", "2026-11-20T22:59:59.999Z"],
  ])("%s is a day of the time zone from its start to its end", (text, start, end) => {
    expect(parsed(text)).toEqual([start, end]);
  });

  test.each([
    ["2026-11-20 14:30", "2026-11-20T13:30:00.000Z", "2026-11-20T13:30:59.999Z"],
    ["2026-11-20T14:30:05", "2026-11-20T13:30:05.000Z", "2026-11-20T13:30:05.999Z"],
    ["2026-11-20T14:30:05.250Z", "2026-11-20T14:30:05.250Z", "2026-11-20T14:30:05.250Z"],
    ["2026-11-20 14:30 -05:30", "2026-11-20T20:00:00.000Z", "2026-11-20T20:00:59.999Z"],
    ["yesterday at 9:05", "2026-11-26T08:05:00.000Z", "2026-11-26T08:05:59.999Z"],
    ["last  Monday 09:00", "2026-11-23T08:00:00.000Z", "2026-11-23T08:00:59.999Z"],
    ["at 14:30", "2026-11-27T13:30:00.000Z", "2026-11-27T13:30:59.999Z"],
  ])("%s is as long as its last unit", (text, start, end) => {
    expect(parsed(text)).toEqual([start, end]);
  });

  test.each([
    ["now", "2026-11-27T14:20:30.500Z"],
    ["3 hours ago", "2026-11-27T11:20:30.500Z"],
    ["an hour ago", "2026-11-27T13:20:30.500Z"],
    ["90 minutes ago", "2026-11-27T12:50:30.500Z"],
    ["2 weeks ago", "2026-11-13T14:20:30.500Z"],
    ["24h", "2026-11-26T14:20:30.500Z"],
    ["30 seconds ago", "2026-11-27T14:20:00.500Z"],
    ["a second ago", "2026-11-27T14:20:29.500Z"],
    ["30s", "2026-11-27T14:20:00.500Z"],
  ])("%s is a moment", (text, moment) => {
    expect(parsed(text)).toEqual([moment, moment]);
  });

  test.each([
    "",
    "12",
    "soon",
    "30ss",
    "tomorrow",
    "2026-11-31",
    "2026-13-01",
    "20.11.2026",
    "14:60",
    "24:00",
    "last",
    "h ago",
  ])("%j is none", (text) => {
    expect(parsed(text)).toBeUndefined();
  });
});

describe("where clocks change", () => {
  test("a day has 23 or 25 hours", () => {
    expect(parsed("2026-03-29")).toEqual(["2026-03-28T23:00:00.000Z", "2026-03-29T21:59:59.999Z"]);
    expect(parsed("2026-10-25")).toEqual(["2026-10-24T22:00:00.000Z", "2026-10-25T22:59:59.999Z"]);
  });

  test("a time that comes twice is the later one, a skipped one is an hour on", () => {
    expect(parsed("2026-10-25 02:30")?.[0]).toBe("2026-10-25T01:30:00.000Z");
    expect(parsed("2026-03-29 02:30")?.[0]).toBe("2026-03-29T01:30:00.000Z");
    expect(parsed("2026-03-29 12:00")?.[0]).toBe("2026-03-29T10:00:00.000Z");
    expect(parsed("2026-03-28 12:00")?.[0]).toBe("2026-03-28T11:00:00.000Z");
  });

  test("the day is that of the time zone, also where it began before or after UTC's", () => {
    expect(parsed("today", { nowMs, timeZone: "Pacific/Auckland" })?.[0]).toBe("2026-11-27T11:00:00.000Z");
    expect(parsed("today", { nowMs, timeZone: "Pacific/Honolulu" })?.[0]).toBe("2026-11-27T10:00:00.000Z");
    expect(parsed("yesterday", { nowMs, timeZone: "UTC" })?.[1]).toBe("2026-11-26T23:59:59.999Z");
  });
});
