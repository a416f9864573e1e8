import { decodeNamedCharacterReference } from "decode-named-character-reference";

/** A piece of HTML: a text with its references decoded, a tag, or a comment. Names are in lower case. */
export type HtmlToken =
  | { kind: "text"; text: string }
  | { kind: "open"; name: string; attributes: ReadonlyMap<string, string>; isSelfClosed: boolean }
  | { kind: "close"; name: string }
  | { kind: "comment" };

/** Elements in which there are no tags: what stands in them goes up to their closing tag, and is no text. */
const rawElements = /^(?:script|style|textarea|title|iframe|noembed|noframes|noscript|template|svg|math|xmp)$/;

/** In one pass. Undefined if a tag or a comment never ends. Raw elements, such as a script, have no text. */
export function htmlTokens(html: string): HtmlToken[] | undefined {
  const tokens: HtmlToken[] = [];
  const isWhole = eachHtmlToken(html, { raw: rawElements }, (token) => tokens.push(token));
  return isWhole ? tokens : undefined;
}

export interface TokenChoice {
  raw: RegExp;
  /** Elements whose attributes are read; default: all. */
  heeded?: RegExp;
}

/**
 * The same one by one, so that no list of them is in memory. @param visit also gets what stands in a raw element
 * @returns false if a tag or a comment never ends
 */
export function eachHtmlToken(
  html: string,
  { raw, heeded }: TokenChoice,
  visit: (token: HtmlToken, inside?: string) => unknown,
): boolean {
  let at = 0;
  for (;;) {
    const start = nextMarkup(html, at);
    if (start > at) visit({ kind: "text", text: decoded(html.slice(at, start)) });
    if (start === html.length) return true;
    const piece = markupAt(html, start, heeded);
    if (piece === undefined) return false;
    const { token } = piece;
    visit(token);
    at = piece.end;
    if (token.kind !== "open" || !raw.test(token.name)) continue;
    const { index, end } = endOfRaw(html, at, token.name);
    visit({ kind: "close", name: token.name }, html.slice(at, index));
    at = end;
  }
}

/** The position of the next `<` that begins a tag, a comment or a declaration; the length of the text without one. */
function nextMarkup(html: string, from: number): number {
  let at = html.indexOf("<", from);
  while (at !== -1 && !/[a-z/!?]/i.test(html.charAt(at + 1))) at = html.indexOf("<", at + 1);
  return at === -1 ? html.length : at;
}

function markupAt(html: string, start: number, heeded?: RegExp): { token: HtmlToken; end: number } | undefined {
  const comment = html.startsWith("<!--", start);
  if (comment || /[!?]/.test(html.charAt(start + 1))) {
    const close = comment ? "-->" : ">";
    const end = html.indexOf(close, start + 2);
    return end === -1 ? undefined : { token: { kind: "comment" }, end: end + close.length };
  }
  const isClosing = html.charAt(start + 1) === "/";
  const nameEndsAt = endOfName(html, start + (isClosing ? 2 : 1));
  const name = html.slice(start + (isClosing ? 2 : 1), nameEndsAt).toLowerCase();
  const isSkipped = heeded !== undefined && (isClosing || !heeded.test(name));
  const plainEnd = isSkipped ? endOfPlainTag(html, nameEndsAt) : undefined;
  const { attributes, end } =
    plainEnd === undefined ? readAttributes(html, nameEndsAt) : { attributes: noAttributes, end: plainEnd };
  if (end === undefined) return undefined;
  if (isClosing) return { token: { kind: "close", name }, end };
  return { token: { kind: "open", name, attributes, isSelfClosed: html.charAt(end - 2) === "/" }, end };
}

// Each use sets `lastIndex` first: a new expression for each tag would take as long as the reading.
const nameEnd = /[\s/>]|$/g;
const attribute = /[\s/]*([^\s/>=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?/y;
const tagEnd = /[\s/=]*>/y;
const strayEquals = /[\s/=]+/y;
const noAttributes: ReadonlyMap<string, string> = new Map();

/** Behind a tag without a `>` in its attributes; undefined if there may be one. */
function endOfPlainTag(html: string, from: number): number | undefined {
  let quotes = 0;
  for (let at = from; at < html.length; at += 1) {
    const code = html.charCodeAt(at);
    if (code === 0x3e) return quotes % 2 === 0 ? at + 1 : undefined;
    if (code === 0x22) quotes += 1;
    if (code === 0x27) return undefined;
  }
  return undefined;
}

function endOfName(html: string, from: number): number {
  let at = from;
  while (isPlainLetter(html.charCodeAt(at))) at += 1;
  if (html.charCodeAt(at) === 0x3e) return at;
  nameEnd.lastIndex = at;
  return nameEnd.exec(html)?.index ?? html.length;
}

function isPlainLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a);
}

interface Attributes {
  attributes: ReadonlyMap<string, string>;
  /** Behind the tag; undefined if it never ends. */
  end: number | undefined;
}

function readAttributes(html: string, from: number): Attributes {
  if (html.charAt(from) === ">") return { attributes: noAttributes, end: from + 1 };
  const attributes = new Map<string, string>();
  let at = from;
  for (;;) {
    tagEnd.lastIndex = at;
    if (tagEnd.test(html)) return { attributes, end: tagEnd.lastIndex };
    attribute.lastIndex = at;
    const match = attribute.exec(html);
    if (match === null) {
      // A stray `=`; at the end of the text there is nothing more to read.
      strayEquals.lastIndex = at;
      if (!strayEquals.test(html)) return { attributes, end: undefined };
      at = strayEquals.lastIndex;
      continue;
    }
    at = attribute.lastIndex;
    const [, name = "", double, single, bare] = match;
    const key = name.toLowerCase();
    if (!attributes.has(key)) attributes.set(key, decoded(double ?? single ?? bare ?? ""));
  }
}

/** Where the closing tag of a raw element begins and ends; the end of the text without one. */
function endOfRaw(html: string, from: number, name: string): { index: number; end: number } {
  const closing = new RegExp(`</${name}(?![\\w-])[^<>]*>`, "gi");
  closing.lastIndex = from;
  const index = closing.exec(html)?.index ?? html.length;
  return { index, end: Math.max(index, closing.lastIndex) };
}

/** The text with its character references decoded. */
export function decoded(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|([a-z][a-z\d]{1,40}));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return decodeNamedCharacterReference(name as string) || whole;
    const code = Number.parseInt((hex ?? decimal) as string, hex === undefined ? 10 : 16);
    return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : "\ufffd";
  });
}
