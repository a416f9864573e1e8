import { type ImageSize, imageSize } from "../../content/resolve/asset-fields.js";

/** The size of a JPEG's frame (ITU-T T.81, section B.2.2), rotated as its EXIF data says. */
export function jpegSize(bytes: Buffer): ImageSize | "more" | undefined {
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
