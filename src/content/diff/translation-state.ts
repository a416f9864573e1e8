import { encodePath, findPath, skipValue } from "../../lib/json/bytes.js";

/** How a story of the default language is in another one; `same`: with the content of the default language. */
export type TranslationState = "translated" | "missing" | "same";

const content = encodePath(["content"]);
/** What follows a member of an object: `,` or `}`. */
const [comma, brace] = [0x2c, 0x7d];

/** Compares two records of a story by their bytes. Pure. @param other in the other language; undefined: not there */
export function translationState(own: Uint8Array, other: Uint8Array | undefined): TranslationState {
  if (other === undefined) return "missing";
  const [start, at] = [findPath(own, 0, content), findPath(other, 0, content)];
  if (start < 0 || at < 0) return start === at ? "same" : "translated";
  const json = own.subarray(start, skipValue(own, start));
  // Cheaper than to look for the other's end. A longer number begins with the same digits.
  const end = at + json.length;
  const isEnd = other[end] === comma || other[end] === brace;
  return isEnd && Buffer.compare(other.subarray(at, end), json) === 0 ? "same" : "translated";
}
