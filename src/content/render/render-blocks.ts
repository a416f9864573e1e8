import type { Blok } from "../../contract/records.js";
import { isBlock, isRichText, type JsonObject } from "../resolve/content-shape.js";
import { linkNode } from "./block-draft.js";
import type { LinkAround } from "./block-link.js";
import type { BlockPart, BlockPlan } from "./block-plan.js";
import { asBlock } from "./field-value.js";
import { markdownBelow, nodesBelow } from "./heading-ranks.js";
import { putLinkAround } from "./link-around.js";
import { planBlocks } from "./plan-blocks.js";
import type { RenderContext } from "./render-context.js";
import { childNodes, maxDepth, plainText, type RichTextNode, readNode } from "./rich-text-node.js";

/** How the parts of blocks become nodes of one output, Markdown's or HTML's. */
export interface BlockOutput<Node> {
  /** The component's own renderer for this output. */
  renderer(block: Blok, context: RenderContext): ((block: Blok, context: RenderContext) => Node[]) | undefined;
  /** Blocks hold rich text, and rich text holds blocks. */
  richText(document: unknown, context: RenderContext, depth: number): Node[];
  paragraph(line: RichTextNode[], context: RenderContext): Node;
  /** @param rank 2 to 6; undefined inside rich text, where a heading becomes a paragraph in bold */
  heading(line: RichTextNode[], context: RenderContext, rank: number | undefined): Node;
  markdown(text: string, context: RenderContext): Node[];
  quote(children: Node[]): Node;
  list(items: Node[][]): Node;
}

interface BlockPlace<Node> {
  context: RenderContext;
  depth: number;
  /** Rank of their headings; undefined inside rich text. */
  rank: number | undefined;
  output: BlockOutput<Node>;
}

/** Blocks inside rich text. Their headings become bold paragraphs: the text around them has its own headings. */
export function renderBlocks<Node>(body: unknown, context: RenderContext, depth: number, output: BlockOutput<Node>) {
  const place = { context, depth, rank: undefined, output };
  const items = Array.isArray(body) ? body : [body];
  if (items.every(isBlock)) return blockList(items, place);
  return items.flatMap((item): Node[] => {
    if (isBlock(item)) return blockList([item], place);
    const text = plainText(item);
    return text === "" ? [] : [output.paragraph(lineOf(textNode(text)), context)];
  });
}

/** A text is Markdown, blocks are sections, any other value is shown like a field of a block. Sections have rank 2. */
export function renderBodyField<Node>(
  field: string,
  value: unknown,
  context: RenderContext,
  output: BlockOutput<Node>,
): Node[] {
  if (typeof value === "string") return output.markdown(value, context);
  if (isRichText(value)) return output.richText(value, context, 0);
  const place = { context, depth: 0, rank: 2, output };
  const blocks = onlyBlocks(value);
  if (blocks !== undefined) return inSequence(blocks, plansOf(blocks, place), place);
  const alone = { ...place, context: { ...context, setting: () => ({ body: [field] }) } };
  const section = [{ _uid: "", component: "", [field]: value }];
  return inSequence(section, plansOf(section, alone), alone);
}

/**
 * The blocks of a field of nothing else, but for empty values. Objects without a component beside them count if
 * they hold prose. Stories that a relation embeds are not blocks.
 */
export function onlyBlocks(value: unknown): Blok[] | undefined {
  const items = (Array.isArray(value) ? value : [value]).filter((item) => item !== null && item !== "").map(asBlock);
  const isAll = items.every((item) => isBlock(item) && item.full_slug === undefined);
  const hasComponent = isAll && items.some((item) => (item as Blok).component !== "");
  return hasComponent ? (items as Blok[]) : undefined;
}

/** Several blocks of one short line each become a list. @param around a link around what they show */
function blockList<Node>(blocks: readonly Blok[], place: BlockPlace<Node>, around?: LinkAround): Node[] {
  const { context, output } = place;
  const plans = plansOf(blocks, place);
  const known = plans.filter((plan) => plan !== undefined);
  const isPlaced = around === undefined || putLinkAround(known, around);
  const isList = blocks.length > 1 && place.depth <= maxDepth && plans.every((plan) => plan?.isLine && !plan.isHeading);
  const nodes = isList ? [lineList(known, place)] : inSequence(blocks, plans, place);
  if (isPlaced) return nodes;
  const { link, isFirst } = around;
  const address = output.paragraph(lineOf([linkNode(link.text, link.url)]), context);
  return isFirst ? [address, ...nodes] : [...nodes, address];
}

