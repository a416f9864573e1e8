/** A body that is larger is put together in memory of its own. */
const keptBytes = 4 * 1024 * 1024;

/**
 * Puts the pieces of bodies together, one body after the other, in memory that is used again: fetching it anew from the system
 * takes longer than the copy.
 */
export class PieceJoiner {
  #kept = Buffer.alloc(0);

  /** All bytes of a body, which are good until the next one is joined. */
  join(pieces: readonly Uint8Array[]): Buffer {
    const length = byteLengthOf(pieces);
    if (length > keptBytes) return Buffer.concat(pieces, length);
    if (length > this.#kept.length) this.#kept = Buffer.allocUnsafeSlow(Math.min(keptBytes, Math.ceil(length * 1.5)));
    let at = 0;
    for (const piece of pieces) {
      this.#kept.set(piece, at);
      at += piece.length;
    }
    return this.#kept.subarray(0, length);
  }
}

/** How many bytes a body has that came in pieces. */
export function byteLengthOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}
