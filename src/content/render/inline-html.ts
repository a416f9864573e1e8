import { isObject } from "../../lib/shape.js";
import type { JsonObject } from "../resolve/content-shape.js";
import { markAddress, safeAddress } from "./link-address.js";
import { attribute, type RichTextMark, wellFormed } from "./rich-text-node.js";
import { synonyms } from "./word-list.js";

export interface InlineElement {
  name: string;
  attributes: [string, string][];
}

const plainElements = synonyms("u underline; sup superscript; sub subscript; del strike; strong bold; em italic");

/** A colour; nothing in it can end a CSS declaration. */
export function isHarmlessColour(value: string): boolean {
  return /^[\w#%.,()\s-]+$/.test(value) && !/url/i.test(value);
}

/** The element of a mark; undefined when it would express nothing: a link without address, a style without colour. */
export function markElement(mark: RichTextMark): InlineElement | undefined {
  const plain = plainElements.get(mark.type);
  if (plain !== undefined) return { name: plain, attributes: [] };
  if (mark.type === "link") return linkElement(mark.attrs);
  const attributes = present([
    ["id", attribute(mark.attrs, "id")],
    ["class", attribute(mark.attrs, "class")],
    ["style", colour(mark)],
  ]);
  if (mark.type === "highlight") return { name: "mark", attributes };
  return attributes.length === 0 ? undefined : { name: "span", attributes };
}

/** The link as an element; undefined when it has no address, or one that runs a script. */
export function linkElement(attrs: JsonObject): InlineElement | undefined {
  const href = safeAddress(markAddress(attrs));
  if (href === "") return undefined;
  const target = attribute(attrs, "target");
  const own = ownAttributes(attrs);
  if (target === "_blank") own.set("rel", withNoopener(own.get("rel") ?? ""));
  const isPlain = target === "" || target === "_self";
  return { name: "a", attributes: [["href", href], ...(isPlain ? [] : present([["target", target]])), ...own] };
}

/** Attributes of a link that an editor may set: none that run a script, change the layout, or send data to others. */
const allowedAttributes =
  /^(?:class|dir|download|hreflang|id|lang|name|referrerpolicy|rel|role|tabindex|title|translate|type|aria-[a-z]+|data-(?!hx-)[a-z0-9]+(?:-[a-z0-9]+)*)$/;

/** `rel`, `title` and the custom attributes of a link, by names in lower case; a custom one overrides the others. */
function ownAttributes(attrs: JsonObject): Map<string, string> {
  const custom = isObject(attrs.custom) ? attrs.custom : {};
  const given = [
    ...["rel", "title"].map((name) => [name, attrs[name]] as const),
    ...Object.keys(custom).map((name) => [name.toLowerCase(), custom[name]] as const),
  ];
  const found = new Map<string, string>();
  for (const [name, value] of given) {
    if (!allowedAttributes.test(name) || (typeof value !== "string" && typeof value !== "number")) continue;
    // Only `download` means something without a value: the file keeps its own name.
    if (value !== "" || name === "download") found.set(name, wellFormed(String(value)));
  }
  return found;
}

/** `rel` with `noopener`: a page in another window must not control this one. */
function withNoopener(rel: string): string {
  const words = rel.split(/\s+/).filter((word) => word !== "");
  return [...words, ...(words.some((word) => /^(?:noopener|noreferrer)$/i.test(word)) ? [] : ["noopener"])].join(" ");
}

/** Without characters that Markdown or a table would interpret. */
export function openTag(element: InlineElement): string {
  const attributes = element.attributes.map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`);
  return `<${element.name}${attributes.join("")}>`;
}

/** Nodes between the tags of an element. */
export function inTags<Node>(element: InlineElement, children: readonly Node[]) {
  const html = (value: string) => ({ type: "html" as const, value });
  return [html(openTag(element)), ...children, html(`</${element.name}>`)];
}

export function blockAttributes(attrs: JsonObject): [string, string][] {
  const align = attribute(attrs, "textAlign");
  return present([
    ["dir", direction(attrs)],
    ["style", /^(?:left|center|right|justify)$/.test(align) ? `text-align: ${align}` : ""],
  ]);
}

/** The same without defaults: left to right and aligned left, unless the text around it runs from right to left. */
export function unusualAttributes(attrs: JsonObject, isInRightToLeft: boolean): [string, string][] {
  const isUsual = !isInRightToLeft && direction(attrs) !== "rtl";
  return blockAttributes(attrs).filter(([, value]) => !isUsual || (value !== "ltr" && value !== "text-align: left"));
}

export function direction(attrs: JsonObject): "ltr" | "rtl" | "" {
  return attrs.dir === "ltr" || attrs.dir === "rtl" ? attrs.dir : "";
}

function colour(mark: RichTextMark): string {
  const value = attribute(mark.attrs, "color");
  if (!isHarmlessColour(value)) return "";
  return `${mark.type === "highlight" ? "background-color" : "color"}: ${value}`;
}

function present(attributes: [string, string][]): [string, string][] {
  return attributes.filter(([, value]) => value !== "");
}

function escapeAttribute(value: string): string {
  return value.replace(/[&<>"`|\\{}\u0000-\u001f\u007f-\u009f]/g, (character) => `&#${character.charCodeAt(0)};`);
}
