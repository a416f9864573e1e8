/** A Buffer over the same bytes, without a copy. Threads receive plain Uint8Arrays. */
export function bufferOver({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
