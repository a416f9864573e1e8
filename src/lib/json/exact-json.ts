import { isPrinted, nextToken, startScan } from "./text.js";

/** JSON values whose numbers keep their text: a double prints `1.10` and `1e400` differently. */

/** A number that a double prints differently. A double for arithmetic and `JSON.stringify`. */
export class NumberText {
  /** Counts `toJSON` calls: {@link printExact} sees from it whether a value has any. */
  static asked = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }

  valueOf(): number {
    return Number(this.#text);
  }

  toJSON(): number {
    NumberText.asked += 1;
    return this.valueOf();
  }
}

/** With a {@link NumberText} for each number that a double prints differently. @param text canonical JSON */
export function parseExact(text: string): unknown {
  return withExactNumbers(JSON.parse(text), text);
}

/** {@link parseExact} for a text that `JSON.parse` has already parsed to `value`. */
export function withExactNumbers(value: unknown, text: string): unknown {
  return mayHoldNumberTexts(text) ? withNumberTexts(text) : value;
}

/** `JSON.stringify` that prints a {@link NumberText} as it was spelled. */
export function printExact(value: unknown): string {
  return printedExact(value).text;
}

/** The text of {@link printExact}, and whether the value has no {@link NumberText}. */
export function printedExact(value: unknown): { text: string; isPlain: boolean } {
  const before = NumberText.asked;
  const text = JSON.stringify(value);
  const isPlain = NumberText.asked === before;
  return { text: isPlain ? text : withMarkedNumbers(value, text), isPlain };
}

/** The double of a {@link NumberText}; other values unchanged. */
export function plainNumber(value: unknown): unknown {
  return value instanceof NumberText ? value.valueOf() : value;
}

/** Numbers that a double may print differently. May also match inside a string. */
const candidates = /(?:^|[:,[])(-?(?:\d+[.eE][\d.eE+-]*|\d{16,})|-0)(?=[,\]}]|$)/g;

function mayHoldNumberTexts(text: string): boolean {
  for (const [, literal = ""] of text.matchAll(candidates)) if (!isPrinted(literal)) return true;
  return false;
}

/** @param text `JSON.stringify` of the value: a mark that is not in it is not in the value. */
function withMarkedNumbers(value: unknown, text: string): string {
  let mark = "number ";
  while (text.includes(mark)) mark += "~";
  const marked = JSON.stringify(value, function (this: Record<string, unknown>, key, printed: unknown) {
    const own = this[key];
    return own instanceof NumberText ? `${mark}${own}` : printed;
  });
  return marked.replaceAll(new RegExp(`"${mark}([^"]+)"`, "g"), "$1");
}

interface OpenValue {
  value: unknown[] | Record<string, unknown>;
  key: string | undefined;
}

/** Parses valid JSON token by token, with its own stack for any depth. */
function withNumberTexts(text: string): unknown {
  const scan = startScan(text);
  const open: OpenValue[] = [];
  let top: OpenValue | undefined;
  let done: unknown;
  for (let token = nextToken(scan); token !== ""; token = nextToken(scan)) {
    if (token === "{" || token === "[") {
      top = { value: token === "{" ? {} : [], key: undefined };
      open.push(top);
    } else if (token === "}" || token === "]") {
      done = open.pop()?.value;
      top = open[open.length - 1];
      if (top !== undefined) addTo(top, done);
    } else if (token !== "," && token !== ":") {
      const isKey = top !== undefined && top.key === undefined && !Array.isArray(top.value);
      if (isKey && top !== undefined) top.key = textOf(token);
      else if (top === undefined) done = scalarOf(token);
      else addTo(top, scalarOf(token));
    }
  }
  return done;
}

function addTo(open: OpenValue, value: unknown): void {
  if (Array.isArray(open.value)) open.value.push(value);
  else if (open.key !== undefined) {
    if (open.key !== "__proto__") open.value[open.key] = value;
    else Object.defineProperty(open.value, open.key, { value, enumerable: true, configurable: true, writable: true });
    open.key = undefined;
  }
}

function scalarOf(token: string): unknown {
  if (token.startsWith('"')) return textOf(token);
  const isNumber = token.startsWith("-") || (token >= "0" && token < ":");
  return isNumber && !isPrinted(token) ? new NumberText(token) : JSON.parse(token);
}

function textOf(token: string): string {
  return token.includes("\\") ? JSON.parse(token) : token.slice(1, -1);
}
