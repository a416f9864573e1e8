// Node 20 has String.prototype.isWellFormed; the ES2023 library of the compiler does not know it.
/// <reference lib="es2024.string" />
import { type JsonScan, nextToken, skipSpace, skipValue, startScan } from "./text.js";

/**
 * The canonical text of a JSON value: `JSON.stringify(JSON.parse(text))`, except that numbers keep
 * their text (`1.10`, `1e400`), keys keep their order even if they look like indexes, and a
 * repeated key keeps its last value at its first place.
 * @throws SyntaxError
 */
export function canonicalJson(text: string): string {
  const value: unknown = JSON.parse(text);
  const scan = startScan(text);
  skipSpace(scan);
  skipValue(scan);
  skipSpace(scan);
  return canonicalText(scan, text, value);
}

/** The text itself if already canonical. @param scan over the text; began with all flags true */
export function canonicalText(scan: JsonScan, text: string, value: unknown): string {
  // JSON.stringify escapes lone surrogates.
  if (scan.canonical && text.isWellFormed()) return text;
  return (scan.plain ? printed(value) : undefined) ?? rewritten(text);
}

/** Undefined if the value is nested too deeply for JSON.stringify, which uses the call stack. */
function printed(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** An open object or array: its members' canonical texts so far. */
interface OpenValue {
  members: Map<string, string> | undefined;
  items: string[];
  key: string;
}

/** Rewrites valid JSON token by token, with its own stack for any depth. */
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
      const scalar = token.startsWith('"') ? JSON.stringify(JSON.parse(token)) : token;
      if (top?.members !== undefined && top.key === "") top.key = scalar;
      else done = addTo(open, scalar);
    }
  }
  return done;
}

function addTo(open: readonly OpenValue[], text: string): string {
  const top = open.at(-1);
  if (top?.members === undefined) top?.items.push(text);
  else top.members.set(top.key, text);
  return text;
}

/** Concatenates, which does not copy; `join` would copy inner texts at every level. */
function closed(value: OpenValue | undefined): string {
  let text = "";
  if (value?.members === undefined) {
    for (const item of value?.items ?? []) text += text === "" ? item : `,${item}`;
    return `[${text}]`;
  }
  for (const [key, member] of value.members) text += `${text === "" ? "" : ","}${key}:${member}`;
  return `{${text}}`;
}
