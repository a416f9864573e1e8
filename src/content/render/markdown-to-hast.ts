import type { ElementContent } from "hast";
import { toHast } from "mdast-util-to-hast";
import { safeAddress } from "./link-address.js";
import { markdownTree } from "./markdown-tree.js";

/** Markdown as HTML's syntax tree. HTML in it becomes text, and a link that would run a script loses its address. */
export function markdownToHast(source: string): ElementContent[] {
  const root = toHast(markdownTree(source), {
    handlers: { html: (_, node: { value: string }) => ({ type: "text", value: node.value }) },
  });
  return "children" in root ? withoutScripts(root.children as ElementContent[]) : [];
}

function withoutScripts(children: ElementContent[]): ElementContent[] {
  const open = [...children];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type !== "element") continue;
    for (const name of ["href", "src"]) {
      const address = node.properties[name];
      if (typeof address === "string" && safeAddress(address) === "") delete node.properties[name];
    }
    for (const child of node.children) open.push(child);
  }
  return children;
}
