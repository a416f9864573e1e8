import { inMap } from "../collections/in-map.js";
import { backslash, comma, missing, openBrace, quote } from "./characters.js";
import { skipValue, startScan } from "./text.js";

/** The text of a top-level member of a canonical line; a copy, which keeps no line in memory. */
export function memberText(line: string, name: string): string | undefined {
  const literal = literalOf(line, name);
  return literal === undefined || literal === "null" ? undefined : JSON.parse(literal);
}

/** Whether the member of such a line has this text. */
export function isMemberText(line: string, name: string, text: string): boolean {
  return memberTextOrNull(line, name) === text;
}

/** {@link memberText}, but null for null; the text may share memory with the line. */
export function memberTextOrNull(line: string, name: string): string | null | undefined {
  const literal = literalOf(line, name);
  if (literal === undefined || literal === "null") return literal === "null" ? null : undefined;
  return literal.includes("\\") ? JSON.parse(literal) : literal.slice(1, -1);
}

/** The JSON of a member's value, if it is a text or null. */
function literalOf(line: string, name: string): string | undefined {
  const at = findMember(line, name);
  if (line.charCodeAt(at) === quote) return line.slice(at, stringEnd(line, at));
  return at !== missing && line.startsWith("null", at) ? "null" : undefined;
}

/**
 * The offset of a top-level member's value, or `missing`. Quotes inside strings are escaped, so
 * `,"name":` is a member: of the top level if no brace precedes it, or only the last one follows.
 */
function findMember(line: string, name: string): number {
  if (line.charCodeAt(0) !== openBrace) return missing;
  const { key, member } = spellingOf(name);
  if (line.startsWith(key, 1)) return 1 + key.length;
  const first = line.indexOf(member);
  if (first < 0) return missing;
  const brace = line.indexOf("{", 1);
  if (brace < 0 || brace > first) return first + member.length;
  const last = line.lastIndexOf(member);
  if (line.indexOf("}", last) === line.length - 1) return last + member.length;
  return walkToMember(line, key);
}

/** How a member begins: `"uuid":` as the first one, `,"uuid":` as any other. */
interface Spelling {
  key: string;
  member: string;
}

/** Cached: few names, each looked up in every record. */
const spellings = new Map<string, Spelling>();

function spellingOf(name: string): Spelling {
  return inMap(spellings, name, () => {
    const key = `${JSON.stringify(name)}:`;
    return { key, member: `,${key}` };
  });
}

function walkToMember(line: string, key: string): number {
  const scan = startScan(line, 1);
  while (line.charCodeAt(scan.at) === quote) {
    if (line.startsWith(key, scan.at)) return scan.at + key.length;
    skipValue(scan);
    scan.at += 1; // the colon
    skipValue(scan);
    if (line.charCodeAt(scan.at) !== comma) return missing;
    scan.at += 1;
  }
  return missing;
}

/** After the closing quote of the string at `at`. */
function stringEnd(line: string, at: number): number {
  const end = line.indexOf('"', at + 1);
  if (line.charCodeAt(end - 1) !== backslash) return end + 1;
  const scan = startScan(line, at);
  skipValue(scan);
  return scan.at;
}
