import type { BlockContent, DefinitionContent, List, ListItem, PhrasingContent, RootContent } from "mdast";
import type { Blok } from "../../contract/records.js";
import { editorMarkdown } from "./editor-markdown.js";
import { direction, openTag, unusualAttributes } from "./inline-html.js";
import { inlineToMdast } from "./inline-to-mdast.js";
import { type BlockOutput, renderBlocks, renderSections } from "./render-blocks.js";
import type { RenderContext } from "./render-context.js";
import {
  attribute,
  childNodes,
  codeText,
  type FlowNodeType,
  headingLevel,
  isInline,
  maxDepth,
  plainText,
  type RichTextNode,
  readNode,
} from "./rich-text-node.js";
import { tableToMdast } from "./table-to-mdast.js";

type FlowContent = BlockContent | DefinitionContent;
type FlowHandler = (node: RichTextNode, context: RenderContext, depth: number) => RootContent[];

const handlers: Record<FlowNodeType, FlowHandler> = {
  paragraph: (node, context, depth) => aligned(node, context, (inner) => flow(childNodes(node), inner, depth)),
  heading: (node, context, depth) => aligned(node, context, (inner) => heading(node, inner, depth)),
  blockquote: (node, context, depth) =>
    aligned(node, context, (inner) => [{ type: "blockquote", children: content(node, inner, depth) as FlowContent[] }]),
  bullet_list: (node, context, depth) => list(node, context, depth, false),
  ordered_list: (node, context, depth) => list(node, context, depth, true),
  list_item: (node, context, depth) => aligned(node, context, (inner) => content(node, inner, depth)),
  code_block: (node) => [codeBlock(node)],
  horizontal_rule: () => [{ type: "thematicBreak" }],
  table: tableToMdast,
  tableRow: (node, context, depth) => content(node, context, depth),
  tableCell: (node, context, depth) => content(node, context, depth),
  tableHeader: (node, context, depth) => content(node, context, depth),
  blok: (node, context, depth) => renderBlocks(node.attrs.body, context, depth, blockOutput),
  doc: (node, context, depth) => content(node, context, depth),
};

/**
 * Rich text as Markdown's syntax tree. What Markdown cannot express becomes HTML around it. Unknown nodes keep their
 * text and are reported to `context.unknown`; what is nested deeper than {@link maxDepth} becomes plain text.
 *
 * @param document the value of a rich text field, of any shape
 */
export function richTextToMdast(document: unknown, context: RenderContext, depth = 0): RootContent[] {
  const node = readNode(document);
  return node === undefined ? [] : flow([node], context, depth);
}

/** Blocks that are the sections of a page, as Markdown's syntax tree. */
export function sectionsToMdast(blocks: readonly Blok[], context: RenderContext): RootContent[] {
  return renderSections(blocks, context, blockOutput);
}

const blockOutput: BlockOutput<RootContent> = {
  hasRenderer: ({ component }, { blocks }) => blocks.get(component)?.markdown !== undefined,
  rendered: (block, context) => context.blocks.get(block.component)?.markdown?.(block, context) ?? [],
  richText: richTextToMdast,
  paragraph: (line, context) => ({ type: "paragraph", children: oneLine(line, context) }),
  heading(line, context, rank) {
    const children = oneLine(line, context);
    if (rank !== undefined) return { type: "heading", depth: rank as 2 | 3 | 4 | 5 | 6, children };
    return { type: "paragraph", children: [{ type: "strong", children }] };
  },
  // Spaces at its beginning would make it a part of a list before it.
  markdown: (text, context) => editorMarkdown(text.trimStart(), context),
  quote: (children) => ({ type: "blockquote", children: children as FlowContent[] }),
  list: (items) => ({
    type: "list",
    ordered: false,
    spread: false,
    children: items.map((children) => ({ type: "listItem", spread: false, children: children as FlowContent[] })),
  }),
};

function oneLine(nodes: readonly RichTextNode[], context: RenderContext): PhrasingContent[] {
  return inlineToMdast(nodes, context, { breaks: "html" });
}

