/**
 * The text of a file that a person wrote: UTF-8, or UTF-16 as some editors and shells of Windows write it. The byte order
 * mark is left out. Without one, UTF-16 is known by the zero that every second byte of a Latin letter is.
 *
 * @param fatal whether bytes that are not UTF-8 are an error; else they become U+FFFD
 * @throws TypeError with `code` ERR_ENCODING_INVALID_ENCODED_DATA
 */
export function decodeText(bytes: Uint8Array, { fatal }: { fatal: boolean }): string {
  return new TextDecoder(encodingOf(bytes), { fatal }).decode(bytes);
}

function encodingOf([first, second]: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" {
  if ((first === 0xff && second === 0xfe) || (isLetter(first) && second === 0)) return "utf-16le";
  if ((first === 0xfe && second === 0xff) || (first === 0 && isLetter(second))) return "utf-16be";
  return "utf-8";
}

function isLetter(byte: number | undefined): boolean {
  return byte !== undefined && byte > 0 && byte < 0x80;
}
