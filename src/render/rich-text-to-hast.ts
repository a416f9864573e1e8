import type { Element, ElementContent } from "hast";
import { blocksToHast } from "./blocks-to-hast.js";
import { codeText } from "./code-text.js";
import { blockAttributes } from "./inline-html.js";
import { inlineToHast } from "./inline-to-hast.js";
import type { RenderContext } from "./render-context.js";
import {
  attribute,
  childNodes,
  headingLevel,
  isInline,
  maxDepth,
  plainText,
  type RichTextNode,
  readNode,
} from "./rich-text-node.js";

type Handler = (node: RichTextNode, context: RenderContext, depth: number) => ElementContent[];

const handlers: Record<string, Handler> = {
  doc: (node, context, depth) => content(node, context, depth),
  paragraph: (node, context, depth) => wrapped("p", node, context, depth),
  heading: (node, context, depth) => wrapped(`h${headingLevel(node)}`, node, context, depth),
  blockquote: (node, context, depth) => wrapped("blockquote", node, context, depth),
  bullet_list: (node, context, depth) => wrapped("ul", node, context, depth),
  ordered_list: (node, context, depth) => orderedList(node, context, depth),
  list_item: (node, context, depth) => wrapped("li", node, context, depth),
  code_block: (node) => codeBlock(node),
  horizontal_rule: () => [element("hr", [], [])],
  table: (node, context, depth) => [element("table", [], [element("tbody", [], content(node, context, depth))])],
  tableRow: (node, context, depth) => wrapped("tr", node, context, depth),
  tableCell: (node, context, depth) => [cell("td", node, context, depth)],
  tableHeader: (node, context, depth) => [cell("th", node, context, depth)],
  blok: (node, context, depth) => blocksToHast(node.attrs.body, context, depth),
};

/**
 * Rich text as HTML's syntax tree, every node and mark of it. Unknown nodes keep their text and are told to the
 * context; what is nested deeper than {@link maxDepth} is kept as plain text.
 *
 * @param document the value of a rich text field, of any shape
 */
export function richTextToHast(document: unknown, context: RenderContext, depth = 0): ElementContent[] {
  const node = readNode(document);
  return node === undefined ? [] : nodesToHast([node], context, depth);
}

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
    if (index > start) result.push(...inlineToHast(nodes.slice(start, index), context));
    else result.push(...nodeToHast(nodes[index++]!, context, depth));
  }
  return result;
}

function nodeToHast(node: RichTextNode, context: RenderContext, depth: number): ElementContent[] {
  const handler = Object.hasOwn(handlers, node.type) ? handlers[node.type] : undefined;
  if (handler !== undefined) return handler(node, context, depth + 1);
  context.unknown(`node "${node.type}"`);
  return content(node, context, depth + 1);
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
  return [element("pre", [], [element("code", className === "" ? [] : [["class", className]], [text])])];
}

function cell(tagName: string, node: RichTextNode, context: RenderContext, depth: number): Element {
  const colour = attribute(node.attrs, "backgroundColor");
  const attributes: [string, string][] = [];
  for (const span of ["colspan", "rowspan"]) {
    const count = Number(node.attrs[span] ?? 1);
    if (Number.isInteger(count) && count > 1 && count <= 1000) attributes.push([span, String(count)]);
  }
  if (/^[\w#%.,()\s-]+$/.test(colour) && !/url/i.test(colour))
    attributes.push(["style", `background-color: ${colour}`]);
  return element(tagName, attributes, content(node, context, depth));
}
