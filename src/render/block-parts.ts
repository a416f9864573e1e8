import type { Blok } from "../contract/records.js";
import { isAsset, isBlock, isMultilink, isObject, isRichText, type JsonObject } from "../resolve/content-shape.js";
import { multilinkAddress } from "./link-address.js";
import { attribute } from "./rich-text-node.js";

/** One field of a block as something that can be shown. */
export type BlockPart =
  | { kind: "richText"; field: string; document: JsonObject }
  | { kind: "block"; field: string; block: Blok }
  | { kind: "image"; field: string; url: string; alt: string; title: string }
  | { kind: "link"; field: string; url: string; text: string }
  | { kind: "story"; field: string; fullSlug: string; text: string }
  | { kind: "text"; field: string; text: string }
  | { kind: "json"; field: string; json: string };

const technical = new Set(["_uid", "_editable", "component"]);
const imageName = /\.(?:apng|avif|gif|jpe?g|png|svg|webp)(?:$|[?/])/i;

/** Every field of a block that holds anything, in order. No text of it is left out. */
export function blockParts(block: Blok): BlockPart[] {
  return Object.keys(block).flatMap((field) => (technical.has(field) ? [] : fieldParts(field, block[field])));
}

function fieldParts(field: string, value: unknown): BlockPart[] {
  if (Array.isArray(value) && !value.some(Array.isArray)) return value.flatMap((item) => fieldParts(field, item));
  if (value === null || value === undefined || value === "") return [];
  if (!isObject(value)) return [scalarPart(field, value)];
  if (typeof value.uuid === "string" && typeof value.full_slug === "string") {
    return [{ kind: "story", field, fullSlug: value.full_slug, text: attribute(value, "name") || value.full_slug }];
  }
  if (isBlock(value)) return [{ kind: "block", field, block: value }];
  if (isRichText(value)) return [{ kind: "richText", field, document: value }];
  if (isMultilink(value)) return linkParts(field, value);
  return isAsset(value) ? assetParts(field, value) : [{ kind: "json", field, json: JSON.stringify(value) }];
}

function scalarPart(field: string, value: unknown): BlockPart {
  if (typeof value === "string") return { kind: "text", field, text: value };
  return { kind: "json", field, json: JSON.stringify(value) ?? "" };
}

function linkParts(field: string, link: JsonObject): BlockPart[] {
  const url = multilinkAddress(link);
  return url === "" ? [] : [{ kind: "link", field, url, text: attribute(link, "title") || url }];
}

function assetParts(field: string, asset: JsonObject): BlockPart[] {
  const url = attribute(asset, "filename");
  if (url === "") return [];
  const alt = attribute(asset, "alt");
  const title = attribute(asset, "title");
  if (imageName.test(url)) return [{ kind: "image", field, url, alt, title }];
  return [{ kind: "link", field, url, text: title || alt || attribute(asset, "name") || url }];
}
