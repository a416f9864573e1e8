const pieceBytes = 65_536;

/** `end` is exclusive. */
export interface ByteRange {
  start: number;
  end: number;
}

/** A range of bytes in memory, in pieces; default: all. */
export async function* piecesOf(
  bytes: Uint8Array,
  { start, end }: ByteRange = { start: 0, end: bytes.length },
): AsyncGenerator<Uint8Array> {
  yield* piecesIn(bytes, start, end);
}

/** A range of streamed bytes; default: all. */
export async function* rangeOf(
  pieces: AsyncIterable<Uint8Array>,
  { start, end }: ByteRange = { start: 0, end: Number.POSITIVE_INFINITY },
): AsyncGenerator<Uint8Array> {
  let at = 0;
  if (end <= start) return;
  for await (const piece of pieces) {
    yield* piecesIn(piece, Math.max(0, start - at), Math.max(0, end - at));
    at += piece.length;
    if (at >= end) return;
  }
}

function* piecesIn(bytes: Uint8Array, start: number, end: number): Generator<Uint8Array> {
  for (let at = start; at < Math.min(end, bytes.length); at += pieceBytes) {
    yield bytes.subarray(at, Math.min(at + pieceBytes, end));
  }
}
