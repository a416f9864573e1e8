import { uuidOf } from "./identifiers.js";
import type { Text } from "./translated.js";

/** A node of a rich text document. */
export interface RichTextNode {
  type: string;
  attrs?: Record<string, unknown>;
  content?: RichTextNode[] | undefined;
  marks?: Mark[] | undefined;
  text?: Text;
}

/** A mark on a text. */
export interface Mark {
  type: string;
  attrs?: Record<string, unknown>;
}

/** A whole document. */
export function doc(...content: RichTextNode[]): RichTextNode {
  return { type: "doc", content };
}

/** A document of plain paragraphs. */
export function prose(...paragraphs: Text[]): RichTextNode {
  return doc(...paragraphs.map((paragraph) => p(text(paragraph))));
}

export function p(...content: RichTextNode[]): RichTextNode {
  return { type: "paragraph", content };
}

export function h(level: number, ...content: RichTextNode[]): RichTextNode {
  return { type: "heading", attrs: { level }, content };
}

export function quote(...content: RichTextNode[]): RichTextNode {
  return { type: "blockquote", content };
}

/** A bullet list; an item is a list of blocks. */
export function ul(...items: RichTextNode[][]): RichTextNode {
  return { type: "bullet_list", content: items.map(listItem) };
}

/** A list that counts from `order`. */
export function ol(order: number, ...items: RichTextNode[][]): RichTextNode {
  return { type: "ordered_list", attrs: { order }, content: items.map(listItem) };
}

function listItem(content: RichTextNode[]): RichTextNode {
  return { type: "list_item", content };
}

export function code(language: string, source: string): RichTextNode {
  return { type: "code_block", attrs: { class: `language-${language}` }, content: [text(source)] };
}

export function br(): RichTextNode {
  return { type: "hard_break" };
}

export function hr(): RichTextNode {
  return { type: "horizontal_rule" };
}

/** An image of the asset library. */
export function image(asset: { id: number | null; url: string }, alt: Text, title: Text = ""): RichTextNode {
  return {
    type: "image",
    attrs: { id: asset.id, alt, src: asset.url, title, source: "", copyright: "", meta_data: {} },
  };
}

/** A table of lines: the first row is its head. */
export function table(...rows: RichTextNode[][][]): RichTextNode {
  const cell = (row: number, line: RichTextNode[]): RichTextNode => ({
    type: row === 0 ? "tableHeader" : "tableCell",
    attrs: { colspan: 1, rowspan: 1, colwidth: null, backgroundColor: null },
    content: [p(...line)],
  });
  return {
    type: "table",
    content: rows.map((cells, row) => ({ type: "tableRow", content: cells.map((line) => cell(row, line)) })),
  };
}

export function text(value: Text, marks: readonly Mark[] = []): RichTextNode {
  return marks.length === 0 ? { type: "text", text: value } : { type: "text", text: value, marks: [...marks] };
}

/** The nodes of a line, where texts without marks that follow each other are one node, and empty ones are left out. */
export function joined(nodes: readonly RichTextNode[]): RichTextNode[] {
  const line: RichTextNode[] = [];
  for (const node of nodes) {
    const last = line.at(-1);
    if (node.text === "") continue;
    if (isPlain(last) && isPlain(node)) line[line.length - 1] = text(last.text + node.text);
    else line.push(node);
  }
  return line;
}

function isPlain(node: RichTextNode | undefined): node is RichTextNode & { text: string } {
  return node !== undefined && typeof node.text === "string" && node.marks === undefined;
}

/** A link to the story at a path of this space. */
export function storyLink(path: string, title: Text): RichTextNode {
  return text(title, [storyLinkMark(path)]);
}

/** The mark of a link to the story at a path. `href` is what an editor's last save left there: it may be stale. */
export function storyLinkMark(
  path: string,
  { anchor, href }: { anchor?: string | undefined; href?: string | undefined } = {},
): Mark {
  const attrs = {
    href: href ?? `/${path}`,
    uuid: uuidOf(path),
    anchor: anchor ?? null,
    target: "_self",
    linktype: "story",
  };
  return { type: "link", attrs };
}

/** The mark of a link to an address, a mail address (without `mailto:`) or an asset. */
export function linkMark(linktype: "url" | "email" | "asset", href: string): Mark {
  const target = linktype === "url" ? "_blank" : null;
  return { type: "link", attrs: { href, uuid: null, anchor: null, target, linktype } };
}
