import type { Element, ElementContent } from "hast";
import { toHast } from "mdast-util-to-hast";
import { htmlDocument } from "./html-in-text.js";
import { blockAttributes, isHarmlessColour } from "./inline-html.js";
import { inlineToHast } from "./inline-to-hast.js";
import { safeAddress } from "./link-address.js";
import { markdownCost, markdownTree } from "./markdown-tree.js";
import { type BlockOutput, renderBlocks, renderBodyField } from "./render-blocks.js";
import type { RenderContext } from "./render-context.js";
import { documentFlow, type FlowOutput, flow, flowInside } from "./rich-text-flow.js";
import { attribute, childNodes, codeText, headingLevel, type RichTextNode, wellFormed } from "./rich-text-node.js";

const handlers: FlowOutput<ElementContent>["handlers"] = {
  doc: content,
  paragraph: (node, context, depth) => wrapped("p", node, context, depth),
  heading: (node, context, depth) => wrapped(`h${headingLevel(node)}`, node, context, depth),
  blockquote: (node, context, depth) => wrapped("blockquote", node, context, depth),
  bullet_list: (node, context, depth) => wrapped("ul", node, context, depth),
  ordered_list: orderedList,
  list_item: (node, context, depth) => wrapped("li", node, context, depth),
  code_block: codeBlock,
  horizontal_rule: (node) => named("hr", node, [], []),
  table,
  tableRow: (node, context, depth) => wrapped("tr", node, context, depth),
  tableCell: (node, context, depth) => cell("td", node, context, depth),
  tableHeader: (node, context, depth) => cell("th", node, context, depth),
  blok: (node, context, depth) => renderBlocks(node.attrs.body, context, depth, blockOutput),
};

const output: FlowOutput<ElementContent> = {
  handlers,
  line: inlineToHast,
  plain: (texts) => [{ type: "text", value: texts.join(" ") }],
};

export function richTextToHast(document: unknown, context: RenderContext, depth = 0): ElementContent[] {
  return documentFlow(document, context, depth, output);
}

export function bodyFieldToHast(field: string, value: unknown, context: RenderContext): ElementContent[] {
  return renderBodyField(field, value, context, blockOutput);
}

const blockOutput: BlockOutput<ElementContent> = {
  renderer: ({ component }, { blocks }) => blocks.get(component)?.html?.bind(blocks.get(component)),
  richText: richTextToHast,
  paragraph: (line, context) => element("p", [], inlineToHast(line, context)),
  heading(line, context, rank) {
    const children = inlineToHast(line, context);
    return rank === undefined ? element("p", [], [element("strong", [], children)]) : element(`h${rank}`, [], children);
  },
  // Too costly to parse: shown as it is.
  markdown(text, context) {
    const html = htmlDocument(text, "markdown");
    if (html !== undefined) return richTextToHast({ type: "doc", content: html.content }, context);
    const cost = markdownCost(text);
    if (cost === undefined) return markdownToHast(wellFormed(text), context);
    context.unknown(cost);
    return [element("p", [], [{ type: "text", value: text }])];
  },
  quote: (children) => element("blockquote", [], children),
  list: (items) => element("ul", [], items.map(listItem)),
};

function listItem(children: ElementContent[]): Element {
  return element("li", [], children);
}

type Inside = [attributes: readonly [string, string][], children: ElementContent[]];

function element(tagName: string, ...[attributes, children]: Inside): Element {
  return { type: "element", tagName, properties: Object.fromEntries(attributes), children };
}

function named(tagName: string, { type }: RichTextNode, ...rest: Inside): ElementContent[] {
  return [{ ...element(tagName, ...rest), data: { richText: type } }];
}

function content(node: RichTextNode, context: RenderContext, depth: number): ElementContent[] {
  return flowInside(node, context, depth, output);
}

function wrapped(tagName: string, node: RichTextNode, context: RenderContext, depth: number): ElementContent[] {
  return named(tagName, node, blockAttributes(node.attrs), content(node, context, depth));
}

function orderedList(node: RichTextNode, context: RenderContext, depth: number): ElementContent[] {
  const start = attribute(node.attrs, "order");
  const attributes: [string, string][] = /^\d+$/.test(start) && start !== "1" ? [["start", start]] : [];
  return named("ol", node, attributes, content(node, context, depth));
}

function codeBlock(node: RichTextNode): ElementContent[] {
  const className = attribute(node.attrs, "class");
  const text: ElementContent = { type: "text", value: codeText(node) };
  const classes: [string, string][] = className === "" ? [] : [["class", className]];
  return named("pre", node, [], [element("code", [...classes, ...blockAttributes(node.attrs)], [text])]);
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
    return part.length === 0 ? [] : [element(name, [], flow(part, context, depth, output))];
  });
  return named("table", node, [], children);
}

function isHeadRow(row: RichTextNode): boolean {
  const cells = childNodes(row);
  return row.type === "tableRow" && cells.length > 0 && cells.every(({ type }) => type === "tableHeader");
}

function cell(tagName: string, node: RichTextNode, context: RenderContext, depth: number): ElementContent[] {
  const attributes: [string, string][] = [];
  for (const span of ["colspan", "rowspan"]) {
    const count = Number(node.attrs[span] ?? 1);
    if (Number.isInteger(count) && count > 1 && count <= 1000) attributes.push([span, String(count)]);
  }
  const style = [columnWidth(node), background(node)].filter((declaration) => declaration !== "").join("; ");
  if (style !== "") attributes.push(["style", style]);
  return named(tagName, node, attributes, content(node, context, depth));
}

/** As the editor stores it: `colwidth: [250]`, in pixels, one number for each column it spans. */
function columnWidth(node: RichTextNode): string {
  const { colwidth } = node.attrs;
  const width = Number(Array.isArray(colwidth) ? colwidth[0] : (colwidth ?? Number.NaN));
  return Number.isFinite(width) && width > 0 && width <= 10_000 ? `width: ${width}px` : "";
}

function background(node: RichTextNode): string {
  const colour = attribute(node.attrs, "backgroundColor");
  return isHarmlessColour(colour) ? `background-color: ${colour}` : "";
}

/** Harmless HTML is shown, other HTML becomes text, and a link that would run a script loses its address. */
function markdownToHast(source: string, context: RenderContext): ElementContent[] {
  const root = toHast(markdownTree(source), {
    handlers: {
      html: (_, { value }: { value: string }) => {
        if (/^<br\s*\/?>$/i.test(value)) return element("br", [], []);
        const html = htmlDocument(value, "text");
        return html === undefined
          ? { type: "text", value }
          : richTextToHast({ type: "doc", content: html.content }, context);
      },
    },
  });
  return "children" in root ? withoutScripts(root.children as ElementContent[]) : [];
}

function withoutScripts(children: ElementContent[]): ElementContent[] {
  const open = [...children];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type !== "element") continue;
    for (const name of ["href", "src"]) {
      const address = node.properties[name];
      if (typeof address === "string" && safeAddress(address) === "") delete node.properties[name];
    }
    for (const child of node.children) open.push(child);
  }
  return children;
}
