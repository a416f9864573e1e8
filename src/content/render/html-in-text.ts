import type { JsonObject } from "../resolve/content-shape.js";
import { blockElements, embeddingElements, emptyElements, isLineElement, openEndedElements } from "./html-elements.js";
import { type HtmlDocument, htmlToRichText } from "./html-to-rich-text.js";
import { type HtmlToken, htmlTokens } from "./html-tokens.js";

/** What a field is for: plain text, Markdown, or the source of HTML. */
export type TextPlace = "text" | "markdown" | "html";

/**
 * A text that is HTML as a whole, as rich text without scripts: it begins with an element that makes a block, closed or
 * not, or every tag is known as harmless and has its other half. In a field for HTML any tag is enough.
 */
export function htmlDocument(text: string, place: TextPlace): HtmlDocument | undefined {
  const html = place !== "markdown" || isAllHtml(text) ? readHtml(text) : undefined;
  if (html === undefined) return undefined;
  const { tokens, hasBlock, isBalanced } = html;
  if (place !== "html" && !beginsWithBlock(tokens) && !(isBalanced && hasBlock)) return undefined;
  return htmlToRichText(tokens, hasBlock ? "space" : "break");
}

/** A line of plain text with elements such as `<em>` and `<br>`, as nodes of rich text; undefined for any other text. */
export function inlineHtml(text: string): JsonObject[] | undefined {
  const html = readHtml(text);
  if (html === undefined || html.hasBlock || !html.isBalanced) return undefined;
  const lines = htmlToRichText(html.tokens, "break")?.content ?? [];
  return lines.length === 1 ? (lines[0]?.content as JsonObject[]) : undefined;
}

export function withoutInlineHtml(text: string): string {
  const nodes = inlineHtml(text);
  return nodes === undefined ? text : nodes.map((node) => (node.type === "text" ? node.text : " ")).join("");
}

/** True if a text in a field of Markdown holds no Markdown beside its HTML: paragraphs of it begin with a tag. */
function isAllHtml(text: string): boolean {
  return /^\s*</.test(text) && />\s*$/.test(text) && !/\n[ \t\r]*\n[ \t]*[^\s<]/.test(text);
}

function beginsWithBlock(tokens: readonly HtmlToken[]): boolean {
  const first = tokens.find((token) => token.kind !== "comment" && (token.kind !== "text" || token.text.trim() !== ""));
  return first?.kind === "open" && blockElements.has(first.name);
}

/** `isBalanced`: each tag is known as harmless and has its other half, and at least one tag is no image. */
function readHtml(text: string) {
  const tokens = /<[a-z]/i.test(text) ? htmlTokens(text.trim()) : undefined;
  if (tokens === undefined) return undefined;
  const open = new Map<string, number>();
  let [hasBlock, isHarmless, formats] = [false, true, false];
  for (const token of tokens) {
    if (token.kind === "text" || token.kind === "comment") continue;
    const { kind, name } = token;
    const isBlock = blockElements.has(name) || embeddingElements.has(name);
    if (isBlock) hasBlock = true;
    if (!isBlock && !isLineElement(name)) isHarmless = false;
    if (kind === "close" || name === "br") formats = true;
    if (emptyElements.has(name)) continue;
    const count = (open.get(name) ?? 0) + (kind === "open" ? 1 : -1);
    if (count < 0) isHarmless = false;
    open.set(name, count);
  }
  const isClosed = [...open].every(([name, count]) => count === 0 || openEndedElements.has(name));
  return { tokens, hasBlock, isBalanced: isHarmless && formats && isClosed };
}
