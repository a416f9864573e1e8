/** The bytes of a view with the methods of a Buffer; nothing is copied. What a thread is sent arrives as plain bytes. */
export function bufferOver({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
