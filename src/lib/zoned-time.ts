/** IANA name of this machine's time zone. */
export function machineTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** What a clock on the wall shows, as milliseconds of a UTC time that reads the same. */
export function wallTime(ms: number, timeZone: string): number {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat("en", {
      timeZone,
      calendar: "gregory",
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
  formats.set(timeZone, format);
  const shown = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = shown;
  return Date.UTC(year, month - 1, day, hour, minute, second, ((ms % 1000) + 1000) % 1000);
}

const dayMs = 86_400_000;

/** When a clock shows {@link wallTime}: the later time if it does twice; if never, as if not yet set forward. */
export function timeAtWall(wall: number, timeZone: string): number {
  const times = [wall - dayMs, wall + dayMs].map((near) => wall + near - wallTime(near, timeZone));
  const exact = times.filter((ms) => wallTime(ms, timeZone) === wall);
  return Math.max(...(exact.length > 0 ? exact : times));
}

/** `2026-11-20 14:30:05` */
export function wallTimeText(ms: number, timeZone: string): string {
  return new Date(wallTime(ms, timeZone)).toISOString().slice(0, 19).replace("T", " ");
}
