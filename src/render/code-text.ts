import { childNodes, plainText, type RichTextNode } from "./rich-text-node.js";
import { wellFormed } from "./well-formed.js";

/** The text of a code block, line endings as `\n`. */
export function codeText(node: RichTextNode): string {
  const lines = childNodes(node).map(codeLine);
  return wellFormed([node.text, ...lines].join("")).replace(/\r\n?/g, "\n");
}

function codeLine(node: RichTextNode): string {
  if (node.type === "hard_break") return "\n";
  return node.type === "text" ? node.text : plainText({ ...node, content: node.children });
}
