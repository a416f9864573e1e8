import { isAscii, isUtf8 } from "node:buffer";
import { bufferOver } from "../buffer-over.js";

/** A body that is larger is put together in memory of its own. */
const keptBytes = 4 * 1024 * 1024;

/** Where bodies are put together, one after the other: memory that is used again is not fetched anew from the system. */
let together = Buffer.alloc(0);

/**
 * The text of a body that came in pieces.
 * @returns undefined where it is not UTF-8
 */
export function bodyText(pieces: readonly Uint8Array[]): string | undefined {
  const bytes = bytesOf(pieces);
  // Most texts are ASCII, which is a copy of bytes.
  if (isAscii(bytes)) return bytes.toString("latin1");
  return isUtf8(bytes) ? bytes.toString("utf8") : undefined;
}

/** How many bytes a body has that came in pieces. */
export function byteLengthOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

/** The pieces as one; good until the next call. */
function bytesOf(pieces: readonly Uint8Array[]): Buffer {
  const [only] = pieces;
  if (pieces.length === 1 && only !== undefined) return bufferOver(only);
  const length = byteLengthOf(pieces);
  if (length > keptBytes) return Buffer.concat(pieces, length);
  if (length > together.length) together = Buffer.allocUnsafeSlow(Math.min(keptBytes, length * 2));
  let at = 0;
  for (const piece of pieces) {
    together.set(piece, at);
    at += piece.length;
  }
  return together.subarray(0, length);
}
