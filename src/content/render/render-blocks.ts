import type { Blok } from "../../contract/records.js";
import { isBlock, isRichText, type JsonObject } from "../resolve/content-shape.js";
import { type BlockPart, type BlockPlan, planBlock } from "./block-plan.js";
import type { RenderContext } from "./render-context.js";
import { childNodes, maxDepth, plainText, type RichTextNode, readNode } from "./rich-text-node.js";

/** How the parts of blocks become nodes of one output, Markdown's or HTML's. */
export interface BlockOutput<Node> {
  /** True if the component has its own renderer for this output. */
  hasRenderer(block: Blok, context: RenderContext): boolean;
  /** Calls that renderer. */
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

/** The places of blocks, and their output. */
interface BlockPlace<Node> {
  depth: number;
  /** Rank of their headings; undefined inside rich text. */
  rank: number | undefined;
  output: BlockOutput<Node>;
}

/**
 * Blocks inside rich text, as an editor would have written them there. Their headings become paragraphs in bold, because
 * the text around them has its own headings.
 *
 * @param body the `body` of a blok node: a list of blocks, or any other value
 */
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

/**
 * A field of a story's body: a text is Markdown, blocks are the sections of a page, and any other value is shown like a field
 * of a block. Headings of sections have the second rank, headings inside them one rank more.
 */
export function renderBodyField<Node>(
  field: string,
  value: unknown,
  context: RenderContext,
  output: BlockOutput<Node>,
): Node[] {
  if (typeof value === "string") return output.markdown(value, context);
  if (isRichText(value)) return output.richText(value, context, 0);
  const sections = (blocks: readonly Blok[], shown: RenderContext) =>
    blocks.flatMap((block) => renderBlock(block, undefined, shown, { depth: 0, rank: 2, output }));
  const blocks = onlyBlocks(value);
  if (blocks !== undefined) return sections(blocks, context);
  const setting = () => ({ body: [field] });
  return sections([{ _uid: "", component: "", [field]: value }], { ...context, setting });
}

/** The blocks of a field that holds nothing else. Stories that a relation embeds are not blocks. */
export function onlyBlocks(value: unknown): Blok[] | undefined {
  const items = Array.isArray(value) ? value : [value];
  const isAll = items.length > 0 && items.every((item) => isBlock(item) && item.full_slug === undefined);
  return isAll ? (items as Blok[]) : undefined;
}

/** Several blocks of one short line each become a list. */
function blockList<Node>(blocks: readonly Blok[], context: RenderContext, place: BlockPlace<Node>): Node[] {
  const { output } = place;
  const plans = blocks.map((block) => (output.hasRenderer(block, context) ? undefined : planBlock(block, context)));
  if (blocks.length < 2 || place.depth > maxDepth || !plans.every((plan) => plan?.isLine)) {
    return blocks.flatMap((block, index) => renderBlock(block, plans[index], context, place));
  }
  const items = plans.map((plan) => {
    return plan!.parts.flatMap((part) => {
      return part.kind === "heading"
        ? [output.paragraph(lineOf(part.content), context)]
        : renderPart(part, context, place);
    });
  });
  return [output.list(items)];
}

/** @param plan of the block, if it was made already */
function renderBlock<Node>(
  block: Blok,
  plan: BlockPlan | undefined,
  context: RenderContext,
  { depth, rank, output }: BlockPlace<Node>,
): Node[] {
  if (output.hasRenderer(block, context)) return output.rendered(block, context);
  if (depth > maxDepth) {
    context.unknown(`nesting deeper than ${maxDepth} levels`);
    return [output.paragraph(lineOf(textNode(plainText(block))), context)];
  }
  let current = rank;
  return (plan ?? planBlock(block, context)).parts.flatMap((part) => {
    const nodes = renderPart(part, context, { depth: depth + 1, rank: current, output });
    if (part.kind === "heading" && current !== undefined) current = Math.min(current + 1, 6);
    return nodes;
  });
}

function renderPart<Node>(part: BlockPart, context: RenderContext, place: BlockPlace<Node>): Node[] {
  const { output } = place;
  switch (part.kind) {
    case "heading":
      return [output.heading(lineOf(part.content), context, place.rank)];
    case "nodes":
      return output.richText({ type: "doc", content: part.nodes }, context, place.depth);
    case "markdown":
      return output.markdown(part.text, context);
    case "quote":
      return [output.quote(part.parts.flatMap((inner) => renderPart(inner, context, place)))];
    case "blocks":
      return blockList(part.blocks, context, place);
  }
}

function lineOf(content: readonly JsonObject[]): RichTextNode[] {
  return childNodes(readNode([...content])!);
}

function textNode(text: string): JsonObject[] {
  return [{ type: "text", text }];
}
