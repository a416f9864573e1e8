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
  /** Positions of the open elements that certain tags close; -1 for none. */
  nearest: Readonly<Record<"p" | "li" | "dl" | "heading" | "a" | "row" | "cell", number>>;
  /** How many elements of a name are open, within the same cell of a table. */
  counts: Map<string, number>;
}

const nobody = { p: -1, li: -1, dl: -1, heading: -1, a: -1, row: -1, cell: -1 };
const tableElements = new Set(["table", "thead", "tbody", "tfoot", "tr", "td", "th", "caption"]);

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
  readonly #tables = new Map<string, number>();
  #line: JsonObject[] = [];
  #dropsSomething = false;
  /** The name of the element whose content is left out, and how many of that name are open in it. */
  #dropped: { name: string; depth: number } | undefined;

  constructor(newlines: "space" | "break") {
    this.#newlines = newlines;
    const root = { name: "", depth: 0, blocks: this.#content, line: { type: "paragraph" }, marks: [], isPre: false };
    this.#open = [{ ...root, nearest: nobody, counts: new Map() }];
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
    this.#closeTo(this.#top.nearest.p);
    this.#endLine();
    this.#top.blocks.push({ type: "horizontal_rule" });
  }

  #begin(name: string, attributes: ReadonlyMap<string, string>): void {
    this.#closeBefore(name);
    if (blockElements.has(name)) this.#endLine();
    const parent = this.#top;
    const place = this.#open.length;
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
    child.nearest = nearestIn(name, parent.nearest, place);
    if (name === "td" || name === "th" || name === "caption") child.counts = new Map();
    this.#open.push(child);
    this.#count(child, parent.counts, 1);
  }

  #closeBefore(name: string): void {
    const { nearest } = this.#top;
    if (name === "a") this.#closeTo(nearest.a);
    if (!blockElements.has(name)) return;
    this.#closeTo(nearest.p);
    if (/^h[1-6]$/.test(name)) this.#closeTo(this.#top.nearest.heading);
    if (name === "li") this.#closeTo(this.#top.nearest.li);
    if (name === "dt" || name === "dd") this.#closeTo(this.#top.nearest.dl);
    if (name === "td" || name === "th" || /^t(?:r|head|body|foot)$/.test(name)) this.#closeTo(this.#top.nearest.cell);
    if (/^t(?:r|head|body|foot)$/.test(name)) this.#closeTo(this.#top.nearest.row);
  }

  #markOf(name: string, attributes: ReadonlyMap<string, string>): JsonObject | undefined {
    const href = name === "a" ? safeAddress((attributes.get("href") ?? "").trim()) : "";
    if (href !== "") return linkMark(href, attributes.get("title"));
    const type = markOfElement.get(name);
    return type === undefined || this.#top.marks.some((mark) => mark.type === type) ? undefined : { type };
  }

  #close(name: string): void {
    const counts = tableElements.has(name) ? this.#tables : this.#top.counts;
    if ((counts.get(name) ?? 0) === 0) {
      if (name === "br") this.#line.push({ type: "hard_break", marks: this.#top.marks });
      if (blockElements.has(name)) this.#endLine();
      return;
    }
    let place = this.#open.length - 1;
    while (this.#open[place]!.name !== name) place -= 1;
    this.#closeTo(place);
  }

  #closeTo(place: number): void {
    if (place < 1) return;
    while (this.#open.length > place) {
      const element = this.#top;
      if (blockElements.has(element.name)) this.#endLine();
      this.#open.pop();
      this.#count(element, this.#top.counts, -1);
    }
  }

  #count({ name }: OpenElement, counts: Map<string, number>, step: 1 | -1): void {
    const own = tableElements.has(name) ? this.#tables : counts;
    own.set(name, (own.get(name) ?? 0) + step);
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

function nearestIn(name: string, outer: OpenElement["nearest"], place: number): OpenElement["nearest"] {
  if (name === "p") return { ...outer, p: place };
  if (name === "a") return { ...outer, a: place };
  if (name === "li") return { ...outer, li: place };
  if (name === "dt" || name === "dd") return { ...outer, dl: place };
  if (/^h[1-6]$/.test(name)) return { ...outer, heading: place };
  if (name === "ul" || name === "ol" || name === "menu") return { ...outer, li: -1 };
  if (name === "dl") return { ...outer, dl: -1 };
  if (name === "table") return nobody;
  if (name === "tr") return { ...nobody, row: place };
  if (name === "td" || name === "th") return { ...nobody, row: outer.row, cell: place };
  return outer;
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
