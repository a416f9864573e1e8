import type { Element, ElementContent } from "hast";
import type { Blok } from "../contract/records.js";
import { isBlock, type JsonObject } from "../resolve/content-shape.js";
import { type BlockPart, type BlockPlan, planBlock } from "./block-plan.js";
import { inlineToHast } from "./inline-to-hast.js";
import { markdownToHast } from "./markdown-to-hast.js";
import type { RenderContext } from "./render-context.js";
import { childNodes, maxDepth, plainText, readNode } from "./rich-text-node.js";
import { wellFormed } from "./well-formed.js";

/** Renders the value of a rich text field. Blocks hold rich text and rich text holds blocks, so it is handed down. */
type RenderRichText = (document: unknown, context: RenderContext, depth: number) => ElementContent[];

/** How deep blocks are nested, and how the rich text inside them is rendered. */
interface BlockPlace {
  depth: number;
  richText: RenderRichText;
}

/**
 * Blocks inside rich text as HTML: by the renderer of their component, else by the same plan as in Markdown.
 *
 * @param body the `body` of a blok node: a list of blocks, or whatever the upstream sent instead
 */
export function blocksToHast(
  body: unknown,
  context: RenderContext,
  depth: number,
  richText: RenderRichText,
): ElementContent[] {
  const place: BlockPlace = { depth, richText };
  const items = Array.isArray(body) ? body : [body];
  if (items.every(isBlock)) return blockList(items, context, place);
  return items.flatMap((item): ElementContent[] => {
    if (isBlock(item)) return blockList([item], context, place);
    const value = plainText(item);
    return value === "" ? [] : [element("p", [{ type: "text", value }])];
  });
}

/** Several blocks of one short line each become a list. */
function blockList(blocks: readonly Blok[], context: RenderContext, place: BlockPlace): ElementContent[] {
  const plans = blocks.map((block) => planned(block, context));
  if (blocks.length < 2 || place.depth > maxDepth || !plans.every((plan) => plan?.isLine)) {
    return blocks.flatMap((block, index) => blockToHast(block, plans[index], context, place));
  }
  const items = plans.map((plan) => {
    const content = plan!.parts.flatMap((part) => {
      return part.kind === "heading" ? [element("p", line(part.content, context))] : partToHast(part, context, place);
    });
    return element("li", content);
  });
  return [element("ul", items)];
}

/** How the block is shown; undefined for a component that has a renderer of its own. */
function planned(block: Blok, context: RenderContext): BlockPlan | undefined {
  return context.blocks.get(block.component)?.html === undefined ? planBlock(block, context) : undefined;
}

function blockToHast(
  block: Blok,
  plan: BlockPlan | undefined,
  context: RenderContext,
  place: BlockPlace,
): ElementContent[] {
  if (plan === undefined) return context.blocks.get(block.component)?.html?.(block, context) ?? [];
  if (place.depth > maxDepth) {
    context.unknown(`nesting deeper than ${maxDepth} levels`);
    return [element("p", [{ type: "text", value: plainText(block) }])];
  }
  return plan.parts.flatMap((part) => partToHast(part, context, { ...place, depth: place.depth + 1 }));
}

function partToHast(part: BlockPart, context: RenderContext, place: BlockPlace): ElementContent[] {
  switch (part.kind) {
    case "heading":
      return [element("p", [element("strong", line(part.content, context))])];
    case "nodes":
      return place.richText({ type: "doc", content: part.nodes }, context, place.depth);
    case "markdown":
      return markdownToHast(wellFormed(part.text));
    case "quote":
      return [
        element(
          "blockquote",
          part.parts.flatMap((inner) => partToHast(inner, context, place)),
        ),
      ];
    case "blocks":
      return blockList(part.blocks, context, place);
  }
}

function line(content: readonly JsonObject[], context: RenderContext): ElementContent[] {
  return inlineToHast(childNodes(readNode([...content])!), context);
}

function element(tagName: string, children: ElementContent[]): Element {
  return { type: "element", tagName, properties: {}, children };
}
