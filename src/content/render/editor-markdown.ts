import type { RootContent } from "mdast";
import { inlineToMdast } from "./inline-to-mdast.js";
import { markdownCost } from "./markdown-cost.js";
import { closedMarkdown, markdownSource } from "./markdown-source.js";
import type { RenderContext } from "./render-context.js";
import { childNodes, readNode } from "./rich-text-node.js";
import { textLines } from "./table-field.js";

/**
 * Markdown that an editor wrote, as it stands in the body of a file. A text that is too costly to parse (see
 * {@link markdownCost}) is shown as the text that it is, and reported to `context.unknown`.
 */
export function editorMarkdown(text: string, context: RenderContext): RootContent[] {
  const cost = markdownCost(text);
  if (cost !== undefined) {
    context.unknown(cost);
    return plainParagraphs(text, context);
  }
  const source = closedMarkdown(markdownSource(text, context.target));
  return source === "" ? [] : [{ type: "html", value: source }];
}

function plainParagraphs(text: string, context: RenderContext): RootContent[] {
  return text.split(/\n[ \t\r]*\n/).flatMap((paragraph): RootContent[] => {
    const children = inlineToMdast(childNodes(readNode(textLines(paragraph))!), context);
    return children.length === 0 ? [] : [{ type: "paragraph", children }];
  });
}
