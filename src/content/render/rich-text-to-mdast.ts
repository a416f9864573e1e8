import type { BlockContent, DefinitionContent, List, ListItem, PhrasingContent, RootContent } from "mdast";
import { htmlDocument } from "./html-in-text.js";
import { direction, inTags, unusualAttributes } from "./inline-html.js";
import { inlineToMdast } from "./inline-to-mdast.js";
import { closedMarkdown, markdownSource } from "./markdown-source.js";
import { markdownCost } from "./markdown-tree.js";
import { type BlockOutput, renderBlocks, renderBodyField } from "./render-blocks.js";
import type { RenderContext } from "./render-context.js";
import { documentFlow, type FlowOutput, flow, flowInside } from "./rich-text-flow.js";
import {
  attribute,
  childNodes,
  codeText,
  headingLevel,
  isInline,
  type RichTextNode,
  readNode,
} from "./rich-text-node.js";
import { textLines } from "./table-field.js";
import { tableToMdast } from "./table-to-mdast.js";

type FlowContent = BlockContent | DefinitionContent;

const handlers: FlowOutput<RootContent>["handlers"] = {
  paragraph: (node, context, depth) => aligned(node, context, (inner) => flow(childNodes(node), inner, depth, output)),
  heading: (node, context, depth) => aligned(node, context, (inner) => heading(node, inner, depth)),
  blockquote: (node, context, depth) => aligned(node, context, (inner) => quote(content(node, inner, depth))),
  bullet_list: (node, context, depth) => list(node, context, depth, false),
  ordered_list: (node, context, depth) => list(node, context, depth, true),
  list_item: (node, context, depth) => aligned(node, context, (inner) => content(node, inner, depth)),
  code_block: (node) => [codeBlock(node)],
  horizontal_rule: () => [{ type: "thematicBreak" }],
  table: tableToMdast,
  tableRow: content,
  tableCell: content,
  tableHeader: content,
  blok: (node, context, depth) => renderBlocks(node.attrs.body, context, depth, blockOutput),
  doc: content,
};

const output: FlowOutput<RootContent> = {
  handlers,
  line: (nodes, context) => paragraph(inlineToMdast(nodes, context)),
  plain(texts) {
    const value = texts.filter((text) => text !== "").join(" ");
    return paragraph(value === "" ? [] : [{ type: "text", value }]);
  },
};

export function richTextToMdast(document: unknown, context: RenderContext, depth = 0): RootContent[] {
  return documentFlow(document, context, depth, output);
}

export function bodyFieldToMdast(field: string, value: unknown, context: RenderContext): RootContent[] {
  if (typeof value === "string") return editorMarkdown(value, context);
  return renderBodyField(field, value, context, blockOutput);
}

const blockOutput: BlockOutput<RootContent> = {
  renderer: ({ component }, { blocks }) => blocks.get(component)?.markdown?.bind(blocks.get(component)),
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

function content(node: RichTextNode, context: RenderContext, depth: number): RootContent[] {
  return flowInside(node, context, depth, output);
}

function quote(children: RootContent[]): RootContent[] {
  return children.length === 0 ? [] : [{ type: "blockquote", children: children as FlowContent[] }];
}

function paragraph(children: PhrasingContent[]): RootContent[] {
  return children.length === 0 ? [] : [{ type: "paragraph", children }];
}

/** A heading, and after it what Markdown allows in none: blocks, lists. */
function heading(node: RichTextNode, context: RenderContext, depth: number): RootContent[] {
  const nodes = childNodes(node);
  const children = oneLine(nodes.filter(isInline), context);
  const blocks = nodes.filter((child) => !isInline(child));
  const rest = flow(blocks, context, depth, output);
  return children.length === 0 ? rest : [{ type: "heading", depth: headingLevel(node), children }, ...rest];
}

function list(node: RichTextNode, context: RenderContext, depth: number, ordered: boolean): RootContent[] {
  const items = childNodes(node).map((child): ListItem => {
    const children = flow([child], context, depth, output);
    return { type: "listItem", spread: isLoose(children), children: children as FlowContent[] };
  });
  if (items.length === 0) return [];
  const start = Math.trunc(Number(node.attrs.order ?? node.attrs.start ?? 1));
  const order = ordered ? { start: start >= 0 && start < 1e8 ? start : 1 } : {};
  return [{ type: "list", ordered, ...order, spread: items.some((item) => item.spread), children: items }];
}

/** True if an item needs blank lines: it holds more than one paragraph and lists after it, or such a list begins empty. */
function isLoose(children: readonly RootContent[]): boolean {
  return children.some((child, index) => {
    return child.type === "paragraph" ? index > 0 : child.type !== "list" || beginsEmpty(child);
  });
}

/** True if the first line of a list has no text, `- -`: it would be read as a part of the paragraph above it. */
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

/** Makes kramdown read Markdown inside HTML. */
const inside: [string, string] = ["markdown", "1"];

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
  const kramdown = context.target?.isKramdown ? [inside] : [];
  return inTags({ name: "div", attributes: [...attributes, ...kramdown] }, children);
}

function editorMarkdown(text: string, context: RenderContext): RootContent[] {
  const html = htmlDocument(text, "markdown");
  if (html !== undefined) return richTextToMdast({ type: "doc", content: html.content }, context);
  const cost = markdownCost(text);
  if (cost !== undefined) {
    context.unknown(cost);
    return plainParagraphs(text, context);
  }
  const source = closedMarkdown(markdownSource(text, context.target));
  return source === "" ? [] : [{ type: "html", value: source }];
}

function plainParagraphs(text: string, context: RenderContext): RootContent[] {
  return text.split(/\n[ \t\r]*\n/).flatMap((lines) => {
    return paragraph(inlineToMdast(childNodes(readNode(textLines(lines))!), context));
  });
}
