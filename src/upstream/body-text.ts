import { isAscii, isUtf8 } from "node:buffer";
import { PieceJoiner } from "./piece-joiner.js";

const joiner = new PieceJoiner();

/**
 * The text of a body that came in pieces.
 * @returns undefined where it is not UTF-8
 */
export function bodyText(pieces: readonly Uint8Array[]): string | undefined {
  const bytes = joiner.join(pieces);
  // Most texts are ASCII, which is a copy of bytes.
  if (isAscii(bytes)) return bytes.toString("latin1");
  return isUtf8(bytes) ? bytes.toString("utf8") : undefined;
}
