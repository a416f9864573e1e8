import type { Canvas } from "./canvas.js";

/** Number of codes of each length 1 to 16 in the standard table for DC differences, and the categories they stand for. */
const dcLengths = [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0];
const dcSymbols = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
const quantum = 4;

/**
 * The picture as JPEG, each pixel as a tile of 8 × 8: a mosaic eight times as wide and high as the canvas. Tiles are
 * flat, so only the DC coefficient of each block is written and the whole encoder fits on a page.
 */
export function encodeJpegMosaic(canvas: Canvas): Uint8Array {
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, [...Buffer.from("JFIF\0", "latin1"), 1, 1, 0, 0, 1, 0, 1, 0, 0]),
    segment(0xdb, [0, ...new Array<number>(64).fill(quantum)]),
    segment(0xc0, [8, ...word(canvas.height * 8), ...word(canvas.width * 8), 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0]),
    segment(0xc4, [0x00, ...dcLengths, ...dcSymbols]),
    // One AC code, `0`: end of block.
    segment(0xc4, [0x10, 1, ...new Array<number>(15).fill(0), 0]),
    segment(0xda, [3, 1, 0, 2, 0, 3, 0, 0, 63, 0]),
    scan(canvas),
    Buffer.from([0xff, 0xd9]),
  ]);
}

function segment(marker: number, data: number[]): Buffer {
  return Buffer.from([0xff, marker, ...word(data.length + 2), ...data]);
}

function word(value: number): [number, number] {
  return [value >> 8, value & 0xff];
}

function scan(canvas: Canvas): Buffer {
  const codes = dcCodes();
  const bits = new BitWriter();
  const before = [0, 0, 0];
  for (const pixel of canvas.pixels) {
    const levels = yCbCr(canvas.palette[pixel] ?? [0, 0, 0]);
    levels.forEach((level, component) => {
      // The DC coefficient of a flat tile is eight times its level, of which `quantum` is one step.
      const coefficient = Math.round(((level - 128) * 8) / quantum);
      const difference = coefficient - (before[component] ?? 0);
      before[component] = coefficient;
      const size = difference === 0 ? 0 : Math.floor(Math.log2(Math.abs(difference))) + 1;
      const [code, length] = codes[size] ?? [0, 0];
      bits.write(code, length);
      bits.write(difference < 0 ? difference + (1 << size) - 1 : difference, size);
      bits.write(0, 1);
    });
  }
  return bits.end();
}

function yCbCr([r, g, b]: [number, number, number]): [number, number, number] {
  return [
    0.299 * r + 0.587 * g + 0.114 * b,
    128 - 0.168736 * r - 0.331264 * g + 0.5 * b,
    128 + 0.5 * r - 0.418688 * g - 0.081312 * b,
  ];
}

/** The canonical code and its length for each category. */
function dcCodes(): [number, number][] {
  const codes: [number, number][] = [];
  let code = 0;
  for (const [index, count] of dcLengths.entries()) {
    for (let n = 0; n < count; n++) codes.push([code++, index + 1]);
    code <<= 1;
  }
  return codes;
}

/** Bits, most significant first. JPEG demands a zero byte after each 0xff. */
class BitWriter {
  #bytes: number[] = [];
  #pending = 0;
  #count = 0;

  write(value: number, length: number): void {
    for (let bit = length - 1; bit >= 0; bit--) {
      this.#pending = (this.#pending << 1) | ((value >> bit) & 1);
      if (++this.#count < 8) continue;
      this.#bytes.push(this.#pending);
      if (this.#pending === 0xff) this.#bytes.push(0);
      this.#pending = 0;
      this.#count = 0;
    }
  }

  end(): Buffer {
    while (this.#count !== 0) this.write(1, 1);
    return Buffer.from(this.#bytes);
  }
}
