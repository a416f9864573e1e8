import type { Canvas } from "./canvas.js";

const colours = 128;
const clear = 0x80;
const end = 0x81;
/** After this many literal codes a decoder widens its codes to 9 bits. A clear code before that keeps each of them a byte. */
const literals = 126;

/**
 * Pictures of one size and palette (at most 128 colours) as an endless animation, each shown for `delay` hundredths of a
 * second. The pixels are written as they are, without compression.
 */
export function encodeGif(frames: readonly Canvas[], delay: number): Uint8Array {
  const first = frames[0];
  if (first === undefined) throw new RangeError("an animation needs a picture");
  const palette = Buffer.alloc(colours * 3);
  palette.set(first.palette.flat());
  return Buffer.concat([
    Buffer.from("GIF89a", "latin1"),
    Buffer.from([...word(first.width), ...word(first.height), 0xf6, 0, 0]),
    palette,
    Buffer.from("\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00", "latin1"),
    ...frames.flatMap((frame) => [
      Buffer.from([0x21, 0xf9, 4, 0, ...word(delay), 0, 0]),
      Buffer.from([0x2c, 0, 0, 0, 0, ...word(frame.width), ...word(frame.height), 0, 7]),
      blocks(codes(frame.pixels)),
    ]),
    Buffer.from([0x3b]),
  ]);
}

function word(value: number): [number, number] {
  return [value & 0xff, value >> 8];
}

function codes(pixels: Uint8Array): Uint8Array {
  const out: number[] = [];
  for (let index = 0; index < pixels.length; index++) {
    if (index % literals === 0) out.push(clear);
    out.push(pixels[index] ?? 0);
  }
  out.push(end);
  return Uint8Array.from(out);
}

/** Sub-blocks of at most 255 bytes, ended by an empty one. */
function blocks(data: Uint8Array): Buffer {
  const parts: Uint8Array[] = [];
  for (let start = 0; start < data.length; start += 255) {
    const part = data.subarray(start, start + 255);
    parts.push(Uint8Array.of(part.length), part);
  }
  return Buffer.concat([...parts, Uint8Array.of(0)]);
}
