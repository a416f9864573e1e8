import type { Root, RootContent } from "hast";
import { toHtml } from "hast-util-to-html";
import { wellFormed } from "./well-formed.js";

/**
 * HTML of a tree, on one line: line endings of texts become character references, so that the HTML is one block
 * wherever it is put into Markdown, which would end it at a blank line. Braces too: there are
 * generators that take them for a program.
 */
export function htmlText(children: readonly RootContent[]): string {
  const root: Root = { type: "root", children: [...children] };
  return wellFormed(toHtml(root))
    .replace(/\r\n?|\n/g, "&#10;")
    .replaceAll("{", "&#123;");
}
