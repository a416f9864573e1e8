import type { Blok } from "../../contract/records.js";
import { isObject } from "../../lib/shape.js";
import { isAsset, isBlock, isMultilink, isRichText, type JsonObject } from "../resolve/content-shape.js";
import { type ImageSize, imageSize } from "../resolve/image-size.js";
import { multilinkAddress } from "./link-address.js";
import type { RenderContext } from "./render-context.js";
import { attribute } from "./rich-text-node.js";
import { embeddedAddress, isSetting } from "./setting-value.js";
import { isTableField } from "./table-field.js";

/** One value of a field that can be shown. */
export type FieldValue =
  | { kind: "richText"; document: JsonObject }
  | { kind: "block"; block: Blok }
  | { kind: "table"; table: JsonObject }
  | ImageValue
  | LinkValue
  | { kind: "code"; text: string; language: string }
  /** `isData`: JSON or a flag, shown because the configuration says so. */
  | { kind: "text"; text: string; isData?: boolean };

export interface ImageValue {
  kind: "image";
  url: string;
  alt: string;
  title: string;
  /** If known. */
  size?: ImageSize | undefined;
  /** The address of a link around it. */
  href?: string;
}

export interface LinkValue {
  kind: "link";
  url: string;
  text: string;
  /** True if an editor wrote the text; otherwise it is the address. */
  isNamed: boolean;
  /** True if it replaces HTML that shows the page at that address, such as an `<iframe>`. */
  isEmbedded?: boolean;
  /** Where it leads: to a story that a relation names, to a file, or to any other address. */
  to: "story" | "file" | "address";
}

/** A field of a block. */
export interface BlockField {
  name: string;
  /** The values that a reader sees, in order. */
  values: readonly FieldValue[];
  /** True if it holds something that is not shown: a setting, a flag, the value of a plugin. */
  holdsMore: boolean;
}

const imageName = /\.(?:apng|avif|gif|jpe?g|png|svg|webp)(?:$|[?/#])/i;
const documentName = /^.+\.(?:pdf|docx?|xlsx?|pptx?|odt|ods|rtf|csv|txt|epub|zip|mp3|wav|mp4|mov|webm)$/is;
const fileName = /^[\w.~%/-]+\/[\w.~%-]+\.[a-z0-9]{2,5}$/i;

/** @param showsAll whether settings, and values that are not for readers, are shown too */
export function readField(name: string, value: unknown, context: RenderContext, showsAll = false): BlockField {
  const items = Array.isArray(value) && !value.some(Array.isArray) ? value : [value];
  const values: FieldValue[] = [];
  let holdsMore = false;
  for (const item of items) {
    if (item === null || item === undefined || item === "") continue;
    const found = readValue(name, item, context, showsAll);
    if (found === undefined || (found !== "empty" && found.kind === "link" && found.isEmbedded)) holdsMore = true;
    if (found !== undefined && found !== "empty") values.push(found);
  }
  return { name, values, holdsMore };
}

/** The value to show; "empty" if missing, undefined when the value is not for readers. */
function readValue(
  name: string,
  value: unknown,
  context: RenderContext,
  showsAll: boolean,
): FieldValue | "empty" | undefined {
  if (typeof value === "string") return readText(name, value, showsAll);
  if (typeof value === "number" && (showsAll || !isSetting(name, String(value))))
    return { kind: "text", text: String(value) };
  if (isObject(value)) {
    if (typeof value.uuid === "string" && typeof value.full_slug === "string") {
      const text = attribute(value, "name") || value.full_slug;
      const url = attribute(value, "url") || context.storyUrl(value.full_slug);
      return { kind: "link", url, text, isNamed: true, to: "story" };
    }
    if (isBlock(value)) return { kind: "block", block: value };
    if (isRichText(value)) return { kind: "richText", document: value };
    if (isTableField(value)) return { kind: "table", table: value };
    if (isMultilink(value)) return readLink(value);
    if (isAsset(value)) return readAsset(value);
  }
  return showsAll ? { kind: "text", text: JSON.stringify(value), isData: true } : undefined;
}

function readText(name: string, text: string, showsAll: boolean): FieldValue | "empty" | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return "empty";
  const isPath = isAddress(trimmed) || fileName.test(trimmed);
  if (isPath && imageName.test(trimmed)) return { kind: "image", url: trimmed, alt: "", title: "" };
  const embedded = embeddedAddress(trimmed);
  if (embedded !== undefined) return { ...addressLink(embedded), isEmbedded: true };
  if (!showsAll && isSetting(name, trimmed)) return undefined;
  if (isPath) return addressLink(trimmed);
  if (/^[^\s@<>()"]+@[^\s@<>()"]+\.[a-z]{2,}$/i.test(trimmed) && !trimmed.includes(":"))
    return addressLink(`mailto:${trimmed}`);
  return { kind: "text", text };
}

/** True if a text as a whole is an address, absolute or of this site. */
function isAddress(text: string): boolean {
  return /^(?:(?:https?:)?\/\/[^\s/]|\.{0,2}\/[^\s/]|mailto:|tel:)[^\s<>"]*$/i.test(text);
}

function addressLink(url: string): LinkValue {
  const file = documentIn(url);
  return {
    kind: "link",
    url,
    text: file ?? addressText(url),
    isNamed: false,
    to: file === undefined ? "address" : "file",
  };
}

/** The name of the document in an address: `/files/plan.pdf?v=2` → `plan.pdf`. */
function documentIn(url: string): string | undefined {
  for (const { index, 0: segment } of url.matchAll(/[^/?#]+/g)) {
    if (url.charAt(index + segment.length) !== "/" && documentName.test(segment)) return segment;
  }
  return undefined;
}

function addressText(url: string): string {
  return url.replace(/^(?:mailto|tel):/i, "");
}

function readLink(link: JsonObject): FieldValue | "empty" {
  const url = multilinkAddress(link);
  const text = attribute(link, "title") || (isObject(link.story) ? attribute(link.story, "name") : "");
  if (url === "") return "empty";
  return text === "" ? addressLink(url) : { kind: "link", url, text, isNamed: true, to: "address" };
}

function readAsset(asset: JsonObject): FieldValue | "empty" {
  const url = attribute(asset, "filename");
  if (url === "") return "empty";
  const alt = attribute(asset, "alt");
  const title = attribute(asset, "title");
  if (imageName.test(url)) {
    const size = imageSize(Number(asset.width), Number(asset.height));
    return { kind: "image", url, alt, title, size };
  }
  const text = title || alt || attribute(asset, "name");
  return { kind: "link", url, text: text || (url.split("/").at(-1) ?? url), isNamed: text !== "", to: "file" };
}
