import type { Literal, Node, PhrasingContent } from "mdast";
import { costLimits } from "../../lib/cost-limits.js";
import { isShown, tidyLine, wrapInside } from "./inline-edges.js";
import { inTags, linkElement, markElement } from "./inline-html.js";
import { safeAddress } from "./link-address.js";
import { type InlineLeaf, type InlineTree, type MarkedRun, markTree } from "./mark-tree.js";
import type { RenderContext } from "./render-context.js";
import { attribute, inlineText, type RichTextNode, wellFormed } from "./rich-text-node.js";

/** Written as a reference: a line ending must not begin a line of Markdown, and readers drop a byte order mark. */
export interface CharacterReference extends Node {
  type: "characterReference";
  /** Not called `value`: a heading with a line ending in a value is underlined, and markdown-it may read that as a table. */
  character: string;
}

declare module "mdast" {
  interface PhrasingContentMap {
    characterReference: CharacterReference;
  }
  interface RootContentMap {
    characterReference: CharacterReference;
  }
}

export interface InlineOptions {
  /** `html`: `<br>`, for headings and cells. */
  breaks?: "markdown" | "html";
  /** True in a cell of a Markdown table, where code cannot hold a `|`. */
  inCell?: boolean;
  emphasis?: "markdown" | "html";
}

/**
 * Nodes of one line. With more than {@link costLimits.emphasesOfLine} pieces of emphasis these become HTML:
 * matching the asterisks of a line takes quadratic time.
 */
export function inlineToMdast(
  nodes: readonly RichTextNode[],
  context: RenderContext,
  options: InlineOptions = {},
): PhrasingContent[] {
  const tree = markTree(nodes, (what) => context.unknown(what));
  const written: InlineOptions = hasManyEmphases(tree) ? { ...options, emphasis: "html" } : options;
  return tidyLine(merged(tree.flatMap((item) => inlineItem(item, written))));
}

function hasManyEmphases(tree: readonly InlineTree[]): boolean {
  const open = [...tree];
  let count = 0;
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    if (!("mark" in item)) continue;
    if (emphases.has(item.mark.type)) count += 1;
    for (const child of item.children) open.push(child);
  }
  return count > costLimits.emphasesOfLine;
}

const emphases = new Map<string, "strong" | "emphasis" | "delete">([
  ["bold", "strong"],
  ["italic", "emphasis"],
  ["strike", "delete"],
]);

function textNode(value: string): PhrasingContent[] {
  return value === "" ? [] : [{ type: "text", value }];
}

function inlineItem(item: InlineTree, options: InlineOptions): PhrasingContent[] {
  return "mark" in item ? markedRun(item, options) : leaf(item, options);
}

function markedRun(run: MarkedRun, options: InlineOptions): PhrasingContent[] {
  const children = merged(run.children.flatMap((item) => inlineItem(item, options)));
  if (children.length === 0) return [];
  const type = emphases.get(run.mark.type);
  if (type !== undefined) {
    const isHtml = options.emphasis === "html";
    return wrapInside(children, true, (inner) => (isHtml ? inElement(run, inner) : [{ type, children: inner }]));
  }
  const wrap = run.mark.type === "link" ? link : inElement;
  return wrapInside(children, false, (inner) => wrap(run, inner));
}

function inElement({ mark }: MarkedRun, children: PhrasingContent[]): PhrasingContent[] {
  const element = markElement(mark);
  const isTarget = element?.attributes.some(([name]) => name === "id");
  if (element === undefined || !(isTarget || children.some(isShown))) return children;
  return inTags(element, children);
}

/** A link as Markdown, or as HTML if it has attributes other than address and title. */
function link(run: MarkedRun, children: PhrasingContent[]): PhrasingContent[] {
  const element = linkElement(run.mark.attrs);
  if (element === undefined || !children.some(isShown)) return children;
  const attributes = new Map(element.attributes);
  const title = attributes.get("title");
  if (attributes.size === (title === undefined ? 1 : 2)) {
    const shown = title === undefined ? null : oneLine(title);
    return [{ type: "link", url: carried(attributes.get("href") ?? ""), title: shown, children }];
  }
  return inTags(element, children);
}

function leaf({ leaf: node, code }: InlineLeaf, options: InlineOptions): PhrasingContent[] {
  if (node.type === "hard_break")
    return [options.breaks === "html" ? { type: "html", value: "<br>" } : { type: "break" }];
  if (node.type === "image") return image(node);
  const text = inlineText(node);
  if (text === "") return [];
  return code ? inlineCode(text, options) : textNodes(text);
}

function image(node: RichTextNode): PhrasingContent[] {
  const url = safeAddress(attribute(node.attrs, "src"));
  const alt = attribute(node.attrs, "alt");
  const title = attribute(node.attrs, "title");
  if (url === "") return textNodes(alt || title);
  return [{ type: "image", url: carried(url), alt: oneLine(alt), title: title === "" ? null : oneLine(title) }];
}

function inlineCode(text: string, options: InlineOptions): PhrasingContent[] {
  const value = oneLine(text);
  if (!options.inCell || !/[|\\]/.test(value)) return [{ type: "inlineCode", value }];
  return inTags({ name: "code", attributes: [] }, textNode(value));
}

function textNodes(text: string): PhrasingContent[] {
  return carried(text)
    .split(/([\n\ufeff])/)
    .flatMap((value, index): PhrasingContent[] => {
      return index % 2 === 1 ? [{ type: "characterReference", character: value }] : textNode(value);
    });
}

/** Joins neighbours that Markdown would read as one: texts, pieces of code, emphasis of the same kind. */
function merged(nodes: readonly PhrasingContent[]): PhrasingContent[] {
  const result: PhrasingContent[] = [];
  for (let start = 0; start < nodes.length; ) {
    const first = nodes[start]!;
    let end = start + 1;
    while (nodes[end]?.type === first.type) end += 1;
    // All at once: neighbours joined one by one would be copied again and again.
    const joined = end === start + 1 ? undefined : join(first, nodes.slice(start, end));
    if (joined !== undefined) result.push(joined);
    else for (const node of nodes.slice(start, end)) result.push(node);
    start = end;
  }
  return result;
}

function join(first: PhrasingContent, nodes: readonly PhrasingContent[]): PhrasingContent | undefined {
  if (first.type === "text" || first.type === "inlineCode")
    return { ...first, value: (nodes as Literal[]).map(({ value }) => value).join("") };
  if (first.type === "strong" || first.type === "emphasis" || first.type === "delete") {
    return { ...first, children: merged((nodes as (typeof first)[]).flatMap(({ children }) => children)) };
  }
  return undefined;
}

function oneLine(text: string): string {
  return carried(text).replace(/\n/g, " ");
}

/** With `\n` for every line ending, and U+FFFD for what neither UTF-8 nor a character reference can express. */
function carried(text: string): string {
  return wellFormed(text)
    .replace(/\r\n?|[\v\f\u0085]/g, "\n")
    .replace(/[\u0001-\u0008\u000e-\u001f\u007f-\u009f]/g, "\ufffd");
}
