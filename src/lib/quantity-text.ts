/** `1 request`, `1,204 stories` */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

/** Digits in groups of three, independent of the locale. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** `512 B`, `1.4 MB` */
export function size(bytes: number): string {
  const units = ["B", "KB", "MB", "GB"];
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}

/** Elapsed time: `40 s`, `12 min`, `5 h`, `9 d` */
export function age(ms: number): string {
  const units: [text: string, ms: number][] = [
    ["d", 86_400_000],
    ["h", 3_600_000],
    ["min", 60_000],
  ];
  const [text, unitMs] = units.find(([, each]) => ms >= 2 * each) ?? ["s", 1_000];
  return `${Math.max(0, Math.floor(ms / unitMs))} ${text}`;
}

/** `380 ms`, `12.3 s`, `4 min 05 s` */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, "0")} s`;
}

/** `12 min ago`. A time in the future comes from a clock that was set back. */
export function ago(sinceMs: number, nowMs: number): string {
  return sinceMs > nowMs + 60_000 ? "in the future: a clock is wrong" : `${age(nowMs - sinceMs)} ago`;
}

/** `2026-11-22T20:15:04Z` */
export function timeText(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, "Z");
}
