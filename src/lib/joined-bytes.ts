/** The UTF-8 bytes of many texts, one after the other, without a text of all of them. */
export function joinedBytes(texts: Iterable<string>): Buffer {
  const pieces: Buffer[] = [];
  let open = "";
  for (const text of texts) {
    open += text;
    if (open.length < 1 << 16) continue;
    pieces.push(Buffer.from(open));
    open = "";
  }
  return Buffer.concat([...pieces, Buffer.from(open)]);
}
