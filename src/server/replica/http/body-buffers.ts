import { type BodyPiece, byteLength } from "../answers/answer.js";

/**
 * Bodies of this many bytes lie in buffers that are used again. Smaller ones are cheap to allocate, larger ones are
 * rare.
 */
const smallestBody = 8 * 1024;
const largestBody = 4 * 1024 * 1024;
/** Number of free buffers of one size that are kept. */
const keptOfSize = 8;

/**
 * Joins bodies in buffers that are used again, because a new one for every answer keeps the garbage collector busy.
 */
export interface BodyBuffers {
  /** Copies all pieces into one body. */
  join(pieces: readonly BodyPiece[]): Uint8Array<ArrayBuffer>;
  /** Gives back a body that {@link BodyBuffers.join} returned: it may be overwritten from now on. */
  release(body: Uint8Array): void;
}

export function createBodyBuffers(): BodyBuffers {
  const free = new Map<number, Buffer<ArrayBuffer>[]>();
  const owned = new WeakMap<Uint8Array, Buffer<ArrayBuffer>>();
  return {
    join(pieces) {
      const length = pieces.reduce((sum, piece) => sum + byteLength(piece), 0);
      if (length < smallestBody || length > largestBody) return copyInto(Buffer.allocUnsafe(length), pieces);
      const size = 2 ** Math.ceil(Math.log2(length));
      const buffer = free.get(size)?.pop() ?? Buffer.allocUnsafeSlow(size);
      const body = copyInto(buffer, pieces);
      owned.set(body, buffer);
      return body;
    },
    release(body) {
      const buffer = owned.get(body);
      if (buffer === undefined) return;
      owned.delete(body);
      const kept = free.get(buffer.byteLength) ?? [];
      free.set(buffer.byteLength, kept);
      if (kept.length < keptOfSize) kept.push(buffer);
    },
  };
}

function copyInto(buffer: Buffer<ArrayBuffer>, pieces: readonly BodyPiece[]): Uint8Array<ArrayBuffer> {
  let at = 0;
  for (const piece of pieces) {
    if (piece === ",") buffer[at++] = comma;
    else if (typeof piece === "string") at += buffer.write(piece, at);
    else {
      buffer.set(piece, at);
      at += piece.byteLength;
    }
  }
  return buffer.subarray(0, at);
}

/** Between any two records of a list: too short to be worth a call. */
const comma = 0x2c;
