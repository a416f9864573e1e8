import type { Nodes } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmTableFromMarkdown } from "mdast-util-gfm-table";
import { gfmTable } from "micromark-extension-gfm-table";
import { headingAnchor } from "./heading-anchor.js";

/** What a Markdown page links, what can be linked in it, and the text of its paragraphs. */
export interface MarkdownPage {
  /** Addresses of links and images, with the line of each, from 1. */
  links: { url: string; line: number }[];
  anchors: Set<string>;
  paragraphs: { text: string; line: number }[];
}

export function readMarkdown(page: string): MarkdownPage {
  const found: MarkdownPage = { links: [], anchors: new Set(), paragraphs: [] };
  const tree = fromMarkdown(page, { extensions: [gfmTable()], mdastExtensions: [gfmTableFromMarkdown()] });
  visit(tree, (node) => {
    const line = node.position?.start.line ?? 0;
    if (node.type === "link" || node.type === "image" || node.type === "definition")
      found.links.push({ url: node.url, line });
    if (node.type === "paragraph") found.paragraphs.push({ text: textOf(node), line });
    if (node.type === "heading") found.anchors.add(freeAnchor(headingAnchor(textOf(node)), found.anchors));
    if (node.type !== "html") return;
    for (const [, id = ""] of node.value.matchAll(/\bid="([^"]+)"/g)) found.anchors.add(id);
    for (const [, url = ""] of node.value.matchAll(/\b(?:src|href)="([^"]+)"/g)) found.links.push({ url, line });
  });
  return found;
}

/** Of equal headings the second gets `-1`. */
function freeAnchor(anchor: string, taken: ReadonlySet<string>): string {
  let free = anchor;
  for (let nth = 1; taken.has(free); nth++) free = `${anchor}-${nth}`;
  return free;
}

function visit(node: Nodes, look: (node: Nodes) => void): void {
  look(node);
  if ("children" in node) for (const child of node.children) visit(child, look);
}

function textOf(node: Nodes): string {
  if ("value" in node) return node.type === "html" ? "" : node.value;
  return "children" in node ? node.children.map(textOf).join("") : "";
}
