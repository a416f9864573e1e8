import type { Element, ElementContent, Properties } from "hast";
import { htmlText } from "../../../content/render/html-text.js";
import { richTextToHast } from "../../../content/render/rich-text-to-hast.js";
import type { JsonObject } from "../../../content/resolve/content-shape.js";
import type { ContentContext } from "./content-context.js";

/** Allowed text elements. Others are removed, but their text stays. */
const elements: ReadonlySet<string> = new Set(
  "p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code strong b em i u s del ins sub sup mark br hr table thead tbody tr th td caption span div a img figure figcaption dl dt dd section small kbd".split(
    " ",
  ),
);
/** Attributes that carry meaning and load nothing. */
const attributes: ReadonlySet<string> = new Set(["dir", "lang", "colSpan", "rowSpan", "start", "title"]);
/** Levels of elements; deeper ones are removed. */
const deepest = 200;

/** Loads nothing external, and has no styles or scripts: only the allowed elements and links. */
export function richTextHtml(document: JsonObject, context: ContentContext): string {
  const tree = richTextToHast(document, {
    blocks: new Map(),
    storyUrl: (fullSlug) => fullSlug,
    unknown: () => undefined,
    setting: () => undefined,
  });
  return htmlText(tree.flatMap((node) => shown(node, context, 0)));
}

function shown(node: ElementContent, context: ContentContext, level: number): ElementContent[] {
  if (node.type === "text") return [node];
  if (node.type !== "element" || level > deepest) return [];
  const children = node.children.flatMap((child) => shown(child, context, level + 1));
  if (!elements.has(node.tagName)) return children;
  if (node.tagName === "img") return [picture(node, context)];
  const properties = node.tagName === "a" ? linkProperties(node.properties, context) : kept(node.properties);
  return [{ type: "element", tagName: withinPage(node.tagName), properties, children }];
}

function withinPage(tagName: string): string {
  const [, level] = /^h([1-6])$/.exec(tagName) ?? [];
  return level === undefined ? tagName : `h${Math.min(6, Number(level) + 3)}`;
}

function kept(properties: Properties): Properties {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => attributes.has(name)));
}

function linkProperties(properties: Properties, { storyName, storyPage }: ContentContext): Properties {
  const { uuid, dataUuid } = properties as { uuid?: unknown; dataUuid?: unknown };
  const story = String(uuid ?? dataUuid ?? "");
  if (story !== "" && storyName(story) !== undefined) return { href: storyPage(story) };
  const href = safeHref(String(properties.href ?? ""));
  return href === undefined ? {} : { href, rel: ["noopener", "noreferrer"] };
}

/** Returns a web, mail or telephone address; undefined for anything that runs or is empty. */
export function safeHref(text: string): string | undefined {
  if (!/^(?:https?:\/\/|mailto:|tel:)/i.test(text) || !URL.canParse(text)) return undefined;
  return text;
}

function picture({ properties }: Element, context: ContentContext): ElementContent {
  const src = context.picture(String(properties.src ?? ""));
  const alt = String(properties.alt ?? "");
  if (src === undefined) return { type: "text", value: `[picture: ${alt || String(properties.src ?? "")}]` };
  return { type: "element", tagName: "img", properties: { src, alt, loading: "lazy" }, children: [] };
}
