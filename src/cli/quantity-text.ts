import { age } from "../lib/quantity-text.js";

export { age, grouped, plural, size } from "../lib/quantity-text.js";

/** `380 ms`, `12.3 s`, `4 min 05 s` */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, "0")} s`;
}

/** `12 min ago`. A time that lies ahead is that of a clock which was set back since. */
export function ago(sinceMs: number, nowMs: number): string {
  return sinceMs > nowMs + 60_000 ? "at a time that lies ahead: a clock is wrong" : `${age(nowMs - sinceMs)} ago`;
}
