import { childNodes, plainText, type RichTextNode } from "./rich-text-node.js";

/** The text of a code block, line endings as `\n`, U+0000 as U+FFFD. */
export function codeText(node: RichTextNode): string {
  const lines = childNodes(node).map(codeLine);
  return [node.text, ...lines].join("").replace(/\r\n?/g, "\n").replaceAll("\u0000", "\ufffd");
}

function codeLine(node: RichTextNode): string {
  if (node.type === "hard_break") return "\n";
  return node.type === "text" ? node.text : plainText({ ...node, content: node.children });
}