/** Blocks of text in their order; neighbouring inline nodes become one paragraph. */
function flow(nodes: readonly RichTextNode[], context: RenderContext, depth: number): RootContent[] {
  if (depth > maxDepth) return flattened(nodes, context);
  const result: RootContent[] = [];
  for (let index = 0; index < nodes.length; ) {
    const start = index;
    while (index < nodes.length && isInline(nodes[index]!)) index += 1;
    if (index > start) {
      const children = inlineToMdast(nodes.slice(start, index), context);
      if (children.length > 0) result.push({ type: "paragraph", children });
      continue;
    }
    // Not spread: a call takes about 100,000 arguments at most.
    for (const node of flowNode(nodes[index]!, context, depth)) result.push(node);
    index += 1;
  }
  return result;
}

function flowNode(node: RichTextNode, context: RenderContext, depth: number): RootContent[] {
  const handler = Object.hasOwn(handlers, node.type) ? handlers[node.type as FlowNodeType] : undefined;
  if (handler !== undefined) return handler(node, context, depth + 1);
  context.unknown(`node "${node.type}"`);
  return content(node, context, depth + 1);
}

function content(node: RichTextNode, context: RenderContext, depth: number): RootContent[] {
  const own = node.text === "" ? [] : [{ ...node, type: "text", children: [] }];
  return flow([...own, ...childNodes(node)], context, depth);
}

function flattened(nodes: readonly RichTextNode[], context: RenderContext): RootContent[] {
  context.unknown(`nesting deeper than ${maxDepth} levels`);
  const value = nodes.map((node) => plainText({ ...node, content: node.children })).filter((text) => text !== "");
  return value.length === 0 ? [] : [{ type: "paragraph", children: [{ type: "text", value: value.join(" ") }] }];
}

/** A heading, and after it what Markdown allows in no heading: blocks, lists. */
function heading(node: RichTextNode, context: RenderContext, depth: number): RootContent[] {
  const nodes = childNodes(node);
  const children = oneLine(nodes.filter(isInline), context);
  const rest = flow(
    nodes.filter((child) => !isInline(child)),
    context,
    depth,
  );
  return children.length === 0 ? rest : [{ type: "heading", depth: headingLevel(node), children }, ...rest];
}

function list(node: RichTextNode, context: RenderContext, depth: number, ordered: boolean): RootContent[] {
  const items = childNodes(node).map((child): ListItem => {
    const children = flow([child], context, depth);
    return { type: "listItem", spread: isLoose(children), children: children as FlowContent[] };
  });
  if (items.length === 0) return [];
  const start = Math.trunc(Number(node.attrs.order ?? node.attrs.start ?? 1));
  return [
    {
      type: "list",
      ordered,
      ...(ordered ? { start: start >= 0 && start < 1e8 ? start : 1 } : {}),
      spread: items.some((item) => item.spread),
      children: items,
    },
  ];
}

/** Whether an item needs blank lines: it holds more than one paragraph and lists after it, or such a list begins empty. */
function isLoose(children: readonly RootContent[]): boolean {
  return children.some((child, index) => {
    return child.type === "paragraph" ? index > 0 : child.type !== "list" || beginsEmpty(child);
  });
}

/** Whether the first line of a list has no text, `- -`: it would be read as a part of the paragraph above it. */
function beginsEmpty({ children: [item] }: List): boolean {
  const first = item?.children[0];
  return first === undefined || (first.type === "list" && beginsEmpty(first));
}

/** `language-ts` of a class list; a backtick cannot stand in the language of a fence. */
const languageClass = /^language-([^\s\x60]+)/;

function codeBlock(node: RichTextNode): RootContent {
  const language = languageClass.exec(attribute(node.attrs, "class"))?.[1] ?? attribute(node.attrs, "language");
  return { type: "code", lang: language === "" ? null : language, value: codeText(node) };
}

/** Tells kramdown that Markdown inside HTML is Markdown. */
const inside: [string, string] = ["markdown", "1"];

/** Puts a `<div>` around what is aligned or runs from right to left; Markdown inside stays Markdown. */
function aligned(
  node: RichTextNode,
  context: RenderContext,
  render: (inner: RenderContext) => RootContent[],
): RootContent[] {
  const { isInRightToLeft = false } = context;
  const own = direction(node.attrs);
  const children = render(own === "" ? context : { ...context, isInRightToLeft: own === "rtl" });
  const attributes = unusualAttributes(node.attrs, isInRightToLeft);
  if (attributes.length === 0 || children.length === 0) return children;
  const open = openTag({ name: "div", attributes: [...attributes, ...(context.target?.isKramdown ? [inside] : [])] });
  return [{ type: "html", value: open }, ...children, { type: "html", value: "</div>" }];
}
