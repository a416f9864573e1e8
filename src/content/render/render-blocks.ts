import type { Blok } from "../../contract/records.js";
import { isBlock, isRichText, type JsonObject } from "../resolve/content-shape.js";
import { linkNode } from "./block-draft.js";
import type { LinkAround } from "./block-link.js";
import { type BlockPart, type BlockPlan, planBlock } from "./block-plan.js";
import { asBlock } from "./field-value.js";
import { markdownBelow, nodesBelow } from "./heading-ranks.js";
import { putLinkAround } from "./link-around.js";
import type { RenderContext } from "./render-context.js";
import { childNodes, maxDepth, plainText, type RichTextNode, readNode } from "./rich-text-node.js";

/** How the parts of blocks become nodes of one output, Markdown's or HTML's. */
export interface BlockOutput<Node> {
  hasRenderer(block: Blok, context: RenderContext): boolean;
  rendered(block: Blok, context: RenderContext): Node[];
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
  depth: number;
  /** Rank of their headings; undefined inside rich text. */
  rank: number | undefined;
  output: BlockOutput<Node>;
}

/** Blocks inside rich text. Their headings become bold paragraphs: the text around them has its own headings. */
export function renderBlocks<Node>(
  body: unknown,
  context: RenderContext,
  depth: number,
  output: BlockOutput<Node>,
): Node[] {
  const place = { depth, rank: undefined, output };
  const items = Array.isArray(body) ? body : [body];
  if (items.every(isBlock)) return blockList(items, context, place);
  return items.flatMap((item): Node[] => {
    if (isBlock(item)) return blockList([item], context, place);
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
  const sections = (blocks: readonly Blok[], shown: RenderContext) =>
    inSequence(blocks, plansOf(blocks, shown, output), shown, { depth: 0, rank: 2, output });
  const blocks = onlyBlocks(value);
  if (blocks !== undefined) return sections(blocks, context);
  const setting = () => ({ body: [field] });
  return sections([{ _uid: "", component: "", [field]: value }], { ...context, setting });
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
function blockList<Node>(
  blocks: readonly Blok[],
  context: RenderContext,
  place: BlockPlace<Node>,
  around?: LinkAround,
): Node[] {
  const { output } = place;
  const plans = plansOf(blocks, context, output);
  const known = plans.filter((plan) => plan !== undefined);
  const isPlaced = around === undefined || putLinkAround(known, around);
  const isList = blocks.length > 1 && place.depth <= maxDepth && plans.every((plan) => plan?.isLine && !plan.isHeading);
  const nodes = isList ? [lineList(known, context, place)] : inSequence(blocks, plans, context, place);
  if (isPlaced) return nodes;
  const { link, isFirst } = around;
  const address = output.paragraph(lineOf([linkNode(link.text, link.url)]), context);
  return isFirst ? [address, ...nodes] : [...nodes, address];
}

function lineList<Node>(plans: readonly BlockPlan[], context: RenderContext, place: BlockPlace<Node>): Node {
  const { output } = place;
  const items = plans.map(({ parts }) => {
    return parts.flatMap((part) => {
      return part.kind === "heading"
        ? [output.paragraph(lineOf(part.content), context)]
        : renderPart(part, context, place);
    });
  });
  return output.list(items);
}

function plansOf<Node>(blocks: readonly Blok[], context: RenderContext, { hasRenderer }: BlockOutput<Node>) {
  return blocks.map((block) => (hasRenderer(block, context) ? undefined : planBlock(block, context)));
}

/** Blocks one after the other. A block that is a heading has those behind it below it, unless it is the page's title. */
function inSequence<Node>(
  blocks: readonly Blok[],
  plans: readonly (BlockPlan | undefined)[],
  context: RenderContext,
  place: BlockPlace<Node>,
): Node[] {
  let { rank } = place;
  return blocks.flatMap((block, index) => {
    const plan = plans[index];
    if (!plan?.isHeading) return renderBlock(block, plan, context, { ...place, rank });
    rank = rankBelow(plan, place.rank);
    return renderBlock(block, plan, context, place);
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

function renderBlock<Node>(
  block: Blok,
  plan: BlockPlan | undefined,
  context: RenderContext,
  { depth, rank, output }: BlockPlace<Node>,
): Node[] {
  if (plan === undefined) return output.rendered(block, context);
  if (depth > maxDepth) {
    context.unknown(`nesting deeper than ${maxDepth} levels`);
    return [output.paragraph(lineOf(textNode(plainText(block))), context)];
  }
  let current = rank;
  return plan.parts.flatMap((part) => {
    if (current !== undefined) current = statedRank(part, current);
    const nodes = renderPart(part, context, { depth: depth + 1, rank: current, output });
    if (part.kind === "heading" && current !== undefined) current = Math.min(current + 1, 6);
    if (part.kind === "blocks") current = rankAfter(part.blocks, current, context, output);
    return nodes;
  });
}

/** The rank of what follows blocks in a field: below it, if they are one block that is a heading (`title: [heading]`). */
function rankAfter<Node>(
  blocks: readonly Blok[],
  rank: number | undefined,
  context: RenderContext,
  output: BlockOutput<Node>,
): number | undefined {
  const [plan] = blocks.length === 1 ? plansOf(blocks, context, output) : [];
  return plan?.isHeading ? rankBelow(plan, rank) : rank;
}

function renderPart<Node>(part: BlockPart, context: RenderContext, place: BlockPlace<Node>): Node[] {
  const { output, rank = 0 } = place;
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
      return [output.quote(part.parts.flatMap((inner) => renderPart(inner, context, place)))];
    case "blocks":
      return blockList(part.blocks, context, place, part.link);
  }
}

function lineOf(content: readonly JsonObject[]): RichTextNode[] {
  return childNodes(readNode([...content])!);
}

function textNode(text: string): JsonObject[] {
  return [{ type: "text", text }];
}
