import type { Element, ElementContent } from "hast";
import type { Blok } from "../contract/records.js";
import { isBlock, type JsonObject } from "../resolve/content-shape.js";
import { type BlockPart, type BlockPlan, planBlock } from "./block-plan.js";
import { inlineToHast } from "./inline-to-hast.js";
import { markdownToHast } from "./markdown-to-hast.js";
import type { RenderContext } from "./render-context.js";
import { childNodes, maxDepth, plainText, readNode } from "./rich-text-node.js";
import { richTextToHast } from "./rich-text-to-hast.js";
import { wellFormed } from "./well-formed.js";

/**
 * Blocks that stand in rich text, as HTML: by the renderer of their component, else by the same plan as in Markdown.
 *
 * @param body the `body` of a blok node: a list of blocks, or whatever stands there
 */
export function blocksToHast(body: unknown, context: RenderContext, depth: number): ElementContent[] {
  const items = Array.isArray(body) ? body : [body];
  if (items.every(isBlock)) return blockList(items, context, depth);
  return items.flatMap((item): ElementContent[] => {
    if (isBlock(item)) return blockList([item], context, depth);
    const value = plainText(item);
    return value === "" ? [] : [element("p", [{ type: "text", value }])];
  });
}

/** Several blocks of one short line each are a list. */
function blockList(blocks: readonly Blok[], context: RenderContext, depth: number): ElementContent[] {
  const plans = blocks.map((block) => planned(block, context));
  if (blocks.length < 2 || depth > maxDepth || !plans.every((plan) => plan?.isLine)) {
    return blocks.flatMap((block, index) => blockToHast(block, plans[index], context, depth));
  }
  const items = plans.map((plan) => {
    const content = plan!.parts.flatMap((part) => {
      return part.kind === "heading" ? [element("p", line(part.content, context))] : partToHast(part, context, depth);
    });
    return element("li", content);
  });
  return [element("ul", items)];
}

/** Undefined for a component that has a renderer of its own. */
function planned(block: Blok, context: RenderContext): BlockPlan | undefined {
  return context.blocks.get(block.component)?.html === undefined ? planBlock(block, context) : undefined;
}

function blockToHast(
  block: Blok,
  plan: BlockPlan | undefined,
  context: RenderContext,
  depth: number,
): ElementContent[] {
  if (plan === undefined) return context.blocks.get(block.component)?.html?.(block, context) ?? [];
  if (depth > maxDepth) {
    context.unknown(`nesting deeper than ${maxDepth} levels`);
    return [element("p", [{ type: "text", value: plainText(block) }])];
  }
  return plan.parts.flatMap((part) => partToHast(part, context, depth + 1));
}

function partToHast(part: BlockPart, context: RenderContext, depth: number): ElementContent[] {
  switch (part.kind) {
    case "heading":
      return [element("p", [element("strong", line(part.content, context))])];
    case "nodes":
      return richTextToHast({ type: "doc", content: part.nodes }, context, depth);
    case "markdown":
      return markdownToHast(wellFormed(part.text));
    case "quote":
      return [
        element(
          "blockquote",
          part.parts.flatMap((inner) => partToHast(inner, context, depth)),
        ),
      ];
    case "blocks":
      return blockList(part.blocks, context, depth);
  }
}

function line(content: readonly JsonObject[], context: RenderContext): ElementContent[] {
  return inlineToHast(childNodes(readNode([...content])!), context);
}

function element(tagName: string, children: ElementContent[]): Element {
  return { type: "element", tagName, properties: {}, children };
}
