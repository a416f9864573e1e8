import type { Literal, PhrasingContent } from "mdast";
import { linkElement, markElement, openTag } from "./inline-html.js";
import { safeAddress } from "./link-address.js";
import { type InlineLeaf, type InlineTree, type MarkedRun, markTree } from "./mark-tree.js";
import type { RenderContext } from "./render-context.js";
import { attribute, inlineText, type RichTextNode } from "./rich-text-node.js";
import { wellFormed } from "./well-formed.js";

/**
 * A character of a text that is written as a reference: a line ending, which must not begin a line of Markdown, or a
 * byte order mark, which readers drop.
 */
export interface CharacterReference extends Literal {
  type: "characterReference";
  value: string;
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
  /** `html`: line breaks as `<br>`, for headings and cells. */
  breaks?: "markdown" | "html";
  /** True in a cell of a Markdown table, where code cannot hold a `|`. */
  inCell?: boolean;
}

/** The nodes of one line of text as phrasing content; any other node becomes its text. */
export function inlineToMdast(
  nodes: readonly RichTextNode[],
  context: RenderContext,
  options: InlineOptions = {},
): PhrasingContent[] {
  const tree = markTree(nodes, (what) => context.unknown(what));
  const children = merged(tree.flatMap((item) => inlineItem(item, options)));
  return options.inCell ? keepEdges(children) : children;
}

/** Writes spaces at the edges of a cell as references, because readers drop them otherwise. */
function keepEdges(children: readonly PhrasingContent[]): PhrasingContent[] {
  const last = children.at(-1);
  const kept = [...children];
  if (last?.type === "text" && /[ \t]$/.test(last.value))
    kept.splice(-1, 1, ...splitOff(last.value, last.value.length - 1));
  const head = kept[0];
  if (head?.type === "text" && /^[ \t]/.test(head.value)) kept.splice(0, 1, ...splitOff(head.value, 0));
  return kept;
}

function splitOff(text: string, at: number): PhrasingContent[] {
  const before = text.slice(0, at);
  const after = text.slice(at + 1);
  return [
    ...(before === "" ? [] : [{ type: "text", value: before } satisfies PhrasingContent]),
    { type: "characterReference", value: text.charAt(at) },
    ...(after === "" ? [] : [{ type: "text", value: after } satisfies PhrasingContent]),
  ];
}

function inlineItem(item: InlineTree, options: InlineOptions): PhrasingContent[] {
  return "mark" in item ? markedRun(item, options) : leaf(item, options);
}

function markedRun(run: MarkedRun, options: InlineOptions): PhrasingContent[] {
  const children = merged(run.children.flatMap((item) => inlineItem(item, options)));
  if (children.length === 0) return [];
  if (run.mark.type === "bold") return outsideSpaces(children, (inner) => ({ type: "strong", children: inner }));
  if (run.mark.type === "italic") return outsideSpaces(children, (inner) => ({ type: "emphasis", children: inner }));
  if (run.mark.type === "strike") return outsideSpaces(children, (inner) => ({ type: "delete", children: inner }));
  if (run.mark.type === "link") return link(run, children);
  const element = markElement(run.mark);
  if (element === undefined) return children;
  return [{ type: "html", value: openTag(element) }, ...children, { type: "html", value: `</${element.name}>` }];
}

/** A link as Markdown, or as HTML when it has attributes beside its address and title. */
function link(run: MarkedRun, children: PhrasingContent[]): PhrasingContent[] {
  const element = linkElement(run.mark.attrs);
  if (element === undefined) return children;
  const attributes = new Map(element.attributes);
  const title = attributes.get("title");
  if (attributes.size === (title === undefined ? 1 : 2)) {
    const shown = title === undefined ? null : oneLine(title);
    return [{ type: "link", url: carried(attributes.get("href") ?? ""), title: shown, children }];
  }
  return [{ type: "html", value: openTag(element) }, ...children, { type: "html", value: "</a>" }];
}

/** Spaces at the edges of emphasis belong outside: `**bold** text`, not `**bold&#x20;**text`. */
function outsideSpaces(
  children: PhrasingContent[],
  wrap: (inner: PhrasingContent[]) => PhrasingContent,
): PhrasingContent[] {
  const inner = [...children];
  const before = cutSpaces(inner, 0, /^\s+/);
  const after = cutSpaces(inner, inner.length - 1, /\s+$/);
  return [...before, ...(inner.length === 0 ? [] : [wrap(inner)]), ...after];
}

function cutSpaces(children: PhrasingContent[], index: number, pattern: RegExp): PhrasingContent[] {
  const child = children[index];
  const spaces = child?.type === "text" ? (pattern.exec(child.value)?.[0] ?? "") : "";
  if (child?.type !== "text" || spaces === "") return [];
  const rest = child.value.replace(pattern, "");
  children.splice(index, 1, ...(rest === "" ? [] : [{ type: "text", value: rest } satisfies PhrasingContent]));
  return [{ type: "text", value: spaces }];
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
  return [
    { type: "html", value: "<code>" },
    { type: "text", value },
    { type: "html", value: "</code>" },
  ];
}

function textNodes(text: string): PhrasingContent[] {
  return carried(text)
    .split(/([\n\ufeff])/)
    .flatMap((value, index): PhrasingContent[] => {
      if (index % 2 === 1) return [{ type: "characterReference", value }];
      return value === "" ? [] : [{ type: "text", value }];
    });
}

/** Joins neighbours that Markdown would read as one: texts, pieces of code, emphasis of the same kind. */
function merged(nodes: readonly PhrasingContent[]): PhrasingContent[] {
  const result: PhrasingContent[] = [];
  for (const node of nodes) {
    const joined = join(result.at(-1), node);
    if (joined === undefined) result.push(node);
    else result[result.length - 1] = joined;
  }
  return result;
}

function join(left: PhrasingContent | undefined, right: PhrasingContent): PhrasingContent | undefined {
  if (left === undefined || left.type !== right.type) return undefined;
  if (left.type === "text" || left.type === "inlineCode")
    return { ...left, value: left.value + (right as Literal).value };
  if (left.type === "strong" || left.type === "emphasis" || left.type === "delete") {
    return { ...left, children: merged([...left.children, ...(right as typeof left).children]) };
  }
  return undefined;
}

function oneLine(text: string): string {
  return carried(text).replace(/\n/g, " ");
}

/**
 * The text as Markdown can carry it: every kind of line ending as `\n`, and U+FFFD for lone surrogates and control
 * characters, which neither UTF-8 nor a character reference can express.
 */
function carried(text: string): string {
  return wellFormed(text)
    .replace(/\r\n?|[\v\f\u0085]/g, "\n")
    .replace(/[\u0001-\u0008\u000e-\u001f\u007f-\u009f]/g, "\ufffd");
}
