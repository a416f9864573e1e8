import type { Nodes, Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmStrikethroughFromMarkdown } from "mdast-util-gfm-strikethrough";
import { gfmTableFromMarkdown } from "mdast-util-gfm-table";
import { gfmStrikethrough } from "micromark-extension-gfm-strikethrough";
import { gfmTable } from "micromark-extension-gfm-table";

/** Markdown as a reader of CommonMark with GFM tables and strikethrough understands it. */
export function parsedMarkdown(text: string): Root {
  return fromMarkdown(text, {
    extensions: [gfmTable(), gfmStrikethrough()],
    mdastExtensions: [gfmTableFromMarkdown(), gfmStrikethroughFromMarkdown()],
  });
}

/** All text that a reader sees; with `html` also the text of HTML in the Markdown. */
export function visibleText(node: Nodes, options: { html?: boolean } = {}): string {
  if (node.type === "html") return options.html ? textOfHtml(node.value) : "";
  if ("value" in node) return node.value;
  return "children" in node ? node.children.map((child: Nodes) => visibleText(child, options)).join("") : "";
}

/** Enough of HTML for elements whose attributes hold no `>`. */
function textOfHtml(html: string): string {
  return html.replace(/<[^>]*>/g, "").replace(/&#(x?)([0-9a-f]+);/gi, (_, hex: string, digits: string) => {
    return String.fromCodePoint(Number.parseInt(digits, hex === "" ? 10 : 16));
  });
}

/** The types of all nodes below a node, in document order. */
export function nodeTypes(node: Nodes): string[] {
  return "children" in node ? node.children.flatMap((child: Nodes) => [child.type, ...nodeTypes(child)]) : [];
}
