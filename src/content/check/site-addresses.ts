import { hrefsIn } from "../render/link-syntax.js";

/** Addresses of links in a text that may be Markdown or HTML: `[text](/page)`, `[name]: /page`, `<a href="/page">`. */
export function addressesIn(text: string): string[] {
  const found: string[] = [];
  for (const pattern of patterns) for (const match of text.matchAll(pattern)) found.push(match[1] ?? "");
  if (text.includes("<a ") || text.includes("<A ")) for (const href of hrefsIn(text)) found.push(href);
  return [...new Set(found)];
}

const patterns = [/\]\(\s*<?([^)\s>]+)/g, /^[ >]*\[(?:[^\][\\]|\\[\s\S])+\]:\s*<?([^\s>]+)/gm];
