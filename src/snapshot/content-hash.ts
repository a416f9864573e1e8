import { createHash } from "node:crypto";

/** Hexadecimal SHA-256 of bytes, or of the UTF-8 bytes of a text. */
export function contentHash(content: Uint8Array | string): string {
  return createHash("sha256").update(content).digest("hex");
}

/** Hexadecimal SHA-256 of bytes that come in pieces. */
export async function hashOfPieces(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of pieces) hash.update(piece);
  return hash.digest("hex");
}
