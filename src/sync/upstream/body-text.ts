import { isAscii, isUtf8 } from "node:buffer";

/**
 * The text of a body that came in pieces.
 * @returns undefined where it is not UTF-8
 */
export function bodyText(pieces: readonly Uint8Array[]): string | undefined {
  const bytes = Buffer.concat(pieces);
  // Most texts are ASCII, which is a copy of bytes.
  if (isAscii(bytes)) return bytes.toString("latin1");
  return isUtf8(bytes) ? bytes.toString("utf8") : undefined;
}
