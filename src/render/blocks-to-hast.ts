import type { Element, ElementContent } from "hast";
import type { Blok } from "../contract/records.js";
import { isBlock } from "../resolve/content-shape.js";
import { type BlockPart, blockParts } from "./block-parts.js";
import { safeAddress } from "./link-address.js";
import type { RenderContext } from "./render-context.js";
import { maxDepth, plainText } from "./rich-text-node.js";
import { richTextToHast } from "./rich-text-to-hast.js";

/**
 * Blocks that stand in rich text, as HTML: by the renderer of their component, else as a quotation with the component
 * in bold and every field in order.
 *
 * @param body the `body` of a blok node: a list of blocks, or whatever stands there
 */
export function blocksToHast(body: unknown, context: RenderContext, depth: number): ElementContent[] {
  const blocks = Array.isArray(body) ? body : [body];
  return blocks.flatMap((block): ElementContent[] => {
    if (isBlock(block)) return blockToHast(block, context, depth);
    const value = plainText(block);
    return value === "" ? [] : [element("p", [text(value)])];
  });
}

function blockToHast(block: Blok, context: RenderContext, depth: number): ElementContent[] {
  const renderer = context.blocks.get(block.component)?.html;
  if (renderer !== undefined) return renderer(block, context);
  const name = element("p", [element("strong", [text(block.component)])]);
  if (depth > maxDepth) {
    context.unknown(`nesting deeper than ${maxDepth} levels`);
    return [element("blockquote", [name, element("p", [text(plainText(block))])])];
  }
  const fields = blockParts(block).flatMap((part) => partToHast(part, context, depth + 1));
  return [element("blockquote", [name, ...fields])];
}

function partToHast(part: BlockPart, context: RenderContext, depth: number): ElementContent[] {
  if (part.kind === "richText") return richTextToHast(part.document, context, depth);
  if (part.kind === "block") return blockToHast(part.block, context, depth);
  return [element("p", [text(`${part.field}: `), ...valueToHast(part, context)])];
}

function valueToHast(
  part: Exclude<BlockPart, { kind: "richText" | "block" }>,
  context: RenderContext,
): ElementContent[] {
  switch (part.kind) {
    case "text":
      return [text(part.text)];
    case "json":
      return [element("code", [text(part.json)])];
    case "image":
      return [
        element("img", [], {
          src: safeAddress(part.url),
          alt: part.alt,
          ...(part.title === "" ? {} : { title: part.title }),
        }),
      ];
    case "link":
      return linkTo(safeAddress(part.url), part.text);
    case "story":
      return linkTo(context.storyUrl(part.fullSlug), part.text);
  }
}

function linkTo(url: string, value: string): ElementContent[] {
  return url === "" ? [text(value)] : [element("a", [text(value)], { href: url })];
}

function element(tagName: string, children: ElementContent[], properties: Element["properties"] = {}): Element {
  return { type: "element", tagName, properties, children };
}

function text(value: string): ElementContent {
  return { type: "text", value };
}
