import { parse, type DefaultTreeAdapterTypes as Tree } from "parse5";
import { attributesOf, elementsOf, type Place } from "./html-elements.js";

/** What the checker of built sites wants to know of one HTML file. */
export interface BuiltPage {
  /** Value of `lang` of the `html` element. */
  lang: string | undefined;
  /** Text of the `title` element of the head. */
  title: string;
  /** What can be read in the body, each run of white space as one blank. */
  text: string;
  /** Where a fragment may lead. */
  ids: ReadonlySet<string>;
  /** Every address in an attribute of an element, but for pictures. */
  links: readonly PageLink[];
  pictures: readonly Picture[];
  /** `link rel="alternate" hreflang`, by language in lower case. */
  alternates: ReadonlyMap<string, string>;
  /** Where `meta http-equiv="refresh"` leads: the page is a redirect. */
  refresh: string | undefined;
  /** Value of `meta name="generation"`. */
  generation: string | undefined;
  /** Names of elements that stand in `main`. */
  inMain: ReadonlySet<string>;
  /** Elements and attributes that a text can only have brought when it was taken for markup. */
  foreign: readonly string[];
}

export interface PageLink {
  element: string;
  address: string;
}

export interface Picture {
  src: string;
  srcset: readonly string[];
  alt: string | undefined;
  width: string | undefined;
  height: string | undefined;
}

/** Reads an HTML document as a browser does. */
export function readPage(html: string): BuiltPage {
  const elements = [...elementsOf(parse(html))];
  const attributes = (name: string) => elements.filter(({ element }) => element.tagName === name).map(attributesOf);
  const metas = attributes("meta");
  const refresh = metas.find((meta) => meta["http-equiv"]?.toLowerCase() === "refresh")?.content;
  return {
    lang: attributes("html")[0]?.lang,
    title: plain(elements.filter(isTitle).map(({ element }) => textOf(element))),
    text: plain(elements.filter(({ element }) => element.tagName === "body").map(({ element }) => textOf(element))),
    ids: new Set(elements.flatMap(anchors)),
    links: elements.flatMap(linksOf),
    pictures: elements.filter(({ element }) => element.tagName === "img").map((place) => picture(attributesOf(place))),
    alternates: new Map(
      attributes("link")
        .filter(({ rel, hreflang }) => rel === "alternate" && hreflang !== undefined)
        .map(({ hreflang = "", href = "" }) => [hreflang.toLowerCase(), href]),
    ),
    refresh: refresh?.replace(/^[\s\S]*?url=\s*['"]?/i, "").replace(/['"]?\s*$/, ""),
    generation: metas.find(({ name }) => name === "generation")?.content,
    inMain: new Set(elements.filter(({ above }) => above.includes("main")).map(({ element }) => element.tagName)),
    foreign: elements.flatMap(foreignOf),
  };
}

function isTitle({ element, above }: Place): boolean {
  return element.tagName === "title" && above.includes("head");
}

function anchors(place: Place): string[] {
  const { id, name } = attributesOf(place);
  return [id, place.element.tagName === "a" ? name : undefined].filter((value) => value !== undefined);
}

function linksOf(place: Place): PageLink[] {
  const element = place.element.tagName;
  const { href, src, poster, data, action, srcset = "", rel = "" } = attributesOf(place);
  // A page may name what a browser could use later, under an address that is only the beginning of one.
  if (element === "base" || element === "img" || /\b(?:preconnect|dns-prefetch)\b/.test(rel)) return [];
  const named = [href, src, poster, element === "object" ? data : undefined, action, ...candidates(srcset)];
  return named.filter((address) => address !== undefined).map((address) => ({ element, address }));
}

function picture({ src = "", srcset = "", alt, width, height }: Partial<Record<string, string>>): Picture {
  return { src, srcset: candidates(srcset), alt, width, height };
}

function candidates(srcset: string): string[] {
  return srcset.split(/,\s+|,$/).flatMap((candidate) => candidate.trim().split(/\s+/)[0] || []);
}

const silent = new Set(["script", "style", "template", "noscript"]);

function textOf(node: Tree.ParentNode): string {
  return node.childNodes
    .map((child) => {
      if ("value" in child) return child.value;
      if (!("tagName" in child) || silent.has(child.tagName)) return "";
      return inline.has(child.tagName) ? textOf(child) : ` ${textOf(child)} `;
    })
    .join("");
}

function plain(texts: readonly string[]): string {
  return texts.join(" ").replaceAll("\u200b", "").replace(/\s+/g, " ").trim();
}

const running = new Set(["script", "iframe", "object", "embed", "base", "form", "meta"]);

function foreignOf({ element, above }: Place): string[] {
  if (element.namespaceURI !== "http://www.w3.org/1999/xhtml") return [];
  const name = element.tagName;
  const handlers = element.attrs.filter((attribute) => attribute.name.startsWith("on"));
  return [
    ...(known.has(name) || name.includes("-") ? [] : [`<${name}>`]),
    ...(running.has(name) && above.includes("main") ? [`<${name}> in <main>`] : []),
    ...handlers.map((attribute) => `<${name} ${attribute.name}>`),
  ];
}

const inline = new Set(
  "a abbr b bdi bdo cite code data del dfn em i ins kbd label mark q s samp small span strong sub sup time u var wbr".split(
    " ",
  ),
);

/** The elements of the HTML standard. */
const known = new Set([
  ...inline,
  ...(
    "address area article aside audio base blockquote body br button canvas caption col colgroup datalist dd details " +
    "dialog div dl dt embed fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hgroup hr html iframe " +
    "img input legend li link main map math menu meta meter nav noscript object ol optgroup option output p picture " +
    "pre progress rp rt ruby script search section select slot source style summary svg table tbody td template " +
    "textarea tfoot th thead title tr track ul video"
  ).split(" "),
]);
