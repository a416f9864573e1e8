import { absent, type Codec, isBlank } from "./codec.js";

const about = "a date as yyyy-MM-dd HH:mm, or ISO 8601";
const minuteMs = 60_000;
const pattern = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|[+ -]\d\d:?\d\d)?)?$/;

/**
 * In milliseconds. Writes `yyyy-MM-dd HH:mm` for a whole minute, else ISO 8601. Reads both, in UTC without offset.
 */
export const dateTime: Codec<number> = {
  kind: "text",
  about,
  encode(value) {
    const iso = Number.isFinite(value) && Number.isInteger(value) ? isoText(value) : undefined;
    if (iso === undefined)
      throw new RangeError(`${value} is not a time in milliseconds between the years 100 and 9999`);
    return value % minuteMs === 0 ? `${iso.slice(0, 10)} ${iso.slice(11, 16)}` : iso;
  },
  decode(value) {
    if (isBlank(value)) return absent;
    const ms = parseDateTime(value);
    return ms === undefined ? { problem: `"${value}" is not ${about}` } : { value: ms };
  },
};

/** In any form that {@link dateTime} reads; undefined for a day or hour that does not exist. */
export function parseDateTime(value: string): number | undefined {
  const match = pattern.exec(value.trim());
  if (match === null) return undefined;
  const [, year, month, day, hour = "00", minute = "00", second = "00", fraction = "", offset] = match;
  const fields = `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, "0")}Z`;
  const ms = Date.parse(fields);
  // Date.parse turns some impossible days into later ones (2024-02-30 is March 1), so compare.
  if (Number.isNaN(ms) || isoText(ms) !== fields) return undefined;
  const offsetMs = parseOffset(offset);
  return offsetMs === undefined ? undefined : ms - offsetMs;
}

/** No offset and `Z` are 0. An unescaped plus is a blank: `12:00 02:00` is `12:00+02:00`. */
function parseOffset(offset: string | undefined): number | undefined {
  if (offset === undefined || offset === "Z") return 0;
  const hours = Number(offset.slice(1, 3));
  const minutes = Number(offset.slice(-2));
  if (hours > 23 || minutes > 59) return undefined;
  return (offset.startsWith("-") ? -1 : 1) * (hours * 60 + minutes) * minuteMs;
}

function isoText(ms: number): string | undefined {
  const date = new Date(ms);
  const year = date.getUTCFullYear();
  return year >= 100 && year <= 9999 ? date.toISOString() : undefined;
}
