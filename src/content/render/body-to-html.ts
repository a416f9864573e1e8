import type { ElementContent } from "hast";
import type { Blok } from "../../contract/records.js";
import type { ImageSize } from "../resolve/image-size.js";
import { htmlText } from "./html-text.js";
import type { RenderContext } from "./render-context.js";
import { bodyFieldToHast } from "./rich-text-to-hast.js";
import { bodyFields } from "./story-body.js";

/**
 * The body of a story as HTML: the same fields as in its Markdown file, shown in the same way.
 *
 * @param sizeAt the size of the picture at an address, for images of texts, which have no place for it
 */
export function bodyToHtml(
  content: Blok,
  context: RenderContext,
  sizeAt: (src: string) => ImageSize | undefined = () => undefined,
): string {
  const fields = bodyFields(content, context.setting?.(content.component));
  const elements = fields.flatMap((field) => bodyFieldToHast(field, content[field], context));
  return htmlText(elements.map((element) => withSizes(element, sizeAt)));
}

/** A copy in which every image has its size. Existing sizes stay, even a single side. */
function withSizes(node: ElementContent, sizeAt: (src: string) => ImageSize | undefined): ElementContent {
  if (node.type !== "element") return node;
  const { src, width, height } = node.properties;
  const isImage = node.tagName === "img" && typeof src === "string" && width === undefined && height === undefined;
  return {
    ...node,
    properties: isImage ? { ...node.properties, ...sizeAt(src) } : node.properties,
    children: node.children.map((child) => withSizes(child, sizeAt)),
  };
}
