import { inMap } from "../../lib/collections/in-map.js";
import { costLimits } from "../../lib/cost-limits.js";
import type { JsonObject } from "../resolve/content-shape.js";
import { blockElements, droppedElements, embeddingElements, emptyElements, markOfElement } from "./html-elements.js";
import type { HtmlToken } from "./html-tokens.js";
import { hasInk } from "./inline-edges.js";
import { safeAddress } from "./link-address.js";
import { synonyms } from "./word-list.js";

export interface HtmlDocument {
  content: JsonObject[];
  /** True if something that is not for readers was left out: a script, a form control. */
  dropsSomething: boolean;
}

/** Each has all that its parent has, unless it says otherwise. */
interface OpenElement {
  name: string;
  depth: number;
  blocks: JsonObject[];
  line: JsonObject;
  marks: readonly JsonObject[];
  /** True where white space counts. */
  isPre: boolean;
}

const tableElements = new Set(["table", "thead", "tbody", "tfoot", "tr", "td", "th", "caption"]);
const headings = ["h1", "h2", "h3", "h4", "h5", "h6"];
const rows = ["tr", "thead", "tbody", "tfoot"];
const cells = ["td", "th"];
const ofTable = [...cells, "tr", "table"];

/** A tag of `tags` closes the innermost open element of `ends`, unless an element of `within` is open in that. */
const endings = [
  { tags: new Set(["a"]), ends: ["a"], within: ofTable },
  { tags: blockElements, ends: ["p"], within: ofTable },
  { tags: new Set(headings), ends: headings, within: ofTable },
  { tags: new Set(["li"]), ends: ["li"], within: ["ul", "ol", "menu", ...ofTable] },
  { tags: new Set(["dt", "dd"]), ends: ["dt", "dd"], within: ["dl", ...ofTable] },
  { tags: new Set([...cells, ...rows]), ends: cells, within: ["tr", "table"] },
  { tags: new Set(rows), ends: ["tr"], within: ["table"] },
];

/**
 * Elements are closed where HTML says so; what never closes ends with the text. Takes linear time.
 * Undefined if an element that is left out never closes. @param newlines what a line ending in a line of text means
 */
export function htmlToRichText(tokens: readonly HtmlToken[], newlines: "space" | "break"): HtmlDocument | undefined {
  const reader = new HtmlReader(newlines);
  for (const token of tokens) reader.read(token);
  return reader.end();
}

class HtmlReader {
  readonly #newlines: "space" | "break";
  readonly #content: JsonObject[] = [];
  readonly #open: OpenElement[];
  /** The positions of the open elements by name. */
  readonly #places = new Map<string, number[]>();
  #line: JsonObject[] = [];
  #dropsSomething = false;
  /** The name of the element whose content is left out, and how many of that name are open in it. */
  #dropped: { name: string; depth: number } | undefined;

  constructor(newlines: "space" | "break") {
    this.#newlines = newlines;
    const root = { name: "", depth: 0, blocks: this.#content, line: { type: "paragraph" }, marks: [], isPre: false };
    this.#open = [root];
  }

  read(token: HtmlToken): void {
    if (token.kind === "comment") return;
    if (this.#dropped !== undefined) this.#skip(token);
    else if (token.kind === "text") this.#text(token.text);
    else if (token.kind === "close") this.#close(token.name);
    else this.#element(token.name, token.attributes);
  }

  end(): HtmlDocument | undefined {
    if (this.#dropped !== undefined) return undefined;
    this.#endLine();
    return { content: this.#content, dropsSomething: this.#dropsSomething };
  }

  get #top(): OpenElement {
    return this.#open.at(-1)!;
  }

  #skip(token: HtmlToken): void {
    const dropped = this.#dropped!;
    if (token.kind !== "open" && token.kind !== "close") return;
    if (token.name !== dropped.name) return;
    dropped.depth += token.kind === "open" ? 1 : -1;
    if (dropped.depth === 0) this.#dropped = undefined;
  }

  #text(text: string): void {
    const { isPre, marks } = this.#top;
    if (isPre) {
      const shown = this.#line.length === 0 ? text.replace(/^\r?\n/, "") : text;
      this.#line.push({ type: "text", text: shown, marks: [] });
      return;
    }
    const isAtRoot = this.#open.length === 1;
    const paragraphs = isAtRoot ? text.split(/\n[ \t\r]*\n\s*/) : [text];
    for (const [index, paragraph] of paragraphs.entries()) {
      if (index > 0) this.#endLine();
      const lines = this.#newlines === "break" ? paragraph.split("\n") : [paragraph];
      for (const [at, line] of lines.entries()) {
        if (at > 0) this.#line.push({ type: "hard_break", marks });
        this.#words(line.replace(/[ \t\r\n\f]+/g, " "), marks);
      }
    }
  }

  #words(text: string, marks: readonly JsonObject[]): void {
    const last = this.#line.at(-1);
    const followsSpace = last === undefined || last.type === "hard_break" || String(last.text ?? "").endsWith(" ");
    const shown = followsSpace && text.startsWith(" ") ? text.slice(1) : text;
    if (shown !== "") this.#line.push({ type: "text", text: shown, marks });
  }

