import { isPrinted, nextToken, startScan } from "./text.js";

/*
 * JSON values whose numbers keep their text. `1.10`, `1e400` and `12345678901234567890` are not what a double prints;
 * {@link parseExact} makes a {@link NumberText} of such a number, and {@link printExact} prints that text again.
 */

/** A number that a double does not print as it was spelled. In arithmetic, and to `JSON.stringify`, it is the double. */
export class NumberText {
  /** How many were asked for their JSON so far. It only grows, and tells {@link printExact} whether a value holds any. */
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

/**
 * Like `JSON.parse`, but a number that a double prints in another way becomes a {@link NumberText}.
 *
 * @param text Canonical JSON; see `canonicalJson`.
 * @throws SyntaxError when it is not JSON
 */
export function parseExact(text: string): unknown {
  return withExactNumbers(JSON.parse(text), text);
}

/** What {@link parseExact} makes of a text that `JSON.parse` has made this value of. */
export function withExactNumbers(value: unknown, text: string): unknown {
  return mayHoldNumberTexts(text) ? withNumberTexts(text) : value;
}

/** Like `JSON.stringify`, but a {@link NumberText} is printed as it was spelled. */
export function printExact(value: unknown): string {
  return printedExact(value).text;
}

/** What {@link printExact} prints, and whether there is no {@link NumberText} in the value. */
export function printedExact(value: unknown): { text: string; isPlain: boolean } {
  const before = NumberText.asked;
  const text = JSON.stringify(value);
  const isPlain = NumberText.asked === before;
  return { text: isPlain ? text : withMarkedNumbers(value, text), isPlain };
}

/** The double of a {@link NumberText}; any other value as it is. */
export function plainNumber(value: unknown): unknown {
  return value instanceof NumberText ? value.valueOf() : value;
}

/** Numbers that a double may print in another way. One may also be found inside a text. */
const candidates = /(?:^|[:,[])(-?(?:\d+[.eE][\d.eE+-]*|\d{16,})|-0)(?=[,\]}]|$)/g;

function mayHoldNumberTexts(text: string): boolean {
  for (const [, literal = ""] of text.matchAll(candidates)) if (!isPrinted(literal)) return true;
  return false;
}

/** @param text What `JSON.stringify` prints of the value: a mark that is not in it is nowhere in the value. */
function withMarkedNumbers(value: unknown, text: string): string {
  let mark = "number ";
  while (text.includes(mark)) mark += "~";
  const marked = JSON.stringify(value, function (this: Record<string, unknown>, key, printed: unknown) {
    const own = this[key];
    return own instanceof NumberText ? `${mark}${own}` : printed;
  });
  return marked.replaceAll(new RegExp(`"${mark}([^"]+)"`, "g"), "$1");
}

/** An object or array that is not closed yet. */
interface OpenValue {
  value: unknown[] | Record<string, unknown>;
  key: string | undefined;
}

/** The value of a valid JSON text, token by token. Keeps its own stack, so that nesting may be of any depth. */
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
