const pieceBytes = 65_536;

/** `end` is exclusive. */
export interface ByteRange {
  start: number;
  end: number;
}

/** A range of bytes in memory, in pieces; default: all. */
export function piecesOf(bytes: Uint8Array, range?: ByteRange): AsyncGenerator<Uint8Array> {
  return rangeOf([bytes], range);
}

/** A range of streamed bytes; default: all. */
export async function* rangeOf(
  pieces: AsyncIterable<Uint8Array> | readonly Uint8Array[],
  { start, end }: ByteRange = { start: 0, end: Number.POSITIVE_INFINITY },
): AsyncGenerator<Uint8Array> {
  let at = 0;
  if (end <= start) return;
  for await (const piece of pieces) {
    const until = Math.min(piece.length, end - at);
    for (let from = Math.max(0, start - at); from < until; from += pieceBytes) {
      yield piece.subarray(from, Math.min(from + pieceBytes, until));
    }
    at += piece.length;
    if (at >= end) return;
  }
}