function lineList<Node>(plans: readonly BlockPlan[], place: BlockPlace<Node>): Node {
  const { context, output } = place;
  const shown = (part: BlockPart) =>
    part.kind === "heading" ? [output.paragraph(lineOf(part.content), context)] : renderPart(part, place);
  return output.list(plans.map(({ parts }) => parts.flatMap(shown)));
}

/** Undefined for those that have a renderer. */
function plansOf<Node>(blocks: readonly Blok[], { context, output }: BlockPlace<Node>) {
  const planned = blocks.filter((block) => !output.renderer(block, context));
  const plans = new Map(planBlocks(planned, context).map((plan, index) => [planned[index], plan]));
  return blocks.map((block) => plans.get(block));
}

/** Blocks one after the other. A block that is a heading has those behind it below it, unless it is the page's title. */
function inSequence<Node>(
  blocks: readonly Blok[],
  plans: readonly (BlockPlan | undefined)[],
  place: BlockPlace<Node>,
): Node[] {
  let { rank } = place;
  return blocks.flatMap((block, index) => {
    const plan = plans[index];
    if (!plan?.isHeading) return renderBlock(block, plan, { ...place, rank });
    rank = rankBelow(plan, place.rank);
    return renderBlock(block, plan, place);
  });
}

function rankBelow({ parts: [part] }: BlockPlan, rank: number | undefined): number | undefined {
  const own = statedRank(part!, rank);
  const isTitle = part?.kind === "heading" && part.level === 1;
  return own === undefined || isTitle ? own : Math.min(own + 1, 6);
}

/** The rank of a heading: the level that its block states, but none above that of its place. */
function statedRank(part: BlockPart, rank: number | undefined): number | undefined {
  if (rank === undefined || part.kind !== "heading") return rank;
  return Math.max(rank, part.level ?? rank);
}

function renderBlock<Node>(block: Blok, plan: BlockPlan | undefined, place: BlockPlace<Node>): Node[] {
  const { context, depth, output } = place;
  if (plan === undefined) return output.renderer(block, context)!(block, context);
  if (depth > maxDepth) {
    context.unknown(`nesting deeper than ${maxDepth} levels`);
    return [output.paragraph(lineOf(textNode(plainText(block))), context)];
  }
  let { rank } = place;
  return plan.parts.flatMap((part) => {
    if (rank !== undefined) rank = statedRank(part, rank);
    const nodes = renderPart(part, { ...place, depth: depth + 1, rank });
    if (part.kind === "heading" && rank !== undefined) rank = Math.min(rank + 1, 6);
    if (part.kind === "blocks" && part !== plan.parts.at(-1)) rank = rankAfter(part.blocks, { ...place, rank });
    return nodes;
  });
}

/** The rank of what follows blocks in a field: below it, if they are one block that is a heading (`title: [heading]`). */
function rankAfter<Node>(blocks: readonly Blok[], place: BlockPlace<Node>): number | undefined {
  const [plan] = blocks.length === 1 ? plansOf(blocks, place) : [];
  return plan?.isHeading ? rankBelow(plan, place.rank) : place.rank;
}

function renderPart<Node>(part: BlockPart, place: BlockPlace<Node>): Node[] {
  const { context, output, rank = 0 } = place;
  // Content of the second rank has no heading above it.
  const isBelow = rank > 2;
  switch (part.kind) {
    case "heading":
      return [output.heading(lineOf(part.content), context, place.rank)];
    case "nodes": {
      const content = isBelow ? nodesBelow(part.nodes, rank) : part.nodes;
      return output.richText({ type: "doc", content }, context, place.depth);
    }
    case "markdown":
      return output.markdown(isBelow ? markdownBelow(part.text, rank) : part.text, context);
    case "quote":
      return [output.quote(part.parts.flatMap((inner) => renderPart(inner, place)))];
    case "blocks":
      return blockList(part.blocks, place, part.link);
  }
}

function lineOf(content: readonly JsonObject[]): RichTextNode[] {
  return childNodes(readNode([...content])!);
}

function textNode(text: string): JsonObject[] {
  return [{ type: "text", text }];
}
