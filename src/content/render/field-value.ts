import type { Blok } from "../../contract/records.js";
import { isObject } from "../../lib/shape.js";
import { type ImageSize, imageSize } from "../resolve/asset-fields.js";
import { isAsset, isBlock, isFilled, isMultilink, isRichText, type JsonObject } from "../resolve/content-shape.js";
import { storyLink } from "../resolve/story-links.js";
import { blockRole, isFormSetting } from "./block-role.js";
import { decision, type FieldDecision, type ShownAs } from "./field-decision.js";
import { isAmountName, isReadingName } from "./field-kind.js";
import { multilinkAddress } from "./link-address.js";
import type { RenderContext } from "./render-context.js";
import { attribute } from "./rich-text-node.js";
import { embeddedAddress, textDecision } from "./setting-value.js";
import { isTableField } from "./table-field.js";

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
  size?: ImageSize | undefined;
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
  /** The text of the field, if it was a text and not a link field. */
  typed?: string;
  /** Where it leads: to a story that a relation names, to a file, or to any other address. */
  to: "story" | "file" | "address";
}

export interface BlockField {
  name: string;
  values: readonly FieldValue[];
  /** True if it holds something that is not shown: a setting, a flag, the value of a plugin. */
  holdsMore: boolean;
  decision: FieldDecision;
}

