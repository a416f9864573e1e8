import { extensionOf } from "./asset-name.js";

const unknownType = "application/octet-stream";

const signatures: readonly { type: string; bytes: string }[] = [
  { type: "image/png", bytes: "\x89PNG\r\n\x1a\n" },
  { type: "image/jpeg", bytes: "\xff\xd8\xff" },
  { type: "image/gif", bytes: "GIF87a" },
  { type: "image/gif", bytes: "GIF89a" },
  { type: "image/tiff", bytes: "II*\0" },
  { type: "image/tiff", bytes: "MM\0*" },
  { type: "image/x-icon", bytes: "\0\0\x01\0" },
  { type: "application/pdf", bytes: "%PDF-" },
  { type: "audio/mpeg", bytes: "ID3" },
  { type: "audio/ogg", bytes: "OggS" },
  { type: "audio/flac", bytes: "fLaC" },
  { type: "video/webm", bytes: "\x1aE\xdf\xa3" },
  { type: "font/woff", bytes: "wOFF" },
  { type: "font/woff2", bytes: "wOF2" },
  { type: "application/gzip", bytes: "\x1f\x8b" },
  { type: "application/zip", bytes: "PK\x03\x04" },
  { type: "application/zip", bytes: "PK\x05\x06" },
];

/** Media types by extension, if the bytes do not identify one, or only its container. */
const byExtension = new Map(
  Object.entries({
    png: "image/png",
    jpg: "image/jpeg",
    jpeg: "image/jpeg",
    gif: "image/gif",
    webp: "image/webp",
    avif: "image/avif",
    heic: "image/heic",
    tif: "image/tiff",
    tiff: "image/tiff",
    ico: "image/x-icon",
    svg: "image/svg+xml",
    pdf: "application/pdf",
    mp4: "video/mp4",
    m4v: "video/mp4",
    mov: "video/quicktime",
    webm: "video/webm",
    mkv: "video/x-matroska",
    m4a: "audio/mp4",
    mp3: "audio/mpeg",
    ogg: "audio/ogg",
    oga: "audio/ogg",
    ogv: "video/ogg",
    wav: "audio/wav",
    flac: "audio/flac",
    woff: "font/woff",
    woff2: "font/woff2",
    ttf: "font/ttf",
    otf: "font/otf",
    zip: "application/zip",
    gz: "application/gzip",
    docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    epub: "application/epub+zip",
    doc: "application/msword",
    xls: "application/vnd.ms-excel",
    ppt: "application/vnd.ms-powerpoint",
    txt: "text/plain",
    csv: "text/csv",
    md: "text/markdown",
    css: "text/css",
    html: "text/html",
    htm: "text/html",
    js: "text/javascript",
    json: "application/json",
    xml: "application/xml",
    vtt: "text/vtt",
    ics: "text/calendar",
  }),
);

/** Containers whose extension may be more precise than their bytes. */
const refinements = new Map([
  ["application/zip", ["application/vnd.openxmlformats-", "application/epub+zip"]],
  ["video/webm", ["video/x-matroska"]],
  ["audio/ogg", ["video/ogg"]],
]);

/** By first bytes, extension, `Content-Type`. `mrmime` lacks ten extensions; `file-type` knows no SVG or web page. */
export function mediaType(bytes: Uint8Array, name: string, contentType?: string): string {
  const fromName = byExtension.get(extensionOf(name));
  const sniffed = sniff(bytes);
  if (sniffed !== undefined) {
    const finer = refinements.get(sniffed)?.some((start) => fromName?.startsWith(start) === true);
    return finer === true && fromName !== undefined ? fromName : sniffed;
  }
  return fromName ?? essence(contentType) ?? unknownType;
}

/** True if a web page (an error, a login form) came although the name promises, say, an image. */
export function isPageInstead(name: string, type: string): boolean {
  const promised = byExtension.get(extensionOf(name));
  return type === "text/html" && promised !== undefined && !/^text\/|json$|\/xml$/.test(promised);
}

function sniff(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 1024)).toString("latin1");
  if (head.startsWith("ftyp", 4)) return isoMediaType(head.slice(8, 12));
  if (head.startsWith("RIFF") && head.startsWith("WEBP", 8)) return "image/webp";
  if (head.startsWith("RIFF") && head.startsWith("WAVE", 8)) return "audio/wav";
  const match = signatures.find((signature) => head.startsWith(signature.bytes));
  return match?.type ?? markupType(head);
}

/** ISO base media files (MP4 and its kin) name their kind in the major brand. */
function isoMediaType(brand: string): string {
  if (brand === "avif" || brand === "avis") return "image/avif";
  if (brand === "heic" || brand === "heix" || brand === "mif1" || brand === "msf1") return "image/heic";
  if (brand === "qt  ") return "video/quicktime";
  return brand.startsWith("M4A") ? "audio/mp4" : "video/mp4";
}

function markupType(head: string): string | undefined {
  const text = head.replace(/^\xef\xbb\xbf/, "").trimStart();
  if (!text.startsWith("<")) return undefined;
  const lower = text.toLowerCase();
  if (/^<(?:!doctype html|html|head|body)[\s>]/.test(lower)) return "text/html";
  const declared = lower.startsWith("<?xml") || lower.startsWith("<!--") || lower.startsWith("<!doctype svg");
  if (lower.startsWith("<svg") || (declared && lower.includes("<svg"))) return "image/svg+xml";
  return undefined;
}

/** `type/subtype` of a Content-Type, in lower case; undefined if it is malformed. */
function essence(contentType: string | undefined): string | undefined {
  const type = contentType?.split(";", 1)[0]?.trim().toLowerCase();
  return type !== undefined && /^[a-z0-9!#$&^_.+-]{1,64}\/[a-z0-9!#$&^_.+-]{1,64}$/.test(type) ? type : undefined;
}
