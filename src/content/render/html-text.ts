import type { ElementContent, Root, RootContent } from "hast";
import { toHtml } from "hast-util-to-html";
import { wellFormed } from "./rich-text-node.js";

/** On one line: in Markdown a blank line would end the HTML. Some site generators run the text between braces. */
export function htmlText(children: readonly RootContent[]): string {
  const root: Root = { type: "root", children: [...children] };
  return wellFormed(toHtml(root))
    .replace(/\r\n?|\n/g, "&#10;")
    .replaceAll("{", "&#123;");
}

const inline = new Set(["a", "b", "code", "del", "em", "i", "img", "mark", "s", "span", "strong", "sub", "sup", "u"]);

/** A line for each block of text and each line of code; images by their alternative text, cells behind one another. */
export function htmlLines(nodes: readonly ElementContent[]): string[] {
  const lines: string[] = [];
  let line = "";
  const end = () => {
    const text = line.trim();
    if (text !== "") lines.push(text);
    line = "";
  };
  const add = (node: ElementContent): void => {
    if (node.type === "text") {
      const [first = "", ...rest] = node.value.split(/\r\n?|\n/);
      line += first;
      for (const next of rest) {
        end();
        line = next;
      }
      return;
    }
    if (node.type !== "element") return;
    const { tagName, properties, children } = node;
    if (tagName === "img") line += typeof properties.alt === "string" ? properties.alt : "";
    const isCell = tagName === "td" || tagName === "th";
    const isWithin = inline.has(tagName) || isCell;
    if (!isWithin) end();
    if (isCell && line !== "") line += " ";
    for (const child of children) add(child);
    if (!isWithin) end();
  };
  for (const node of nodes) add(node);
  end();
  return lines;
}
