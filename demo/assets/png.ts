import { crc32, deflateSync } from "node:zlib";
import type { Canvas } from "./canvas.js";

/** The picture as PNG (8-bit palette, no filter). */
export function encodePng(canvas: Canvas): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(canvas.width, 0);
  header.writeUInt32BE(canvas.height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const rows = Buffer.alloc((canvas.width + 1) * canvas.height);
  for (let y = 0; y < canvas.height; y++) {
    rows.set(canvas.pixels.subarray(y * canvas.width, (y + 1) * canvas.width), y * (canvas.width + 1) + 1);
  }
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("PLTE", Buffer.from(canvas.palette.flat())),
    chunk("IDAT", deflateSync(rows, { level: 6 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}
