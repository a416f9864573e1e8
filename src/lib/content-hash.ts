import * as crypto from "node:crypto";

/** Hexadecimal SHA-256 of bytes, or of the UTF-8 bytes of a text. */
export function contentHash(content: Uint8Array | string): string {
  return crypto.hash("sha256", content, "hex");
}

/** {@link contentHash} on another thread. Do not change the bytes before it resolves. */
export async function hashBeside(bytes: Uint8Array): Promise<string> {
  return Buffer.from(await crypto.webcrypto.subtle.digest("SHA-256", bytes)).toString("hex");
}

export async function hashOfPieces(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const whole = crypto.createHash("sha256");
  for await (const piece of pieces) whole.update(piece);
  return whole.digest("hex");
}
