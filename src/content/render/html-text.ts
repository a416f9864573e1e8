import type { Root, RootContent } from "hast";
import { toHtml } from "hast-util-to-html";
import { wellFormed } from "./well-formed.js";

/**
 * The HTML of a tree on one line. Line endings become character references, because in Markdown a blank line would
 * end the HTML. Braces do too, because some site generators run what stands between them.
 */
export function htmlText(children: readonly RootContent[]): string {
  const root: Root = { type: "root", children: [...children] };
  return wellFormed(toHtml(root))
    .replace(/\r\n?|\n/g, "&#10;")
    .replaceAll("{", "&#123;");
}
