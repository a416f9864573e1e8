import type { BlockContent, DefinitionContent, ListItem, PhrasingContent, RootContent } from "mdast";
import type { Blok } from "../contract/records.js";
import { isBlock, type JsonObject } from "../resolve/content-shape.js";
import { type BlockPart, type BlockPlan, planBlock } from "./block-plan.js";
import { inlineToMdast } from "./inline-to-mdast.js";
import { closedMarkdown, markdownSource } from "./markdown-source.js";
import type { RenderContext } from "./render-context.js";
import { childNodes, maxDepth, plainText, readNode } from "./rich-text-node.js";

type FlowContent = BlockContent | DefinitionContent;

/** Renders the value of a rich text field. Blocks hold rich text and rich text holds blocks, so it is handed down. */
type RenderRichText = (document: unknown, context: RenderContext, depth: number) => RootContent[];

/** Where blocks stand, and how the rich text inside them is rendered. */
interface BlockPlace {
  depth: number;
  /** Rank of their headings, 2 to 6; undefined inside rich text, where a heading becomes a paragraph in bold. */
  rank: number | undefined;
  richText: RenderRichText;
}

/**
 * Blocks inside rich text, as an editor would have written them there. Their headings become paragraphs in bold,
 * because the text around them has its own headings.
 *
 * @param body the `body` of a blok node: a list of blocks, or whatever the upstream sent instead
 */
export function blocksToMdast(
  body: unknown,
  context: RenderContext,
  depth: number,
  richText: RenderRichText,
): RootContent[] {
  const place: BlockPlace = { depth, rank: undefined, richText };
  const items = Array.isArray(body) ? body : [body];
  if (items.every(isBlock)) return blockList(items, context, place);
  return items.flatMap((item): RootContent[] => {
    if (isBlock(item)) return blockList([item], context, place);
    const text = plainText(item);
    return text === "" ? [] : [paragraph(textNode(text), context)];
  });
}

/** Blocks that are the sections of a page: their headings have the second rank, headings inside them one rank more. */
export function sectionsToMdast(
  blocks: readonly Blok[],
  context: RenderContext,
  richText: RenderRichText,
): RootContent[] {
  const place: BlockPlace = { depth: 0, rank: 2, richText };
  return blocks.flatMap((block) => blockToMdast(block, planned(block, context), context, place));
}

/** Several blocks of one short line each become a list. */
function blockList(blocks: readonly Blok[], context: RenderContext, place: BlockPlace): RootContent[] {
  const plans = blocks.map((block) => planned(block, context));
  if (blocks.length < 2 || place.depth > maxDepth || !plans.every((plan) => plan?.isLine)) {
    return blocks.flatMap((block, index) => blockToMdast(block, plans[index], context, place));
  }
  const items = plans.map((plan): ListItem => {
    const children = plan!.parts.flatMap((part): RootContent[] => {
      if (part.kind === "heading") return [paragraph(part.content, context)];
      return partToMdast(part, context, place);
    });
    return { type: "listItem", spread: false, children: children as FlowContent[] };
  });
  return [{ type: "list", ordered: false, spread: false, children: items }];
}

/** How the block is shown; undefined for a component that has a renderer of its own. */
function planned(block: Blok, context: RenderContext): BlockPlan | undefined {
  return context.blocks.get(block.component)?.markdown === undefined ? planBlock(block, context) : undefined;
}

function blockToMdast(
  block: Blok,
  plan: BlockPlan | undefined,
  context: RenderContext,
  place: BlockPlace,
): RootContent[] {
  if (plan === undefined) return context.blocks.get(block.component)?.markdown?.(block, context) ?? [];
  if (place.depth > maxDepth) {
    context.unknown(`nesting deeper than ${maxDepth} levels`);
    return [paragraph(textNode(plainText(block)), context)];
  }
  let inner: BlockPlace = { ...place, depth: place.depth + 1 };
  return plan.parts.flatMap((part): RootContent[] => {
    const nodes = partToMdast(part, context, inner);
    if (part.kind === "heading" && inner.rank !== undefined) inner = { ...inner, rank: Math.min(inner.rank + 1, 6) };
    return nodes;
  });
}

function partToMdast(part: BlockPart, context: RenderContext, place: BlockPlace): RootContent[] {
  switch (part.kind) {
    case "heading": {
      const depth = place.rank as 2 | 3 | 4 | 5 | 6 | undefined;
      const children = line(part.content, context);
      if (depth !== undefined) return [{ type: "heading", depth, children }];
      return [{ type: "paragraph", children: [{ type: "strong", children }] }];
    }
    case "nodes":
      return place.richText({ type: "doc", content: part.nodes }, context, place.depth);
    case "markdown": {
      // Spaces at its beginning would make it a part of a list before it.
      const value = closedMarkdown(markdownSource(part.text.trimStart(), context.target));
      return value === "" ? [] : [{ type: "html", value }];
    }
    case "quote": {
      const children = part.parts.flatMap((inner) => partToMdast(inner, context, place));
      return [{ type: "blockquote", children: children as FlowContent[] }];
    }
    case "blocks":
      return blockList(part.blocks, context, place);
  }
}

function paragraph(content: readonly JsonObject[], context: RenderContext): RootContent {
  return { type: "paragraph", children: line(content, context) };
}

function line(content: readonly JsonObject[], context: RenderContext): PhrasingContent[] {
  return inlineToMdast(childNodes(readNode([...content])!), context, { breaks: "html" });
}

function textNode(text: string): JsonObject[] {
  return [{ type: "text", text }];
}
