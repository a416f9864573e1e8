import type { Element, ElementContent } from "hast";
import type { Blok } from "../../contract/records.js";
import { blockAttributes } from "./inline-html.js";
import { inlineToHast } from "./inline-to-hast.js";
import { markdownCost } from "./markdown-cost.js";
import { markdownToHast } from "./markdown-to-hast.js";
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
import { wellFormed } from "./well-formed.js";

type Handler = (node: RichTextNode, context: RenderContext, depth: number) => ElementContent[];

const handlers: Record<FlowNodeType, Handler> = {
  doc: (node, context, depth) => content(node, context, depth),
  paragraph: (node, context, depth) => wrapped("p", node, context, depth),
  heading: (node, context, depth) => wrapped(`h${headingLevel(node)}`, node, context, depth),
  blockquote: (node, context, depth) => wrapped("blockquote", node, context, depth),
  bullet_list: (node, context, depth) => wrapped("ul", node, context, depth),
  ordered_list: (node, context, depth) => orderedList(node, context, depth),
  list_item: (node, context, depth) => wrapped("li", node, context, depth),
  code_block: (node) => codeBlock(node),
  horizontal_rule: () => [element("hr", [], [])],
  table,
  tableRow: (node, context, depth) => wrapped("tr", node, context, depth),
  tableCell: (node, context, depth) => [cell("td", node, context, depth)],
  tableHeader: (node, context, depth) => [cell("th", node, context, depth)],
  blok: (node, context, depth) => renderBlocks(node.attrs.body, context, depth, blockOutput),
};

/**
 * Rich text as HTML's syntax tree, every node and mark of it. Unknown nodes keep their text and are reported to
 * `context.unknown`; what is nested deeper than {@link maxDepth} becomes plain text.
 *
 * @param document the value of a rich text field, of any shape
 */
export function richTextToHast(document: unknown, context: RenderContext, depth = 0): ElementContent[] {
  const node = readNode(document);
  return node === undefined ? [] : nodesToHast([node], context, depth);
}

/** Blocks that are the sections of a page, as HTML's syntax tree. */
export function sectionsToHast(blocks: readonly Blok[], context: RenderContext): ElementContent[] {
  return renderSections(blocks, context, blockOutput);
}

/** Markdown that an editor wrote, as HTML's syntax tree; a text that is too costly to parse is shown as it is. */
export function editorMarkdownToHast(text: string, context: RenderContext): ElementContent[] {
  return blockOutput.markdown(text, context);
}

const blockOutput: BlockOutput<ElementContent> = {
  hasRenderer: ({ component }, { blocks }) => blocks.get(component)?.html !== undefined,
  rendered: (block, context) => context.blocks.get(block.component)?.html?.(block, context) ?? [],
  richText: richTextToHast,
  paragraph: (line, context) => element("p", [], inlineToHast(line, context)),
  heading(line, context, rank) {
    const children = inlineToHast(line, context);
    return rank === undefined ? element("p", [], [element("strong", [], children)]) : element(`h${rank}`, [], children);
  },
  markdown(text, context) {
    const cost = markdownCost(text);
    if (cost === undefined) return markdownToHast(wellFormed(text));
    context.unknown(cost);
    return [element("p", [], [{ type: "text", value: text }])];
  },
  quote: (children) => element("blockquote", [], children),
  list: (items) =>
    element(
      "ul",
      [],
      items.map((children) => element("li", [], children)),
    ),
};

function element(tagName: string, attributes: readonly [string, string][], children: ElementContent[]): Element {
  return { type: "element", tagName, properties: Object.fromEntries(attributes), children };
}

function nodesToHast(nodes: readonly RichTextNode[], context: RenderContext, depth: number): ElementContent[] {
  if (depth > maxDepth) {
    context.unknown(`nesting deeper than ${maxDepth} levels`);
    return [{ type: "text", value: nodes.map((node) => plainText({ ...node, content: node.children })).join(" ") }];
  }
  const result: ElementContent[] = [];
  for (let index = 0; index < nodes.length; ) {
    const start = index;
    while (index < nodes.length && isInline(nodes[index]!)) index += 1;
    const isLine = index > start;
    const made = isLine ? inlineToHast(nodes.slice(start, index), context) : nodeToHast(nodes[index]!, context, depth);
    // Not spread: a call takes about 100,000 arguments at most.
    for (const node of made) result.push(node);
    if (!isLine) index += 1;
  }
  return result;
}

