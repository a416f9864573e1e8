import { isPrinted, startScan } from "./text.js";
import { nextToken } from "./token.js";

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

/** Where a number may stand that a double prints in another way. It may also be inside a text. */
const maybeSpecial = /(?:^|[:,[])(?:-?(?:\d{1,15}[.eE]|\d{16})|-0(?=[,\]}]|$))/;

/**
 * Like `JSON.parse`, but a number that a double prints in another way becomes a {@link NumberText}.
 *
 * @param text Canonical JSON; see `canonicalJson`.
 * @throws SyntaxError when it is not JSON
 */
export function parseExact(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return maybeSpecial.test(text) ? withNumberTexts(text) : value;
}

/** Like `JSON.stringify`, but a {@link NumberText} is printed as it was spelled. */
export function printExact(value: unknown): string {
  const before = NumberText.asked;
  const text = JSON.stringify(value);
  return NumberText.asked === before ? text : (printed(value) ?? text);
}

/** The double of a {@link NumberText}; any other value as it is. */
export function plainNumber(value: unknown): unknown {
  return value instanceof NumberText ? value.valueOf() : value;
}

/** The JSON of a value; undefined for what JSON leaves out. */
function printed(value: unknown): string | undefined {
  if (value instanceof NumberText) return value.toString();
  if (Array.isArray(value)) return `[${value.map((item) => printed(item) ?? "null").join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).flatMap(([key, member]) => {
    const text = printed(member);
    return text === undefined ? [] : [`${JSON.stringify(key)}:${text}`];
  });
  return `{${members.join(",")}}`;
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
  let done: unknown;
  for (let token = nextToken(scan); token !== ""; token = nextToken(scan)) {
    const top = open.at(-1);
    if (token === "{" || token === "[") open.push({ value: token === "{" ? {} : [], key: undefined });
    else if (token === "}" || token === "]") done = addTo(open, open.pop()?.value);
    else if (token === "," || token === ":") continue;
    else if (top !== undefined && !Array.isArray(top.value) && top.key === undefined) top.key = JSON.parse(token);
    else done = addTo(open, scalarOf(token));
  }
  return done;
}

/** Adds a finished value to the object or array that holds it; returns the value. */
function addTo(open: readonly OpenValue[], value: unknown): unknown {
  const top = open.at(-1);
  if (Array.isArray(top?.value)) top.value.push(value);
  else if (top?.key !== undefined) {
    Object.defineProperty(top.value, top.key, { value, enumerable: true, configurable: true, writable: true });
    top.key = undefined;
  }
  return value;
}

function scalarOf(token: string): unknown {
  const isNumber = token.startsWith("-") || (token >= "0" && token < ":");
  return isNumber && !isPrinted(token) ? new NumberText(token) : JSON.parse(token);
}