const imageName = /\.(?:apng|avif|gif|jpe?g|png|svg|webp)(?:$|[?/#])/i;
const documentName = /^.+\.(?:pdf|docx?|xlsx?|pptx?|odt|ods|rtf|csv|txt|epub|zip|mp3|wav|mp4|mov|webm)$/is;
const fileName = /^[\w.~%/-]+\/[\w.~%-]+\.[a-z0-9]{2,5}$/i;
/** Absolute or of this site. */
const wholeAddress = /^(?:(?:https?:)?\/\/[^\s/]|\.{0,2}\/[^\s/]|mailto:|tel:)[^\s<>"{}]*$/i;

export interface FieldPlace {
  component: string;
  context: RenderContext;
  /** True if settings, and values that are not for readers, are shown too. */
  showsAll: boolean;
}

export function readField(name: string, value: unknown, place: FieldPlace): BlockField {
  if (!place.showsAll && isFilled(value) && blockRole(place.component).isForm && isFormSetting(name)) {
    const decided = decision("setting", "neighbours", "a field of a form");
    return { name, values: [], holdsMore: true, decision: decided };
  }
  const isList = Array.isArray(value) && !value.some(Array.isArray);
  const isProse = (text: string) =>
    text !== "" && textDecision(place.component, name, text, place.context.fieldUse).use === "prose";
  const isAmongProse = isList && value.some((item) => typeof item === "string" && isProse(item.trim()));
  const values: FieldValue[] = [];
  let shown: FieldDecision | undefined;
  let left: FieldDecision | undefined;
  for (const item of isList ? value : [value]) {
    if (item === null || item === undefined || item === "") continue;
    const found = readValue(name, asBlock(item), place, isAmongProse);
    if (found === "empty") continue;
    if ("by" in found) {
      left ??= found;
      continue;
    }
    if (found.value.kind === "link" && found.value.isEmbedded) left ??= found.decision;
    shown ??= found.decision;
    values.push(found.value);
  }
  return { name, values, holdsMore: left !== undefined, decision: shown ?? left ?? nothing };
}

const nothing = decision("empty", "value", "nothing in it");
const notForReaders = decision("setting", "value", "no text, image or link");
const amongTexts = decision("prose", "neighbours", "a list of texts");
const configured = decision("prose", "configuration", "content.types");

/** A value to show, with the reason; "empty" if missing; the decision alone when the value is not for readers. */
type ReadValue = { value: FieldValue; decision: FieldDecision } | "empty" | FieldDecision;

/** @param isAmongProse whether another text of the same list is for readers: then its plain words are too */
function readValue(name: string, value: unknown, place: FieldPlace, isAmongProse: boolean): ReadValue {
  const { context, showsAll } = place;
  if (typeof value === "string") return readText(name, value, place, isAmongProse);
  if (typeof value === "number") {
    const decided = showsAll ? configured : textDecision(place.component, name, String(value), context.fieldUse);
    return decided.use === "setting" ? decided : { value: { kind: "text", text: String(value) }, decision: decided };
  }
  if (isObject(value)) {
    if (typeof value.uuid === "string" && typeof value.full_slug === "string") {
      const text = attribute(value, "name") || value.full_slug;
      const url = attribute(value, "url") || context.storyUrl(value.full_slug);
      return as("link", "a story", { kind: "link", url, text, isNamed: true, to: "story" });
    }
    if (isBlock(value)) return as("blocks", "blocks", { kind: "block", block: value });
    if (isRichText(value)) return as("prose", "rich text", { kind: "richText", document: value });
    if (isTableField(value)) return as("table", "a table", { kind: "table", table: value });
    if (isMultilink(value)) return readLink(value, context);
    if (isAsset(value)) return readAsset(value);
  }
  if (!showsAll) return notForReaders;
  return { value: { kind: "text", text: JSON.stringify(value), isData: true }, decision: configured };
}

function as(use: ShownAs, reason: string, value: FieldValue): ReadValue {
  return { value, decision: decision(use, "value", reason) };
}

function readText(name: string, text: string, place: FieldPlace, isAmongProse: boolean): ReadValue {
  const { component, context, showsAll } = place;
  const trimmed = text.trim();
  if (trimmed === "") return "empty";
  // A path of this site may be a text by the name of its field: `suffix: "/7"`.
  const isText = isAmountName(name) && /^\/(?!\/)/.test(trimmed) && !imageName.test(trimmed);
  const isPath = (wholeAddress.test(trimmed) || fileName.test(trimmed)) && !isText;
  if (isPath && imageName.test(trimmed))
    return as("image", "an address of a picture", { kind: "image", url: trimmed, alt: "", title: "" });
  const embedded = embeddedAddress(trimmed);
  if (embedded !== undefined) return as("link", "an embedded page", { ...addressLink(embedded), isEmbedded: true });
  const own = isAmongProse && /^\p{L}+$/u.test(trimmed) ? amongTexts : undefined;
  const decided = showsAll ? configured : (own ?? textDecision(component, name, trimmed, context.fieldUse));
  if (decided.use === "setting") return decided;
  if (isPath) return as("link", "an address", { ...addressLink(trimmed), typed: trimmed });
  if (/^[^\s@<>()"]+@[^\s@<>()"]+\.[a-z]{2,}$/i.test(trimmed) && !trimmed.includes(":"))
    return as("link", "an address", { ...addressLink(`mailto:${trimmed}`), typed: trimmed });
  // A date field without a time stores midnight.
  const shown = /^\d{4}-\d{2}-\d{2} 00:00$/.test(trimmed) ? trimmed.slice(0, -" 00:00".length) : text;
  return { value: { kind: "text", text: shown }, decision: decided };
}

/** An object without a component as a block, if it holds prose: an item such as `{ text: "Order", link: {…} }`. */
export function asBlock(value: unknown): unknown {
  if (!isObject(value) || typeof value.component === "string" || !holdsProse(value)) return value;
  return { component: "", ...value };
}

function isKnownShape(value: JsonObject): boolean {
  return isRichText(value) || isTableField(value) || isMultilink(value) || isAsset(value);
}

function holdsProse(value: JsonObject): boolean {
  if (isKnownShape(value) || typeof value.uuid === "string" || typeof value.plugin === "string") return false;
  return Object.keys(value).some((name) => {
    const own = value[name];
    if (isObject(own)) return isRichText(own) && isFilled(own);
    if (typeof own !== "string" || own.trim() === "") return false;
    if (/^(?:platform|network)$/.test(name)) return true;
    const isShown = isReadingName(name) || /\p{L}\s+\S/u.test(own);
    return isShown && textDecision("", name, own.trim()).use === "prose";
  });
}

function addressLink(url: string): LinkValue {
  const file = documentIn(url);
  const text = file ?? url.replace(/^(?:mailto|tel):/i, "");
  return { kind: "link", url, text, isNamed: false, to: file === undefined ? "address" : "file" };
}

/** `/files/plan.pdf?v=2` → `plan.pdf`. */
function documentIn(url: string): string | undefined {
  for (const { index, 0: segment } of url.matchAll(/[^/?#]+/g)) {
    if (url.charAt(index + segment.length) !== "/" && documentName.test(segment)) return segment;
  }
  return undefined;
}

function readLink(link: JsonObject, { storyName }: RenderContext): ReadValue {
  const url = multilinkAddress(link);
  if (url === "") return "empty";
  const text = attribute(link, "title") || (isObject(link.story) ? attribute(link.story, "name") : "");
  if (text !== "") return as("link", "a link", { kind: "link", url, text, isNamed: true, to: "address" });
  const found = addressLink(url);
  // A label beside the link says more than the name of the story.
  const target = storyLink(link);
  return as("link", "a link", { ...found, text: (target && storyName?.(target.uuid)) || found.text });
}

function readAsset(asset: JsonObject): ReadValue {
  const url = attribute(asset, "filename");
  if (url === "") return "empty";
  const alt = attribute(asset, "alt");
  const title = attribute(asset, "title");
  if (imageName.test(url)) {
    const size = imageSize(Number(asset.width), Number(asset.height));
    return as("image", "a picture", { kind: "image", url, alt, title, size });
  }
  const text = title || alt || attribute(asset, "name");
  const shown = text || (url.split("/").at(-1) ?? url);
  return as("link", "a file", { kind: "link", url, text: shown, isNamed: text !== "", to: "file" });
}
