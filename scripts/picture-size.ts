/** Width and height in pixels. */
export interface PictureSize {
  width: number;
  height: number;
}

/**
 * What the bytes of a PNG, GIF, JPEG, WebP or SVG say of their size; undefined for anything else. The checker of built
 * sites reads it by itself, so that a mistake of the code that it checks does not look right.
 */
export function pictureSize(bytes: Buffer): PictureSize | undefined {
  const begins = (text: string, at = 0) => bytes.subarray(at, at + text.length).toString("latin1") === text;
  if (begins("\x89PNG")) return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  if (begins("GIF8")) return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  if (begins("\xff\xd8")) return jpegSize(bytes);
  if (begins("RIFF") && begins("WEBP", 8)) return webpSize(bytes);
  return svgSize(bytes.toString("utf8"));
}

/** The first frame header (ITU T.81, B.2.2): all markers from C0 to CF but C4, C8 and CC. */
function jpegSize(bytes: Buffer): PictureSize | undefined {
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1] ?? 0;
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    }
  }
  return undefined;
}

/** RFC 9649, 2.5 to 2.7. */
function webpSize(bytes: Buffer): PictureSize {
  const chunk = bytes.subarray(12, 16).toString("latin1");
  if (chunk === "VP8X") return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (chunk === "VP8L") {
    const bits = bytes.readUInt32LE(21);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
}

function svgSize(text: string): PictureSize | undefined {
  const root = /<svg\b[^>]*>/.exec(text)?.[0];
  if (root === undefined) return undefined;
  const attribute = (name: string) => Number.parseFloat(new RegExp(`\\s${name}="([^"]*)"`).exec(root)?.[1] ?? "");
  const box =
    /\sviewBox="([^"]*)"/
      .exec(root)?.[1]
      ?.trim()
      .split(/[\s,]+/)
      .map(Number) ?? [];
  const [width, height] = [attribute("width") || box[2], attribute("height") || box[3]];
  return width !== undefined && height !== undefined ? { width, height } : undefined;
}
