import type { ElementContent } from "hast";
import type { Blok } from "../contract/records.js";
import { isRichText } from "../resolve/content-shape.js";
import type { ImageSize } from "../resolve/image-size.js";
import { htmlText } from "./html-text.js";
import type { RenderContext } from "./render-context.js";
import { editorMarkdownToHast, richTextToHast, sectionsToHast } from "./rich-text-to-hast.js";
import { blocksOf, bodyFields } from "./story-body.js";

/**
 * The body of a story as HTML: the same fields as in its Markdown file, shown in the same way.
 *
 * @param sizeOf the size of the picture at an address, for pictures in Markdown texts, which cannot say it
 */
export function bodyToHtml(
  content: Blok,
  context: RenderContext,
  sizeOf: (address: string) => ImageSize | undefined = () => undefined,
): string {
  const fields = bodyFields(content, context.setting?.(content.component));
  const nodes = fields.flatMap((field) => fieldToHast(field, content[field], context));
  return htmlText(nodes.map((node) => withSizes(node, sizeOf)));
}

function withSizes(node: ElementContent, sizeOf: (address: string) => ImageSize | undefined): ElementContent {
  if (node.type !== "element") return node;
  const { tagName, properties, children } = node;
  if (tagName !== "img") return { ...node, children: children.map((child) => withSizes(child, sizeOf)) };
  const isSized = properties.width !== undefined || properties.height !== undefined;
  return isSized ? node : { ...node, properties: { ...properties, ...sizeOf(String(properties.src)) } };
}

function fieldToHast(field: string, value: unknown, context: RenderContext): ElementContent[] {
  if (typeof value === "string") return editorMarkdownToHast(value, context);
  if (isRichText(value)) return richTextToHast(value, context);
  const blocks = blocksOf(value);
  if (blocks !== undefined) return sectionsToHast(blocks, context);
  const shown = { ...context, setting: () => ({ body: [field] }) };
  return sectionsToHast([{ _uid: "", component: "", [field]: value }], shown);
}
