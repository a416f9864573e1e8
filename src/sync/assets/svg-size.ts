import { type ImageSize, imageSize } from "../../content/resolve/asset-fields.js";

/** CSS pixels of a unit (CSS Values and Units 4, section 6.2). */
const pixels: Readonly<Record<string, number>> = {
  "": 1,
  px: 1,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
  pt: 96 / 72,
  pc: 16,
};

/** By `width` and `height` of its root, or its `viewBox`; expands nothing. @param bytes in a coding with ASCII */
export function svgSize(bytes: Buffer): ImageSize | "more" | undefined {
  const text = bytes.toString("latin1");
  const tag = rootTag(text);
  if (tag === undefined || tag === "more") return tag;
  const attributes = attributesOf(tag);
  const [, , boxWidth = 0, boxHeight = 0] = (attributes.get("viewBox") ?? "")
    .trim()
    .split(/[\s,]+/, 4)
    .map(Number);
  const ratio = boxWidth > 0 && boxHeight > 0 ? boxWidth / boxHeight : undefined;
  const width = lengthOf(attributes.get("width"));
  const height = lengthOf(attributes.get("height"));
  if (width !== undefined && height !== undefined) return rounded(width, height);
  if (ratio === undefined) return undefined;
  if (width !== undefined) return rounded(width, width / ratio);
  return height === undefined ? rounded(boxWidth, boxHeight) : rounded(height * ratio, height);
}

/** The root's start tag without its angle brackets; undefined if the root is not `svg`. */
function rootTag(text: string): string | "more" | undefined {
  let at = 0;
  for (;;) {
    const start = text.indexOf("<", at);
    if (start === -1) return "more";
    if (text.startsWith("<!--", start)) at = after(text, "-->", start + 4);
    else if (text.startsWith("<?", start)) at = after(text, "?>", start + 2);
    else if (text.startsWith("<!", start)) at = afterDeclaration(text, start + 2);
    else break;
    if (at === -1) return "more";
  }
  const start = text.indexOf("<", at);
  const end = afterDeclaration(text, start + 1);
  if (end === -1) return "more";
  const tag = text.slice(start + 1, end - 1);
  return /^(?:[\w-]+:)?svg(?=[\s/]|$)/.test(tag) ? tag : undefined;
}

function after(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  return found === -1 ? -1 : found + mark.length;
}

/** The position after the `>` that ends a tag or declaration, outside quotes and `[…]`. */
function afterDeclaration(text: string, from: number): number {
  const marks = /["'[\]>]/g;
  marks.lastIndex = from;
  let depth = 0;
  for (let match = marks.exec(text); match !== null; match = marks.exec(text)) {
    const [mark] = match;
    if (mark === "[") depth += 1;
    else if (mark === "]") depth -= 1;
    else if (mark === ">") {
      if (depth <= 0) return match.index + 1;
    } else {
      const close = text.indexOf(mark, match.index + 1);
      if (close === -1) return -1;
      marks.lastIndex = close + 1;
    }
  }
  return -1;
}

/** Attributes are matched one by one, so that text in a value never counts as one. */
const attribute = /"[^"]*"|'[^']*'|([^\s=/"']+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'))?/g;

function attributesOf(tag: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, name, double, single] of tag.matchAll(attribute)) {
    const value = double ?? single;
    if (name !== undefined && value !== undefined && !found.has(name)) found.set(name, value);
  }
  return found;
}

/** A length in CSS pixels; undefined for a relative one (`100%`, `2em`) or a malformed one. */
function lengthOf(text: string | undefined): number | undefined {
  const [, number, unit = ""] = /^\s*\+?(\d{1,9}(?:\.\d{0,20})?|\.\d{1,20})([a-z]*)\s*$/i.exec(text ?? "") ?? [];
  const factor = Object.hasOwn(pixels, unit.toLowerCase()) ? pixels[unit.toLowerCase()] : undefined;
  return number === undefined || factor === undefined ? undefined : Number(number) * factor;
}

function rounded(width: number, height: number): ImageSize | undefined {
  return imageSize(Math.round(width), Math.round(height));
}
