import {
  backslash,
  closeBrace,
  closeBracket,
  colon,
  comma,
  missing,
  openBrace,
  openBracket,
  quote,
} from "./characters.js";

/**
 * Walks over records that the caller knows, undecoded: the array elements or map values under `key`, the only
 * member.
 * @param skip where the known record at `at` ends, or `missing`
 * @returns false for anything else, even white space
 */
export function skipRecords(body: Uint8Array, key: string, skip: (at: number) => number): boolean {
  const head = Buffer.from(`{${JSON.stringify(key)}:`);
  if (head.compare(body.subarray(0, head.length)) !== 0) return false;
  let at = head.length;
  const isMap = body[at] === openBrace;
  if (!isMap && body[at] !== openBracket) return false;
  const end = isMap ? closeBrace : closeBracket;
  do {
    at = isMap ? skipName(body, at + 1) : at + 1;
    if (at !== missing) at = skip(at);
    if (at === missing) return false;
  } while (body[at] === comma);
  return body[at] === end && body[at + 1] === closeBrace && body.length === at + 2;
}

/** After an unescaped ASCII name and its colon; `missing` for any other name. */
function skipName(body: Uint8Array, at: number): number {
  if (body[at] !== quote) return missing;
  for (let position = at + 1; position < body.length; position++) {
    const byte = body[position]!;
    if (byte === quote) return body[position + 1] === colon ? position + 2 : missing;
    if (byte < 0x20 || byte > 0x7e || byte === backslash) return missing;
  }
  return missing;
}
