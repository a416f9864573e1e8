const milliseconds = new Map([
  ["", 1],
  ["ms", 1],
  ["s", 1000],
  ["m", 60_000],
  ["h", 3_600_000],
  ["d", 86_400_000],
]);
const bytes = new Map([
  ["", 1],
  ["b", 1],
  ["kb", 1024],
  ["mb", 1024 ** 2],
  ["gb", 1024 ** 3],
]);

/** `500ms`, `2s`, `1.5h`, `7d`, or a plain number of milliseconds → milliseconds; undefined for anything else. */
export function parseDuration(input: unknown): number | undefined {
  return parseQuantity(input, milliseconds);
}

/** `512KB`, `50 MB`, or a plain number of bytes → bytes, with 1 KB = 1024 bytes; undefined for anything else. */
export function parseSize(input: unknown): number | undefined {
  return parseQuantity(input, bytes);
}

/** `20%` or `0.2` → 0.2; undefined for anything that is not between 0 and 1. */
export function parseShare(input: unknown): number | undefined {
  const match = /^(\d+(?:\.\d+)?|\.\d+)\s*(%?)$/.exec(String(input).trim());
  if (match === null) return undefined;
  const share = Number(match[1]) / (match[2] === "%" ? 100 : 1);
  return share <= 1 ? share : undefined;
}

function parseQuantity(input: unknown, units: ReadonlyMap<string, number>): number | undefined {
  if (typeof input !== "number" && typeof input !== "string") return undefined;
  const match = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/.exec(String(input).trim().toLowerCase());
  const unit = units.get(match?.[2] ?? "");
  if (match === null || unit === undefined) return undefined;
  const quantity = Math.round(Number(match[1]) * unit);
  return Number.isSafeInteger(quantity) ? quantity : undefined;
}
