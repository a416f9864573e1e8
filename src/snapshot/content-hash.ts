import { createHash } from "node:crypto";

/** Hexadecimal SHA-256 of bytes, or of the UTF-8 bytes of a text. */
export function contentHash(content: Uint8Array | string): string {
  return createHash("sha256").update(content).digest("hex");
}
