import type { Element, ElementContent, Properties } from "hast";
import { imageSize } from "../resolve/asset-fields.js";
import { linkElement, markElement } from "./inline-html.js";
import { safeAddress } from "./link-address.js";
import { type InlineTree, markTree } from "./mark-tree.js";
import type { RenderContext } from "./render-context.js";
import { attribute, inlineText, type RichTextNode } from "./rich-text-node.js";

declare module "hast" {
  interface ElementData {
    /** The node or mark of rich text that the element is made from: `heading`, `link`. */
    richText?: string;
  }
}

export function inlineToHast(nodes: readonly RichTextNode[], context: RenderContext): ElementContent[] {
  return markTree(nodes, (what) => context.unknown(what)).flatMap(inlineItem);
}

function inlineItem(item: InlineTree): ElementContent[] {
  if (!("mark" in item)) return leaf(item.leaf, item.code);
  const children = item.children.flatMap(inlineItem);
  const found = item.mark.type === "link" ? linkElement(item.mark.attrs) : markElement(item.mark);
  if (found === undefined || children.length === 0) return children;
  return [element(found.name, item.mark.type, Object.fromEntries(found.attributes), children)];
}

function element(tagName: string, richText: string, properties: Properties, children: ElementContent[]): Element {
  return { type: "element", tagName, properties, children, data: { richText } };
}

function leaf(node: RichTextNode, code: boolean): ElementContent[] {
  if (node.type === "hard_break") return [element("br", "hard_break", {}, [])];
  if (node.type === "image") return image(node);
  const value = inlineText(node);
  if (value === "") return [];
  const text: ElementContent = { type: "text", value };
  return code ? [element("code", "code", {}, [text])] : [text];
}

function image(node: RichTextNode): ElementContent[] {
  const src = safeAddress(attribute(node.attrs, "src"));
  const alt = attribute(node.attrs, "alt");
  const title = attribute(node.attrs, "title");
  if (src === "") return alt === "" && title === "" ? [] : [{ type: "text", value: alt || title }];
  const size = imageSize(Number(node.attrs.width), Number(node.attrs.height));
  const properties = { src, alt, ...(title === "" ? {} : { title }), ...size };
  return [element("img", "image", properties, [])];
}
