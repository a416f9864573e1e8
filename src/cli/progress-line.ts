import { duration, grouped, plural } from "../lib/quantity-text.js";

export interface ProgressView {
  text: string;
  amount?: ProgressAmount | undefined;
  elapsedMs: number;
  requests?: number | undefined;
  requestsLeft?: number | undefined;
}

export interface ProgressAmount {
  done: number;
  total: number | null;
  /** Formats a number. Default: digits in groups of three. */
  shown?: ((value: number) => string) | undefined;
}

/** Milliseconds before a rate, and before the time left, is shown: earlier they would jump. */
const rateFromMs = 500;
const leftFromMs = 1_500;
const longestBar = 24;
const shortestBar = 8;

/** `Reading stories ━━╌╌ 33 % 3,300 of 10,000 · 850/s · 7.9 s left`. A narrow line drops its end, then the bar. */
export function progressLine(
  { text, amount, elapsedMs, requests, requestsLeft }: ProgressView,
  width: number,
  hasBar = true,
): string {
  const details = [
    ...(amount === undefined ? [] : [amountText(amount), ...paceTexts(amount, elapsedMs)]),
    ...requestTexts(requests, requestsLeft),
  ];
  const share = amount === undefined || !hasBar ? undefined : shareOf(amount);
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

function shareOf({ done, total }: ProgressAmount): number | undefined {
  if (total === null || total <= 0) return undefined;
  return Math.min(1, Math.max(0, done / total));
}

/** `━━━━╌╌╌╌ 50 %`, or nothing if there is no room. */
function barText(share: number, room: number): string {
  const cells = Math.min(longestBar, room - " 100 %".length);
  if (cells < shortestBar) return "";
  const full = Math.floor(share * cells);
  return `${"━".repeat(full)}${"╌".repeat(cells - full)} ${String(Math.floor(share * 100 + 1e-9)).padStart(3)} %`;
}

function amountText({ done, total, shown = grouped }: ProgressAmount): string {
  return total === null ? shown(done) : `${shown(done)} of ${shown(total)}`;
}

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
