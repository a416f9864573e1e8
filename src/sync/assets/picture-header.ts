import { type ImageSize, imageSize, sizeInAddress } from "../../content/resolve/asset-fields.js";
import { bufferOver } from "../../lib/buffer-over.js";
import { costLimits } from "../../lib/cost-limits.js";
import type { AssetRecord } from "../../snapshot/manifest.js";
import type { Store } from "../../snapshot/store/store.js";
import { heifSize } from "./heif-size.js";
import { svgSize } from "./svg-size.js";

/** What the first bytes of a picture say about its size; `more` if they end too early to know. */
export type HeaderAnswer = ImageSize | "more" | undefined;

const headers = new Map<string, (bytes: Buffer) => HeaderAnswer>([
  ["image/png", pngSize],
  ["image/jpeg", jpegSize],
  ["image/gif", gifSize],
  ["image/webp", webpSize],
  ["image/avif", heifSize],
  ["image/heic", heifSize],
  ["image/svg+xml", svgSize],
]);

/**
 * As a browser shows it; undefined if the header is damaged or impossible. No input makes it throw or loop. The
 * package `image-size` 2.1.0 is not safe: it reads beyond its input and does not rotate an AVIF.
 */
export function pictureSize(type: string, bytes: Uint8Array): HeaderAnswer {
  return headers.get(type)?.(bufferOver(bytes));
}

/** PNG, section 11.2.1: the header is the first chunk. */
function pngSize(bytes: Buffer): HeaderAnswer {
  if (bytes.length < 24) return "more";
  if (bytes.toString("latin1", 12, 16) !== "IHDR") return undefined;
  return imageSize(bytes.readUInt32BE(16), bytes.readUInt32BE(20));
}

/** GIF89a, section 18: the logical screen. */
function gifSize(bytes: Buffer): HeaderAnswer {
  if (bytes.length < 10) return "more";
  return imageSize(bytes.readUInt16LE(6), bytes.readUInt16LE(8));
}

/** RFC 9649: the first chunk is `VP8 ` (section 2.5), `VP8L` (2.6) or `VP8X` (2.7). */
function webpSize(bytes: Buffer): HeaderAnswer {
  if (bytes.length < 30) return "more";
  const chunk = bytes.toString("latin1", 12, 16);
  if (chunk === "VP8X") return imageSize(bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1);
  if (chunk === "VP8L" && bytes[20] === 0x2f) {
    const bits = bytes.readUInt32LE(21);
    return imageSize((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
  }
  const hasStart = bytes[23] === 0x9d && bytes[24] === 0x01 && bytes[25] === 0x2a;
  if (chunk !== "VP8 " || !hasStart) return undefined;
  return imageSize(bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff);
}

/** The size of a JPEG's frame (ITU-T T.81, section B.2.2), rotated as its EXIF data says. */
function jpegSize(bytes: Buffer): HeaderAnswer {
  let isOnItsSide = false;
  // Each segment states its length, which is at least two: the position always grows.
  for (let at = 2; ; ) {
    while (bytes[at] === 0xff && bytes[at + 1] === 0xff) at += 1;
    if (at + 4 > bytes.length) return "more";
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1]!;
    if (hasNoLength(marker)) {
      at += 2;
      continue;
    }
    const length = bytes.readUInt16BE(at + 2);
    // Pixels begin before a frame was seen, or the segment is shorter than its own length.
    if (marker === 0xda || marker === 0xd9 || length < 2) return undefined;
    const end = at + 2 + length;
    if (isFrame(marker)) {
      if (at + 9 > bytes.length) return "more";
      const [height, width] = [bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7)];
      return isOnItsSide ? imageSize(height, width) : imageSize(width, height);
    }
    if (end > bytes.length) return "more";
    if (marker === 0xe1) isOnItsSide ||= orientationOf(bytes.subarray(at + 4, end)) >= 5;
    at = end;
  }
}

/** TEM, RSTn: markers without a segment. */
function hasNoLength(marker: number): boolean {
  return marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
}

/** SOF0 to SOF15, except DHT, JPG and DAC, which have numbers in between. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

const orientationTag = 0x0112;

/** The EXIF orientation, 1 to 8 (Exif 2.3, section 4.6.4); 1 if there is none. */
function orientationOf(data: Buffer): number {
  if (data.length < 14 || data.toString("latin1", 0, 6) !== "Exif\0\0") return 1;
  const tiff = data.subarray(6);
  const order = tiff.toString("latin1", 0, 2);
  if (order !== "II" && order !== "MM") return 1;
  const isLittle = order === "II";
  const short = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  if (directory + 2 > tiff.length) return 1;
  const count = short(directory);
  for (let index = 0; index < count; index += 1) {
    const entry = directory + 2 + index * 12;
    if (entry + 12 > tiff.length) return 1;
    if (short(entry) !== orientationTag) continue;
    const orientation = short(entry + 8);
    return orientation <= 8 ? orientation : 1;
  }
  return 1;
}

/** True if an asset's size must be read from its bytes: neither address nor record has it. */
export function lacksSize({ url, hash, type, width }: AssetRecord): boolean {
  return hash !== null && width === undefined && headers.has(type) && sizeInAddress(url) === undefined;
}

/** If its first `costLimits.imageHeaderBytes` have it. @throws OffprintError `OUTPUT_UNUSABLE` */
export async function storedSize(
  store: Pick<Store, "read">,
  file: string,
  type: string,
): Promise<ImageSize | undefined> {
  const stored = await store.read(file);
  if (stored === undefined) return undefined;
  let head = Buffer.alloc(0);
  for await (const piece of stored.pieces({ start: 0, end: Math.min(stored.size, costLimits.imageHeaderBytes) })) {
    head = Buffer.concat([head, piece]);
    const found = pictureSize(type, head);
    if (found !== "more") return found;
  }
  return undefined;
}
