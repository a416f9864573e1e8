import type { BlockContent, DefinitionContent, List, ListItem, PhrasingContent, RootContent } from "mdast";
import type { Blok } from "../contract/records.js";
import { isBlock } from "../resolve/content-shape.js";
import { type BlockPart, blockParts } from "./block-parts.js";
import { inlineToMdast } from "./inline-to-mdast.js";
import { safeAddress } from "./link-address.js";
import type { RenderContext } from "./render-context.js";
import { maxDepth, plainText, readNode } from "./rich-text-node.js";
import { richTextToMdast } from "./rich-text-to-mdast.js";

/**
 * Blocks that stand in rich text. A block without a renderer of its own is shown as a quotation: its component in
 * bold, then every field in order, so that nothing an editor wrote is lost.
 *
 * @param body the `body` of a blok node: a list of blocks, or whatever stands there
 */
export function blocksToMdast(body: unknown, context: RenderContext, depth: number): RootContent[] {
  const blocks = Array.isArray(body) ? body : [body];
  return blocks.flatMap((block): RootContent[] => {
    if (isBlock(block)) return blockToMdast(block, context, depth);
    const text = plainText(block);
    return text === "" ? [] : [paragraph(line(text, context))];
  });
}

function blockToMdast(block: Blok, context: RenderContext, depth: number): RootContent[] {
  const renderer = context.blocks.get(block.component)?.markdown;
  if (renderer !== undefined) return renderer(block, context);
  const name: RootContent = paragraph([{ type: "strong", children: line(block.component, context) }]);
  const children = [name, ...blockFieldsToMdast(block, context, depth + 1)];
  return [{ type: "blockquote", children: children as (BlockContent | DefinitionContent)[] }];
}

/**
 * Blocks that are a page's sections: without quotation, below a heading where the block has a text for one, each
 * level of nesting one rank deeper.
 */
export function sectionsToMdast(blocks: readonly Blok[], context: RenderContext, depth = 0): RootContent[] {
  return blocks.flatMap((block) => sectionToMdast(block, context, depth));
}

function sectionToMdast(block: Blok, context: RenderContext, depth: number): RootContent[] {
  const renderer = context.blocks.get(block.component)?.markdown;
  if (renderer !== undefined) return renderer(block, context);
  const field = headingFields.find((name) => typeof block[name] === "string" && block[name] !== "");
  if (field === undefined) return blockFieldsToMdast(block, context, depth, sectionToMdast);
  const { [field]: title, ...rest } = block;
  const rank = Math.min(depth + 2, 6) as 2 | 3 | 4 | 5 | 6;
  const heading: RootContent = { type: "heading", depth: rank, children: line(String(title), context) };
  return [heading, ...blockFieldsToMdast(rest as Blok, context, depth, sectionToMdast)];
}

const headingFields = ["headline", "heading", "title", "name"];

/**
 * The fields of a block below each other: rich text and blocks as such, all others as a list with their names.
 *
 * @param nested how blocks within are shown
 */
export function blockFieldsToMdast(
  block: Blok,
  context: RenderContext,
  depth: number,
  nested: typeof blockToMdast = blockToMdast,
): RootContent[] {
  if (depth > maxDepth) {
    context.unknown(`nesting deeper than ${maxDepth} levels`);
    return [paragraph(line(plainText(block), context))];
  }
  const result: RootContent[] = [];
  for (const part of blockParts(block)) {
    const last = result.at(-1);
    if (part.kind === "richText") result.push(...richTextToMdast(part.document, context, depth + 1));
    else if (part.kind === "block") result.push(...nested(part.block, context, depth + 1));
    else if (last?.type === "list" && fieldLists.has(last)) last.children.push(fieldItem(part, context));
    else result.push(fieldList(fieldItem(part, context)));
  }
  return result;
}

/** Lists made here, which further fields may join; a list of a rich text field is not one of them. */
const fieldLists = new WeakSet<List>();

function fieldList(item: ListItem): List {
  const list: List = { type: "list", ordered: false, spread: false, children: [item] };
  fieldLists.add(list);
  return list;
}

function fieldItem(part: Exclude<BlockPart, { kind: "richText" | "block" }>, context: RenderContext): ListItem {
  const label: PhrasingContent[] = [...line(part.field, context), { type: "text", value: ": " }];
  return { type: "listItem", spread: false, children: [paragraph([...label, ...fieldValue(part, context)])] };
}

function fieldValue(
  part: Exclude<BlockPart, { kind: "richText" | "block" }>,
  context: RenderContext,
): PhrasingContent[] {
  switch (part.kind) {
    case "text":
      return line(part.text, context);
    case "json":
      return [{ type: "inlineCode", value: part.json }];
    case "image":
      return inlineToMdast(
        [readNode({ type: "image", attrs: { src: part.url, alt: part.alt, title: part.title } })!],
        context,
      );
    case "link":
      return linkTo(safeAddress(part.url), part.text, context);
    case "story":
      return linkTo(context.storyUrl(part.fullSlug), part.text, context);
  }
}

function linkTo(url: string, text: string, context: RenderContext): PhrasingContent[] {
  const children = line(text, context);
  return url === "" || children.length === 0 ? children : [{ type: "link", url, children }];
}

function line(text: string, context: RenderContext): PhrasingContent[] {
  return inlineToMdast([readNode(text)!], context);
}

function paragraph(children: PhrasingContent[]): RootContent & { type: "paragraph" } {
  return { type: "paragraph", children };
}
