import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { size } from "../../../lib/quantity-text.js";
import { errnoOf } from "../../../snapshot/store/file-error.js";
import { blockElements } from "../../render/html-elements.js";
import { decoded, eachHtmlToken, type HtmlToken } from "../../render/html-tokens.js";

/** What a check of a built site reads in one HTML file. */
export interface HtmlPage {
  /** `lang` of the `html` element; "" without one. */
  lang: string;
  title: string;
  /** The text of the body; elements that are no part of a line end with a line feed. */
  text: string;
  canonical: string | undefined;
  /** `link rel="alternate" hreflang`: language in lower case and address. */
  alternates: [language: string, address: string][];
  /** Where `meta http-equiv="refresh"` leads. */
  refresh: string | undefined;
  /** The generation that `meta name="generation"` or `name="offprint"` names. */
  generation: number | undefined;
  /** Addresses of pictures, styles, scripts, media and files. */
  assets: Set<string>;
  base: string | undefined;
  /** False if the file ends within a tag or a comment. */
  isWhole: boolean;
}

/** Elements in which there are no tags for a reader. */
const rawElements = /^(?:script|style|textarea|title|iframe|noembed|noframes|noscript|template|xmp)$/;
const heeded = /^(?:html|meta|link|base|a|area|img|source|script|video|audio|track|embed|iframe|object|input)$/;
const tokens = { raw: rawElements, heeded };
/** Drawings have texts that no reader of the page reads. */
const drawings: ReadonlySet<string> = new Set(["svg", "math"]);
const assetRelations =
  /(?:^|\s)(?:stylesheet|icon|apple-touch-icon|mask-icon|manifest|preload|modulepreload|prefetch)(?:\s|$)/i;
const filesOnPages = /\.(?!html?$)[a-z][a-z0-9]{0,9}$/i;

/** Reads an HTML document in one pass. */
export function readHtmlPage(html: string): HtmlPage {
  return new PageReader().read(html);
}

type Opened = Extract<HtmlToken, { kind: "open" }>;

class PageReader {
  readonly #page: HtmlPage = {
    ...{ lang: "", title: "", text: "", canonical: undefined, alternates: [], refresh: undefined },
    ...{ generation: undefined, assets: new Set<string>(), base: undefined, isWhole: true },
  };
  #text: string[] = [];
  #drawing: string | undefined;
  #isInHead = false;

  read(html: string): HtmlPage {
    this.#page.isWhole = eachHtmlToken(html, tokens, (token, inside) => this.#take(token, inside));
    this.#page.text = this.#text.join("");
    return this.#page;
  }

  #take(token: HtmlToken, inside: string | undefined): void {
    if (token.kind === "text") {
      if (this.#drawing === undefined && !this.#isInHead) this.#text.push(token.text);
    } else if (token.kind === "open") this.#open(token);
    else if (token.kind === "close") {
      if (token.name === this.#drawing) this.#drawing = undefined;
      if (token.name === "head") this.#isInHead = false;
      if (token.name === "title" && this.#drawing === undefined) this.#page.title ||= decoded(inside ?? "").trim();
      if (blockElements.has(token.name)) this.#text.push("\n");
    }
  }

  #open({ name, attributes, isSelfClosed }: Opened): void {
    if (drawings.has(name) && !isSelfClosed) this.#drawing ??= name;
    if (name === "head") this.#isInHead = true;
    if (name === "body") this.#isInHead = false;
    if (blockElements.has(name) || name === "br") this.#text.push("\n");
    if (attributes.size === 0) return;
    if (name === "html") this.#page.lang = attributes.get("lang") ?? "";
    else if (name === "meta") this.#meta(attributes);
    else if (name === "link") this.#link(attributes);
    else if (name === "base") this.#page.base ??= attributes.get("href");
    else this.#addresses(name, attributes);
  }

  #meta(attributes: Opened["attributes"]): void {
    const content = attributes.get("content") ?? "";
    const name = attributes.get("name")?.toLowerCase();
    if (attributes.get("http-equiv")?.toLowerCase() === "refresh" && /url\s*=/i.test(content)) {
      this.#page.refresh ??= content.replace(/^[\s\S]*?url\s*=\s*['"]?/i, "").replace(/['"]?\s*$/, "");
    }
    if (name !== "generation" && name !== "offprint") return;
    const number = /^(?:generation )?(\d{1,15})$/.exec(content.trim())?.[1];
    if (number !== undefined) this.#page.generation ??= Number(number);
  }

  #link(attributes: Opened["attributes"]): void {
    const [rel = "", href = ""] = [attributes.get("rel"), attributes.get("href")];
    if (href === "") return;
    if (/(?:^|\s)canonical(?:\s|$)/i.test(rel)) this.#page.canonical ??= href;
    const language = attributes.get("hreflang");
    if (language !== undefined && /(?:^|\s)alternate(?:\s|$)/i.test(rel)) {
      this.#page.alternates.push([language.toLowerCase(), href]);
    } else if (assetRelations.test(rel) && attributes.get("as") !== "document") this.#page.assets.add(href);
    this.#candidates(attributes.get("imagesrcset"));
  }

  #addresses(name: string, attributes: Opened["attributes"]): void {
    const href = name === "a" || name === "area" ? attributes.get("href") : undefined;
    if (href !== undefined && filesOnPages.test(href.replace(/[?#].*$/s, ""))) this.#page.assets.add(href);
    const [src, poster] = [attributes.get("src"), attributes.get("poster")];
    const data = name === "object" ? attributes.get("data") : undefined;
    for (const address of [src, poster, data]) if (address) this.#page.assets.add(address);
    this.#candidates(attributes.get("srcset"));
  }

  #candidates(srcset: string | undefined): void {
    for (const candidate of srcset?.split(/,\s+|,$|(?<=\s[\d.]+[wxh]),/) ?? []) {
      const [address] = candidate.trim().split(/\s+/);
      if (address) this.#page.assets.add(address);
    }
  }
}

/** A larger HTML file is not read. */
export const largestPage = 8 * 1024 * 1024;

/** An HTML file, and why it could not be read, or not to its end. */
export interface ReadFile {
  page: HtmlPage | undefined;
  unread: string | undefined;
}

/** Waits for the file: handing each of very many small files to other threads takes longer than reading it. */
export function readHtmlFile(folder: string, file: string): ReadFile {
  let bytes: number;
  let html: string | undefined;
  try {
    const handle = openSync(join(folder, file), "r");
    try {
      bytes = fstatSync(handle).size;
      if (bytes <= largestPage) html = readFileSync(handle, "utf8");
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    const code = errnoOf(error);
    if (code === undefined) throw error;
    return { page: undefined, unread: `It cannot be read (${code}).` };
  }
  if (html === undefined) {
    return { page: undefined, unread: `It has ${size(bytes)}: more than ${size(largestPage)} are not read.` };
  }
  const page = readHtmlPage(html);
  return { page, unread: page.isWhole ? undefined : "It ends within a tag or a comment: it was cut off." };
}

/** At most so many of the files, evenly spread, without those that cannot be read. */
export function samplePages(folder: string, files: readonly string[], most: number): HtmlPage[] {
  const step = Math.max(1, files.length / most);
  const some = Array.from({ length: Math.min(files.length, most) }, (_, at) => files[Math.floor(at * step)]!);
  return some.flatMap((file) => readHtmlFile(folder, file).page ?? []);
}

/** A copy of a text that was cut out of a larger one, which it would keep in memory. */
export function ownText(text: string): string {
  return Buffer.from(text).toString();
}