  #element(name: string, attributes: ReadonlyMap<string, string>): void {
    if (embeddingElements.has(name)) this.#embedded(name, attributes);
    else if (droppedElements.has(name)) {
      this.#dropsSomething = true;
      if (!emptyElements.has(name)) this.#dropped = { name, depth: 1 };
    } else if (name === "br") this.#line.push({ type: "hard_break", marks: this.#top.marks });
    else if (name === "img") this.#image(attributes);
    else if (name === "hr") this.#rule();
    else if (!emptyElements.has(name)) this.#begin(name, attributes);
  }

  #embedded(name: string, attributes: ReadonlyMap<string, string>): void {
    const address = safeAddress(attributes.get("src") ?? "");
    if (address === "" || /^data:/i.test(address)) this.#dropsSomething = true;
    else {
      this.#endLine();
      const text = attributes.get("title")?.trim() || address;
      this.#line.push({ type: "text", text, marks: [linkMark(address, undefined)] });
      this.#endLine();
    }
    // What stands in it is for browsers that do not know the element.
    if (name !== "embed" && name !== "iframe") this.#dropped = { name, depth: 1 };
  }

  #image(attributes: ReadonlyMap<string, string>): void {
    const size = { width: Number(attributes.get("width")), height: Number(attributes.get("height")) };
    const texts = Object.fromEntries(["src", "alt", "title"].map((name) => [name, attributes.get(name) ?? ""]));
    this.#line.push({ type: "image", attrs: { ...texts, ...size }, marks: this.#top.marks });
  }

  #rule(): void {
    this.#closeBefore("hr");
    this.#endLine();
    this.#top.blocks.push({ type: "horizontal_rule" });
  }

  #begin(name: string, attributes: ReadonlyMap<string, string>): void {
    this.#closeBefore(name);
    if (blockElements.has(name)) this.#endLine();
    const parent = this.#top;
    const child: OpenElement = { ...parent, name };
    const mark = this.#markOf(name, attributes);
    if (mark !== undefined && parent.marks.length < 8) child.marks = [...parent.marks, mark];
    const node = parent.depth < costLimits.htmlNesting ? nodeOf(name, attributes) : undefined;
    if (node !== undefined) {
      parent.blocks.push(node);
      const line = { type: "paragraph" };
      Object.assign(child, { depth: parent.depth + 1, blocks: node.content, line, isPre: false });
    }
    if (/^h[1-6]$/.test(name) && !parent.isPre)
      child.line = { type: "heading", attrs: { level: Number(name.charAt(1)) } };
    if (name === "pre") Object.assign(child, { isPre: true, line: codeLine(attributes) });
    if (parent.isPre && name === "code") Object.assign(parent.line, codeLine(attributes));
    inMap(this.#places, name, () => []).push(this.#open.length);
    this.#open.push(child);
  }

  #closeBefore(name: string): void {
    for (const { tags, ends, within } of endings) {
      if (tags.has(name)) this.#closeTo(this.#innermost(ends, within));
    }
  }

  /** Returns the position of the innermost open element of these names; 0 if missing, or if one of `within` is open in it. */
  #innermost(names: readonly string[], within: readonly string[]): number {
    const lastOf = (several: readonly string[]) =>
      Math.max(0, ...several.map((name) => this.#places.get(name)?.at(-1) ?? 0));
    const place = lastOf(names);
    return place > lastOf(within) ? place : 0;
  }

  #markOf(name: string, attributes: ReadonlyMap<string, string>): JsonObject | undefined {
    const href = name === "a" ? safeAddress((attributes.get("href") ?? "").trim()) : "";
    if (href !== "") return linkMark(href, attributes.get("title"));
    const type = markOfElement.get(name);
    return type === undefined || this.#top.marks.some((mark) => mark.type === type) ? undefined : { type };
  }

  #close(name: string): void {
    const place = this.#innermost([name], tableElements.has(name) ? [] : [...cells, "caption"]);
    if (place > 0) this.#closeTo(place);
    else {
      if (name === "br") this.#line.push({ type: "hard_break", marks: this.#top.marks });
      if (blockElements.has(name)) this.#endLine();
    }
  }

  /** Closes an element and those in it. @param place 0 for none */
  #closeTo(place: number): void {
    while (place > 0 && this.#open.length > place) {
      const { name } = this.#top;
      if (blockElements.has(name)) this.#endLine();
      this.#open.pop();
      this.#places.get(name)!.pop();
    }
  }

  /** Puts the line where it belongs. A line of blanks alone is none. */
  #endLine(): void {
    const content = this.#line;
    if (content.length === 0) return;
    this.#line = [];
    const { line, blocks } = this.#top;
    const isShown = content.some(({ type, text }) => type === "image" || (type === "text" && hasInk(String(text))));
    if (isShown) blocks.push({ ...line, content });
  }
}

function nodeOf(name: string, attributes: ReadonlyMap<string, string>): JsonObject | undefined {
  const type = nodeTypes.get(name);
  if (type === undefined) return undefined;
  const attrs: JsonObject = {};
  for (const key of ["colspan", "rowspan"]) if (attributes.has(key)) attrs[key] = Number(attributes.get(key)) || 1;
  if (name === "ol" && attributes.has("start")) attrs.order = Number(attributes.get("start")) || 1;
  return { type, attrs, content: [] };
}

const nodeTypes = synonyms(`blockquote blockquote; bullet_list ul menu; ordered_list ol; list_item li;
  table table; tableRow tr; tableCell td; tableHeader th`);

function codeLine(attributes: ReadonlyMap<string, string>): JsonObject {
  const language = /(?:^|\s)(?:lang|language)-[^\s]+/.exec(attributes.get("class") ?? "")?.[0].trim();
  return { type: "code_block", ...(language && { attrs: { class: language.replace(/^lang-/, "language-") } }) };
}

function linkMark(href: string, title: string | undefined): JsonObject {
  return { type: "link", attrs: { href, linktype: "url", ...(title === undefined ? {} : { title }) } };
}
