import type { JsonObject } from "../resolve/content-shape.js";
import { markAddress, safeAddress } from "./link-address.js";
import { attribute, type RichTextMark } from "./rich-text-node.js";

/** An element as both outputs need it: its name and its attributes, by their HTML names. */
export interface InlineElement {
  name: string;
  attributes: [string, string][];
}

const plainElements = new Map([
  ["underline", "u"],
  ["superscript", "sup"],
  ["subscript", "sub"],
  ["strike", "del"],
  ["bold", "strong"],
  ["italic", "em"],
]);

/** A colour or class list as an editor picks it; anything that could end a declaration is refused. */
const harmlessStyle = /^[\w#%.,()\s-]+$/;

/** The HTML element of a mark; undefined where there is nothing to express (a link without address, a style without colour). */
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

/** The link as an element; undefined where it leads nowhere or would run a script. */
export function linkElement(attrs: JsonObject): InlineElement | undefined {
  const href = safeAddress(markAddress(attrs));
  if (href === "") return undefined;
  const target = attribute(attrs, "target");
  const isPlain = target === "" || target === "_self";
  return {
    name: "a",
    attributes: [
      ["href", href],
      ...(isPlain ? [] : ([["target", target]] satisfies [string, string][])),
      ...(target === "_blank" ? ([["rel", "noopener"]] satisfies [string, string][]) : []),
    ],
  };
}

/** The opening tag, on one line and without a character that Markdown or a table would read. */
export function openTag(element: InlineElement): string {
  const attributes = element.attributes.map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`);
  return `<${element.name}${attributes.join("")}>`;
}

/** A `style` value for text alignment; "" for the default. */
function alignment(attrs: JsonObject): string {
  const align = attribute(attrs, "textAlign");
  return align === "center" || align === "right" || align === "justify" ? `text-align: ${align}` : "";
}

/** Alignment and direction of a block of text as attributes; none for what is the default. */
export function blockAttributes(attrs: JsonObject): [string, string][] {
  return present([
    ["dir", attribute(attrs, "dir") === "rtl" ? "rtl" : ""],
    ["style", alignment(attrs)],
  ]);
}

function colour(mark: RichTextMark): string {
  const value = attribute(mark.attrs, "color");
  if (value === "" || !harmlessStyle.test(value) || /url/i.test(value)) return "";
  return `${mark.type === "highlight" ? "background-color" : "color"}: ${value}`;
}

function present(attributes: [string, string][]): [string, string][] {
  return attributes.filter(([, value]) => value !== "");
}

function escapeAttribute(value: string): string {
  return value.replace(/[&<>"`|\\{}\u0000-\u001f\u007f-\u009f]/g, (character) => `&#${character.charCodeAt(0)};`);
}
