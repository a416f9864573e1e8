import { milliseconds } from "../config/schema/quantity.js";
import { timeAtWall, wallTime } from "../lib/zoned-time.js";

/** A named time from its first to its last millisecond: a date is a whole day, `14:30` a whole minute. */
export interface NamedTime {
  startMs: number;
  endMs: number;
}

export interface Clock {
  nowMs: number;
  /** IANA name, for times that name no zone. */
  timeZone: string;
}

const { s: secondMs, m: minuteMs, h: hourMs, d: dayMs } = milliseconds;
const units: Readonly<Record<string, number>> = { ...milliseconds, w: 7 * dayMs };
const weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

/** What {@link parseTime} understands, for hints. */
export const timeExamples = '"2026-11-20", "2026-11-20 14:30", yesterday, "last monday 9:00", "3 hours ago"';

/** Parses a date, a time of day, a day by name with or without a time, or an age. Undefined for another text. */
export function parseTime(text: string, clock: Clock): NamedTime | undefined {
  const words = text.trim().toLowerCase().replace(/\s+/g, " ");
  return words === "now" ? { startMs: clock.nowMs, endMs: clock.nowMs } : (ago(words, clock) ?? onDay(words, clock));
}

/** `3 hours ago`, `an hour ago`, `24h`, `30s` */
function ago(words: string, { nowMs }: Clock): NamedTime | undefined {
  const [, count, unit] =
    /^(\d{1,6}|an?) ?(s(?!s)|sec|second|m|min|minute|h|hour|d|day|w|week)s?(?: ago)?$/.exec(words) ?? [];
  if (count === undefined || unit === undefined) return undefined;
  const ms = nowMs - (/\d/.test(count) ? Number(count) : 1) * units[unit[0]!]!;
  return { startMs: ms, endMs: ms };
}

const timeOfDay = /(?:^|[t ])(?:at )?(\d{1,2}):(\d\d)(?::(\d\d)(\.\d{1,3})?)? ?(z|[+-]\d\d:?\d\d)?$/;

/** A day, `today` if left out, and a time of day, if any. */
function onDay(words: string, { nowMs, timeZone }: Clock): NamedTime | undefined {
  const time = timeOfDay.exec(words);
  const day = dayOf(time === null ? words : words.slice(0, time.index) || "today", wallTime(nowMs, timeZone));
  if (day === undefined) return undefined;
  if (time === null) return between(day, day + dayMs, (wall) => timeAtWall(wall, timeZone));
  const [, hours, minutes, seconds = "0", fraction, zone] = time;
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined;
  const wall = day + Number(hours) * hourMs + Number(minutes) * minuteMs + Number(seconds) * secondMs;
  const start = wall + Math.round(Number(fraction ?? 0) * secondMs);
  const length = fraction === undefined ? (time[3] === undefined ? minuteMs : secondMs) : 1;
  return between(start, start + length, (at) => (zone === undefined ? timeAtWall(at, timeZone) : at - offsetMs(zone)));
}

function between(start: number, end: number, toTime: (wall: number) => number): NamedTime {
  return { startMs: toTime(start), endMs: toTime(end) - 1 };
}

/** Midnight of a day by its date or name. A weekday is the last one before today. */
function dayOf(words: string, now: number): number | undefined {
  const today = now - (((now % dayMs) + dayMs) % dayMs);
  if (words === "today") return today;
  if (words === "yesterday") return today - dayMs;
  const [, name] = /^(?:last |on )?([a-z]{3,})$/.exec(words) ?? [];
  const weekday = name === undefined ? -1 : weekdays.findIndex((known) => known.startsWith(name));
  if (weekday >= 0) return today - (((new Date(today).getUTCDay() - weekday + 6) % 7) + 1) * dayMs;
  if (!/^\d{4}-\d\d-\d\d$/.test(words)) return undefined;
  const date = new Date(`${words}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(words) ? date.getTime() : undefined;
}

/** `z`, `+01:00`, `-0530` */
function offsetMs(zone: string): number {
  if (zone === "z") return 0;
  const [hours, minutes] = [zone.slice(1, 3), zone.slice(-2)].map(Number);
  return (zone.startsWith("-") ? -1 : 1) * (hours! * hourMs + minutes! * minuteMs);
}
