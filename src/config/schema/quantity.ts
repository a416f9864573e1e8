/** Of each unit of time. */
export const milliseconds = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const bytes = { B: 1, KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3 };

type Units = Readonly<Record<string, number>>;

/** Parses `500ms`, `2s`, `1.5h`, `7d` or a plain number. Returns milliseconds; undefined for anything else. */
export function parseDuration(input: unknown): number | undefined {
  return parseQuantity(input, milliseconds);
}

/** Like {@link parseDuration}, but requires a unit, for the command line: `90m` → 5,400,000. */
export function parseDurationWithUnit(text: string): number | undefined {
  return /\d\s*$/.test(text) ? undefined : parseDuration(text);
}

/** Parses `512KB`, `50 MB` or a plain number. Returns bytes (1 KB = 1024 bytes); undefined for anything else. */
export function parseSize(input: unknown): number | undefined {
  return parseQuantity(input, bytes);
}

/** `20%` or `0.2` → 0.2. Undefined unless it is between 0 and 1. */
export function parseShare(input: unknown): number | undefined {
  const match = /^(\d+(?:\.\d+)?|\.\d+)\s*(%?)$/.exec(String(input).trim());
  if (match === null) return undefined;
  const share = Number(match[1]) / (match[2] === "%" ? 100 : 1);
  return share <= 1 ? share : undefined;
}

/** Writes milliseconds with a unit: 5,400,000 → `90m`. */
export function durationText(value: number): string {
  return quantityText(value, milliseconds);
}

export function sizeText(value: number): string {
  return quantityText(value, bytes);
}

function parseQuantity(input: unknown, units: Units): number | undefined {
  if (typeof input !== "number" && typeof input !== "string") return undefined;
  const match = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/.exec(String(input).trim().toLowerCase());
  if (match === null) return undefined;
  const [, count, name] = match;
  const factor = name === "" ? 1 : Object.entries(units).find(([unit]) => unit.toLowerCase() === name)?.[1];
  const quantity = Math.round(Number(count) * (factor ?? Number.NaN));
  return Number.isSafeInteger(quantity) ? quantity : undefined;
}

/** Uses the largest unit that needs no fraction. */
function quantityText(value: number, units: Units): string {
  const whole = Object.entries(units).filter(([, factor]) => value >= factor && value % factor === 0);
  const [name, factor] = whole.at(-1) ?? ["", 1];
  return `${value / factor}${name}`;
}
