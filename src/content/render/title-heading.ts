import type { Heading } from "mdast";
import { inlineToMdast } from "./inline-to-mdast.js";
import { markdownText } from "./markdown-text.js";
import { markdownBlocks } from "./markdown-tree.js";
import type { RenderContext } from "./render-context.js";
import { readNode } from "./rich-text-node.js";

/**
 * The body with the title of its page above it, `# Title`, unless it has a heading of the first rank. For targets whose
 * layout shows the body alone.
 *
 * @param body Markdown; "" for none
 * @param title plain text; Markdown in it is escaped
 */
export function bodyBelowTitle(body: string, title: string, context: RenderContext): string {
  if (title.trim() === "" || hasFirstRank(body)) return body;
  const heading: Heading = {
    type: "heading",
    depth: 1,
    children: inlineToMdast([readNode(title)!], context, { breaks: "html" }),
  };
  const text = markdownText([heading], context.target);
  return body === "" ? text : `${text}\n${body}`;
}

/** Whether the Markdown has a heading of the first rank, also as HTML, at its top level. */
function hasFirstRank(body: string): boolean {
  if (!/^ {0,3}(?:#(?:\s|$)|=)|<h1/im.test(body)) return false;
  return markdownBlocks(body).children.some((node) => {
    return (node.type === "heading" && node.depth === 1) || (node.type === "html" && /<h1[\s>]/i.test(node.value));
  });
}
