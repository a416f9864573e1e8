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
 * Walks over the records of an answer without decoding it, as far as each of them is one that the caller knows: the
 * elements of the array, or the values of the map, under `key`, which is the only member of the answer.
 *
 * @param body the answer as UTF-8
 * @param skip where the known record ends that begins at a place; `missing` where none does
 * @returns whether the whole answer was walked over; false where anything else is in it, white space included
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

/** Behind a plain name (characters of ASCII, none of them escaped) and its colon; `missing` where there is another one. */
function skipName(body: Uint8Array, at: number): number {
  if (body[at] !== quote) return missing;
  for (let position = at + 1; position < body.length; position++) {
    const byte = body[position]!;
    if (byte === quote) return body[position + 1] === colon ? position + 2 : missing;
    if (byte < 0x20 || byte > 0x7e || byte === backslash) return missing;
  }
  return missing;
}
