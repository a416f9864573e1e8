import type { DraftContent } from "./demo-story.js";
import { uuidOf } from "./identifiers.js";
import type { Text } from "./translated.js";

/** A node of a rich text document. */
export interface RichTextNode {
  type: string;
  attrs?: Record<string, unknown>;
  content?: RichTextNode[];
  marks?: Mark[];
  text?: Text;
}

/** A mark on a text. */
export interface Mark {
  type: string;
  attrs?: Record<string, unknown>;
}

/** What may stand in a line: a text, or a node made by one of the functions below. */
export type Inline = Text | RichTextNode;

/** A whole document. */
export function doc(...content: RichTextNode[]): RichTextNode {
  return { type: "doc", content };
}

/** A document of plain paragraphs. */
export function prose(...paragraphs: Text[]): RichTextNode {
  return doc(...paragraphs.map((text) => p(text)));
}

export function p(...content: Inline[]): RichTextNode {
  return node("paragraph", content.map(inline));
}

export function h(level: number, ...content: Inline[]): RichTextNode {
  return { type: "heading", attrs: { level }, content: content.map(inline) };
}

export function quote(...content: RichTextNode[]): RichTextNode {
  return node("blockquote", content);
}

/** A bullet list; an item is a text or a list of nodes. */
export function ul(...items: (Inline | RichTextNode[])[]): RichTextNode {
  return node("bullet_list", items.map(item));
}

export function ol(order: number, ...items: (Inline | RichTextNode[])[]): RichTextNode {
  return { type: "ordered_list", attrs: { order }, content: items.map(item) };
}

export function code(language: string, text: string): RichTextNode {
  return { type: "code_block", attrs: { class: `language-${language}` }, content: [{ type: "text", text }] };
}

export function br(): RichTextNode {
  return { type: "hard_break" };
}

export function hr(): RichTextNode {
  return { type: "horizontal_rule" };
}

export function emoji(name: string, character: string): RichTextNode {
  return { type: "emoji", attrs: { name, emoji: character, fallbackImage: null } };
}

/** An image of the asset library. */
export function image(asset: { id: number | null; url: string }, alt: Text, title: Text = ""): RichTextNode {
  return {
    type: "image",
    attrs: { id: asset.id, alt, src: asset.url, title, source: "", copyright: "", meta_data: {} },
  };
}

/** Blocks in the middle of a text. */
export function embed(id: string, ...body: DraftContent[]): RichTextNode {
  return { type: "blok", attrs: { id, body } };
}

/** A table: the first row is its head. */
export function table(...rows: Inline[][]): RichTextNode {
  return node(
    "table",
    rows.map((cells, row) =>
      node(
        "tableRow",
        cells.map((cell) => ({
          type: row === 0 ? "tableHeader" : "tableCell",
          attrs: { colspan: 1, rowspan: 1, colwidth: null, backgroundColor: null },
          content: [p(cell)],
        })),
      ),
    ),
  );
}

/** A text with marks: `marked("sky", "bold", "italic")`. */
export function marked(text: Text, ...marks: (string | Mark)[]): RichTextNode {
  return { type: "text", text, marks: marks.map((mark) => (typeof mark === "string" ? { type: mark } : mark)) };
}

export function bold(text: Text): RichTextNode {
  return marked(text, "bold");
}

export function italic(text: Text): RichTextNode {
  return marked(text, "italic");
}

/** A link to the story at a path of this space. `href` is what an editor's last save left there: it may be stale. */
export function storyLink(path: string, text: Text, more: { anchor?: string; href?: string } = {}): RichTextNode {
  return marked(text, {
    type: "link",
    attrs: {
      href: more.href ?? `/${path}`,
      uuid: uuidOf(path),
      anchor: more.anchor ?? null,
      target: "_self",
      linktype: "story",
    },
  });
}

/** A link to an address, a mail address (without `mailto:`) or an asset. */
export function link(linktype: "url" | "email" | "asset", href: string, text: Text): RichTextNode {
  return marked(text, {
    type: "link",
    attrs: { href, uuid: null, anchor: null, target: linktype === "url" ? "_blank" : null, linktype },
  });
}

function node(type: string, content: RichTextNode[]): RichTextNode {
  return { type, content };
}

function inline(content: Inline): RichTextNode {
  return typeof content === "object" && "type" in content ? content : { type: "text", text: content };
}

function item(content: Inline | RichTextNode[]): RichTextNode {
  return node("list_item", Array.isArray(content) ? content : [p(content)]);
}
