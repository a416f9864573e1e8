import { duration, grouped, plural } from "../lib/quantity-text.js";

/** How far something that runs has come. */
export interface ProgressView {
  /** What is done: `Reading stories`. */
  text: string;
  /** How much of it; undefined: nothing is counted. */
  amount?: ProgressAmount | undefined;
  /** Since it began, in milliseconds. */
  elapsedMs: number;
  /** Requests that were sent so far; undefined: none are counted. */
  requests?: number | undefined;
  /** Requests that are still to be sent, as they were planned. */
  requestsLeft?: number | undefined;
}

export interface ProgressAmount {
  done: number;
  /** null: nobody knows. */
  total: number | null;
  /** How a number is written; default: with its digits in groups of three. Bytes are written as `1.4 MB`. */
  shown?: ((value: number) => string) | undefined;
}

/** Before this time no rate is told, and no time that is left before the second: they would jump. In milliseconds. */
const rateFromMs = 500;
const leftFromMs = 1_500;
const longestBar = 24;
const shortestBar = 8;

/**
 * The line of what runs: `Reading stories ━━━━━━━━╌╌╌╌╌╌╌╌ 33 %  3,300 of 10,000 · 850/s · 7.9 s left · 42 requests left`. Where the
 * terminal is narrow, what comes last goes first, then the bar.
 *
 * @param width columns of the terminal
 * @returns at most `width` characters
 */
export function progressLine({ text, amount, elapsedMs, requests, requestsLeft }: ProgressView, width: number): string {
  const details = [
    ...(amount === undefined ? [] : [amountText(amount), ...paceTexts(amount, elapsedMs)]),
    ...requestTexts(requests, requestsLeft),
  ];
  const share = amount === undefined ? undefined : shareOf(amount);
  for (let count = details.length; count >= 0; count -= 1) {
    const shown = details.slice(0, count).join(" · ");
    const room = width - text.length - shown.length - 2;
    const bar = share === undefined ? "" : barText(share, room);
    const isLastTry = count <= 1;
    if (share !== undefined && bar === "" && !isLastTry) continue;
    const line = [text, bar, shown].filter((part) => part !== "").join(" ");
    if (line.length <= width) return line;
  }
  return text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`;
}

/** From 0 to 1; undefined where nobody knows. */
function shareOf({ done, total }: ProgressAmount): number | undefined {
  if (total === null || total <= 0) return undefined;
  return Math.min(1, Math.max(0, done / total));
}

/** `━━━━╌╌╌╌ 50 %`, or nothing where it has no room. */
function barText(share: number, room: number): string {
  const cells = Math.min(longestBar, room - " 100 %".length);
  if (cells < shortestBar) return "";
  const full = Math.floor(share * cells);
  return `${"━".repeat(full)}${"╌".repeat(cells - full)} ${String(Math.floor(share * 100 + 1e-9)).padStart(3)} %`;
}

function amountText({ done, total, shown = grouped }: ProgressAmount): string {
  return total === null ? shown(done) : `${shown(done)} of ${shown(total)}`;
}

/** How fast it goes, and what time is left at that pace. */
function paceTexts({ done, total, shown = grouped }: ProgressAmount, elapsedMs: number): string[] {
  if (elapsedMs < rateFromMs || done <= 0) return [];
  const perSecond = done / (elapsedMs / 1_000);
  const rate = `${shown(perSecond >= 10 ? Math.round(perSecond) : Number(perSecond.toFixed(1)))}/s`;
  if (total === null || done >= total || elapsedMs < leftFromMs) return [rate];
  return [rate, `${duration(((total - done) / perSecond) * 1_000)} left`];
}

function requestTexts(requests: number | undefined, left: number | undefined): string[] {
  if (left !== undefined && left > 0) return [`${plural(left, "request")} left`];
  return requests === undefined || requests === 0 ? [] : [plural(requests, "request")];
}
