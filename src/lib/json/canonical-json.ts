// Node 20 has String.prototype.isWellFormed; the ES2023 library of the compiler does not know it.
/// <reference lib="es2024.string" />
import { type JsonScan, nextToken, skipSpace, skipValue, startScan } from "./text.js";

/**
 * The canonical text of one JSON value: what `JSON.stringify(JSON.parse(text))` gives, except that every number keeps
 * its text (`1.10`, `1e400`, `12345678901234567890`), keys keep their order even when they look like array positions,
 * and a repeated key keeps its last value at its first place. Canonical texts are equal exactly when the values are,
 * with the same spelling of numbers and the keys in the same order.
 *
 * @throws SyntaxError when the text is not JSON.
 */
export function canonicalJson(text: string): string {
  const value: unknown = JSON.parse(text);
  const scan = startScan(text);
  skipSpace(scan);
  skipValue(scan);
  skipSpace(scan);
  return canonicalText(scan, text, value);
}

/**
 * The canonical text of a value that was scanned and parsed: the text itself where it is canonical already.
 *
 * @param scan has moved over the text; its flags were true before it.
 */
export function canonicalText(scan: JsonScan, text: string, value: unknown): string {
  // JSON.stringify escapes lone surrogates.
  if (scan.canonical && text.isWellFormed()) return text;
  return (scan.plain ? printed(value) : undefined) ?? rewritten(text);
}

/** The value as JSON; undefined when it is nested too deeply for JSON.stringify, which uses the call stack. */
function printed(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** An open object or array: the canonical texts of its members so far. */
interface OpenValue {
  members: Map<string, string> | undefined;
  items: string[];
  key: string;
}

/**
 * The canonical text of a valid JSON text, token by token. Keeps its own stack, so that nesting may be of any depth.
 */
function rewritten(text: string): string {
  const scan = startScan(text);
  const open: OpenValue[] = [];
  let done = "";
  for (let token = nextToken(scan); token !== ""; token = nextToken(scan)) {
    const top = open.at(-1);
    if (token === "{" || token === "[") {
      open.push({ members: token === "{" ? new Map() : undefined, items: [], key: "" });
    } else if (token === "}" || token === "]") {
      done = addTo(open, closed(open.pop()));
    } else if (token === ",") {
      if (top !== undefined) top.key = "";
    } else if (token !== ":") {
      const scalar = canonicalScalar(token);
      if (top?.members !== undefined && top.key === "") top.key = scalar;
      else done = addTo(open, scalar);
    }
  }
  return done;
}

/** Adds a finished text to the object or array that holds it; returns the text. */
function addTo(open: readonly OpenValue[], text: string): string {
  const top = open.at(-1);
  if (top?.members === undefined) top?.items.push(text);
  else top.members.set(top.key, text);
  return text;
}

/** Adds texts to one another, which does not copy them: joined, the inner ones would be copied at each level. */
function closed(value: OpenValue | undefined): string {
  let text = "";
  if (value?.members === undefined) {
    for (const item of value?.items ?? []) text += text === "" ? item : `,${item}`;
    return `[${text}]`;
  }
  for (const [key, member] of value.members) text += `${text === "" ? "" : ","}${key}:${member}`;
  return `{${text}}`;
}

function canonicalScalar(token: string): string {
  return token.startsWith('"') ? JSON.stringify(JSON.parse(token)) : token;
}