function nodeToHast(node: RichTextNode, context: RenderContext, depth: number): ElementContent[] {
  const handler = Object.hasOwn(handlers, node.type) ? handlers[node.type as FlowNodeType] : undefined;
  if (handler !== undefined) {
    const made = handler(node, context, depth + 1);
    return unnamed.has(node.type) ? made : made.map((one) => named(one, node.type));
  }
  context.unknown(`node "${node.type}"`);
  return content(node, context, depth + 1);
}

/** Nodes without an element of their own. */
const unnamed = new Set(["doc", "blok"]);

/** Notes which node an element is made from. */
function named(made: ElementContent, name: string): ElementContent {
  return made.type === "element" ? { ...made, data: { richText: name } } : made;
}

function content(node: RichTextNode, context: RenderContext, depth: number): ElementContent[] {
  const own = node.text === "" ? [] : [{ ...node, type: "text", children: [] }];
  return nodesToHast([...own, ...childNodes(node)], context, depth);
}

function wrapped(tagName: string, node: RichTextNode, context: RenderContext, depth: number): ElementContent[] {
  return [element(tagName, blockAttributes(node.attrs), content(node, context, depth))];
}

function orderedList(node: RichTextNode, context: RenderContext, depth: number): ElementContent[] {
  const start = attribute(node.attrs, "order");
  const attributes: [string, string][] = /^\d+$/.test(start) && start !== "1" ? [["start", start]] : [];
  return [element("ol", attributes, content(node, context, depth))];
}

function codeBlock(node: RichTextNode): ElementContent[] {
  const className = attribute(node.attrs, "class");
  const text: ElementContent = { type: "text", value: codeText(node) };
  const attributes = [
    ...(className === "" ? [] : [["class", className] as [string, string]]),
    ...blockAttributes(node.attrs),
  ];
  return [element("pre", [], [element("code", attributes, [text])])];
}

/** The first rows, as long as they hold head cells only, become the head of the table. */
function table(node: RichTextNode, context: RenderContext, depth: number): ElementContent[] {
  const rows = childNodes(node);
  const bodyStart = rows.findIndex((row) => !isHeadRow(row));
  const headRows = bodyStart === -1 ? rows.length : bodyStart;
  const parts = [
    ["thead", rows.slice(0, headRows)],
    ["tbody", rows.slice(headRows)],
  ] as const;
  const children = parts.flatMap(([name, part]) => {
    return part.length === 0 ? [] : [element(name, [], nodesToHast(part, context, depth))];
  });
  return [element("table", [], children)];
}

function isHeadRow(row: RichTextNode): boolean {
  const cells = childNodes(row);
  return row.type === "tableRow" && cells.length > 0 && cells.every(({ type }) => type === "tableHeader");
}

function cell(tagName: string, node: RichTextNode, context: RenderContext, depth: number): Element {
  const attributes: [string, string][] = [];
  for (const span of ["colspan", "rowspan"]) {
    const count = Number(node.attrs[span] ?? 1);
    if (Number.isInteger(count) && count > 1 && count <= 1000) attributes.push([span, String(count)]);
  }
  const style = [columnWidth(node), background(node)].filter((declaration) => declaration !== "").join("; ");
  if (style !== "") attributes.push(["style", style]);
  return element(tagName, attributes, content(node, context, depth));
}

/** The width of a cell in pixels, as the editor stores it: `colwidth: [250]`, one number for each column it spans. */
function columnWidth(node: RichTextNode): string {
  const { colwidth } = node.attrs;
  const width = Number(Array.isArray(colwidth) ? colwidth[0] : (colwidth ?? Number.NaN));
  return Number.isFinite(width) && width > 0 && width <= 10_000 ? `width: ${width}px` : "";
}

function background(node: RichTextNode): string {
  const colour = attribute(node.attrs, "backgroundColor");
  return /^[\w#%.,()\s-]+$/.test(colour) && !/url/i.test(colour) ? `background-color: ${colour}` : "";
}
