import { type ImageSize, imageSize } from "../../content/resolve/asset-fields.js";

interface Box {
  type: string;
  body: Buffer;
}

/** No program writes a box with more boxes in it. */
const maxBoxes = 4096;

/** The size of an AVIF or HEIC picture (ISO/IEC 23008-12): its primary item, rotated. */
export function heifSize(bytes: Buffer): ImageSize | "more" | undefined {
  const meta = topLevelBox(bytes, "meta");
  if (meta === undefined || meta === "more") return meta;
  const inMeta = boxes(meta.subarray(4));
  const properties = boxes(bodyOf(inMeta, "iprp"));
  const all = boxes(bodyOf(properties, "ipco"));
  const primary = primaryItem(bodyOf(inMeta, "pitm"));
  const own =
    primary === undefined ? [] : indexesOf(primary, bodyOf(properties, "ipma")).flatMap((at) => all[at - 1] ?? []);
  const extent = own.find(({ type }) => type === "ispe")?.body;
  if (extent === undefined || extent.length < 12) return undefined;
  const [width, height] = [extent.readUInt32BE(4), extent.readUInt32BE(8)];
  const isTurned = ((own.find(({ type }) => type === "irot")?.body[0] ?? 0) & 1) === 1;
  return isTurned ? imageSize(height, width) : imageSize(width, height);
}

/** The body of a top-level box; `more` if the file continues after these bytes. */
function topLevelBox(bytes: Buffer, wanted: string): Buffer | "more" | undefined {
  for (let at = 0, count = 0; count < maxBoxes; count += 1) {
    if (at + 16 > bytes.length) return "more";
    const { size, head } = lengthAt(bytes, at);
    if (size < head) return undefined;
    const type = bytes.toString("latin1", at + 4, at + 8);
    if (type === wanted) return at + size > bytes.length ? "more" : bytes.subarray(at + head, at + size);
    at += size;
  }
  return undefined;
}

/** The boxes in a box, in order; those before a damaged one. */
function boxes(bytes: Buffer): Box[] {
  const found: Box[] = [];
  for (let at = 0; at + 8 <= bytes.length && found.length < maxBoxes; ) {
    const { size, head } = lengthAt(bytes, at);
    if (size < head || at + size > bytes.length) break;
    found.push({ type: bytes.toString("latin1", at + 4, at + 8), body: bytes.subarray(at + head, at + size) });
    at += size;
  }
  return found;
}

/** The length of a box and its head; 0 up to the end of the file, which contains no size. */
function lengthAt(bytes: Buffer, at: number): { size: number; head: number } {
  const size = bytes.readUInt32BE(at);
  if (size !== 1) return { size, head: 8 };
  return { size: at + 16 > bytes.length ? 0 : Number(bytes.readBigUInt64BE(at + 8)), head: 16 };
}

function bodyOf(list: readonly Box[], wanted: string): Buffer {
  return list.find(({ type }) => type === wanted)?.body ?? Buffer.alloc(0);
}

function primaryItem(pitm: Buffer): number | undefined {
  const isLong = (pitm[0] ?? 0) > 0;
  if (pitm.length < (isLong ? 8 : 6)) return undefined;
  return isLong ? pitm.readUInt32BE(4) : pitm.readUInt16BE(4);
}

/** The positions, from 1, of an item's properties (section 9.3.1: `ItemPropertyAssociation`). */
function indexesOf(item: number, ipma: Buffer): number[] {
  if (ipma.length < 8) return [];
  const isLongId = ipma[0]! >= 1;
  const isLongIndex = (ipma[3]! & 1) === 1;
  const idBytes = isLongId ? 4 : 2;
  const indexBytes = isLongIndex ? 2 : 1;
  let at = 8;
  for (let left = ipma.readUInt32BE(4); left > 0 && at + idBytes + 1 <= ipma.length; left -= 1) {
    const id = ipma.readUIntBE(at, idBytes);
    const count = ipma[at + idBytes]!;
    const start = at + idBytes + 1;
    at = start + count * indexBytes;
    if (id !== item || at > ipma.length) continue;
    // The first bit says whether the property is essential.
    return Array.from({ length: count }, (_, index) => {
      return ipma.readUIntBE(start + index * indexBytes, indexBytes) & (isLongIndex ? 0x7fff : 0x7f);
    });
  }
  return [];
}
