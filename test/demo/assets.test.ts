import { inflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { type Canvas, gradient, paint } from "../../demo/assets/canvas.js";
import { encodeGif } from "../../demo/assets/gif.js";
import { encodeJpegMosaic } from "../../demo/assets/jpeg.js";
import { encodePdf } from "../../demo/assets/pdf.js";
import { encodePng } from "../../demo/assets/png.js";
import { demoSpace } from "../../demo/demo-space.js";

const canvas = paint(40, 24, gradient(60, [250, 10, 20], [0, 200, 90], [20, 30, 240]), (x, y) => (x * 7 + y * 13) % 60);

describe("pictures drawn by code", () => {
  test("a PNG has the painted pixels", () => {
    const png = Buffer.from(encodePng(canvas));
    const chunks = new Map<string, Buffer>();
    for (let at = 8; at < png.length; at += png.readUInt32BE(at) + 12) {
      chunks.set(png.toString("latin1", at + 4, at + 8), png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
    }
    const rows = inflateSync(chunks.get("IDAT") ?? Buffer.alloc(0));
    const pixels = Array.from({ length: 24 }, (_, y) => [...rows.subarray(y * 41 + 1, (y + 1) * 41)]).flat();
    expect(pixels).toEqual([...canvas.pixels]);
    expect([...(chunks.get("PLTE") ?? [])]).toEqual(canvas.palette.flat());
  });

  test("a GIF has the pixels of each frame", () => {
    const other = paint(40, 24, canvas.palette, (x) => x);
    const gif = Buffer.from(encodeGif([canvas, other], 10));
    expect(gif.toString("latin1", 0, 6)).toBe("GIF89a");
    expect([gif.readUInt16LE(6), gif.readUInt16LE(8)]).toEqual([40, 24]);
    expect(gifFrames(gif)).toEqual([[...canvas.pixels], [...other.pixels]]);
  });

  test("a JPEG has one flat tile per pixel, in nearly its colour", () => {
    const tiles = jpegTiles(Buffer.from(encodeJpegMosaic(canvas)));
    expect(tiles).toHaveLength(canvas.pixels.length);
    for (const [index, tile] of tiles.entries()) {
      const colour = canvas.palette[canvas.pixels[index] ?? 0] ?? [0, 0, 0];
      tile.forEach((value, channel) => {
        expect(Math.abs(value - (colour[channel] ?? 0))).toBeLessThan(4);
      });
    }
  });

  test("the table of a PDF lists where each object begins", () => {
    const pdf = Buffer.from(encodePdf("A (title)", [[{ text: "Line \\ one", x: 1, y: 2, size: 3 }], []])).toString(
      "latin1",
    );
    const table = Number(/startxref\n(\d+)/.exec(pdf)?.[1]);
    expect(pdf.slice(table, table + 4)).toBe("xref");
    const starts = [...pdf.slice(table).matchAll(/^(\d{10}) 00000 n /gm)].map(([, start]) => Number(start));
    expect(starts.length).toBe(9);
    starts.forEach((start, index) => {
      expect(pdf.slice(start)).toMatch(new RegExp(`^${index + 1} 0 obj`));
    });
    expect(pdf).toContain("(A \\(title\\))");
  });

  test("the library has small files of all five kinds, each with the size in its address", () => {
    const { assets } = demoSpace();
    expect(new Set(assets.map(({ type }) => type)).size).toBe(5);
    for (const asset of assets) {
      const bytes = Buffer.from(asset.bytes());
      expect(bytes.length).toBeLessThan(64_000);
      const told = /\/(\d+)x(\d+)\//.exec(asset.path)?.slice(1).map(Number);
      if (asset.type === "image/png") expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual(told);
      if (asset.type === "image/gif") expect([bytes.readUInt16LE(6), bytes.readUInt16LE(8)]).toEqual(told);
      if (asset.type === "image/jpeg") {
        const frame = bytes.indexOf(Buffer.from([0xff, 0xc0]));
        expect([bytes.readUInt16BE(frame + 7), bytes.readUInt16BE(frame + 5)]).toEqual(told);
      }
    }
  });
});

/** Decodes the LZW data of every frame, widening the codes as a real decoder does. */
function gifFrames(gif: Buffer): number[][] {
  const frames: number[][] = [];
  let at = 13 + 3 * 128;
  while (gif[at] !== 0x3b) {
    if (gif[at] === 0x21) {
      for (at += 2; gif[at] !== 0; ) at += (gif[at] ?? 0) + 1;
      at += 1;
      continue;
    }
    const minimum = gif[at + 10] ?? 0;
    const data: number[] = [];
    for (at += 11; gif[at] !== 0; at += (gif[at] ?? 0) + 1) data.push(...gif.subarray(at + 1, at + 1 + (gif[at] ?? 0)));
    at += 1;
    frames.push(lzw(data, minimum));
  }
  return frames;
}

function lzw(data: readonly number[], minimum: number): number[] {
  const clear = 1 << minimum;
  const out: number[] = [];
  let table: number[][] = [];
  let width = minimum + 1;
  let before: number[] | undefined;
  for (let bit = 0; bit + width <= data.length * 8; ) {
    let code = 0;
    for (let n = 0; n < width; n++, bit++) code |= (((data[bit >> 3] ?? 0) >> (bit & 7)) & 1) << n;
    if (code === clear + 1) break;
    if (code === clear) {
      table = Array.from({ length: clear + 2 }, (_, value) => [value]);
      width = minimum + 1;
      before = undefined;
      continue;
    }
    const entry = table[code] ?? [...(before ?? []), before?.[0] ?? 0];
    out.push(...entry);
    if (before !== undefined) table.push([...before, entry[0] ?? 0]);
    if (table.length === 1 << width) width += 1;
    before = entry;
  }
  return out;
}

/** Decodes a JPEG of flat blocks with the tables in the file. Returns red, green, blue of each tile. */
function jpegTiles(jpeg: Buffer): number[][] {
  let quantum = 0;
  const codes = new Map<string, number>();
  let at = 2;
  while (jpeg[at + 1] !== 0xda) {
    const length = jpeg.readUInt16BE(at + 2);
    if (jpeg[at + 1] === 0xdb) quantum = jpeg[at + 5] ?? 0;
    if (jpeg[at + 1] === 0xc4 && jpeg[at + 4] === 0) {
      let code = 0;
      let symbol = at + 21;
      for (let bits = 1; bits <= 16; bits++, code <<= 1) {
        for (let n = 0; n < (jpeg[at + 4 + bits] ?? 0); n++)
          codes.set((code++).toString(2).padStart(bits, "0"), jpeg[symbol++] ?? 0);
      }
    }
    at += length + 2;
  }
  const scan = jpeg
    .subarray(at + 2 + jpeg.readUInt16BE(at + 2), jpeg.length - 2)
    .toString("hex")
    .replace(/(..)/g, "$1 ")
    .replaceAll("ff 00", "ff");
  const bits = scan
    .trim()
    .split(" ")
    .map((byte) => Number.parseInt(byte, 16).toString(2).padStart(8, "0"))
    .join("");
  return readTiles(bits, codes, quantum);
}

function readTiles(bits: string, codes: ReadonlyMap<string, number>, quantum: number): number[][] {
  const tiles: number[][] = [];
  const levels = [0, 0, 0];
  let at = 0;
  const levelOf = (component: number) => {
    let length = 1;
    while (length < 16 && !codes.has(bits.slice(at, at + length))) length += 1;
    const size = codes.get(bits.slice(at, at + length));
    if (size === undefined) return false;
    const text = bits.slice(at + length, at + length + size);
    const value = size === 0 ? 0 : Number.parseInt(text, 2);
    levels[component] = (levels[component] ?? 0) + (text.startsWith("0") ? value - 2 ** size + 1 : value);
    at += length + size + 1;
    return at <= bits.length;
  };
  while (bits.length - at >= 8 && levelOf(0) && levelOf(1) && levelOf(2)) {
    const [y = 0, cb = 0, cr = 0] = levels.map((level) => (level * quantum) / 8);
    tiles.push([y + 128 + 1.402 * cr, y + 128 - 0.344136 * cb - 0.714136 * cr, y + 128 + 1.772 * cb]);
  }
  return tiles;
}

test("a picture has at most as many colours as its palette", () => {
  const wild: Canvas = paint(4, 4, gradient(3, [0, 0, 0], [255, 255, 255]), (x, y) => x * 100 - y * 100);
  expect(Math.max(...wild.pixels)).toBe(2);
  expect(Math.min(...wild.pixels)).toBe(0);
});
