import { isObject } from "../../../lib/shape.js";
import { safeAddress } from "../../render/link-address.js";
import { isKnownMarkType } from "../../render/mark-tree.js";
import { isKnownNodeType } from "../../render/rich-text-node.js";
import { isAsset, isMultilink, isRichText, type JsonObject } from "../../resolve/content-shape.js";
import type { LocalRule } from "../facts/rule.js";

/** Markdown and HTML leave these addresses out; the JSON keeps them. */
export const scriptLink: LocalRule = {
  code: "SCRIPT_LINK",
  level: "error",
  about: "A link or a picture whose address would run a script (`javascript:`, `vbscript:`, `data:`).",
  hint: "Give the link the address of a page.",
  object(value, report) {
    for (const address of addressesOf(value) ?? none) {
      if (typeof address !== "string" || safeAddress(address) !== "" || address.trim() === "") continue;
      // A data URL of a picture runs nothing.
      if (/^data:image\/(?!svg)/i.test(address.trim())) continue;
      report(address, `A link has the address ${JSON.stringify(address.slice(0, 80))}.`);
      return;
    }
  },
};

const none: readonly unknown[] = [];

function addressesOf(value: Record<string, unknown>): unknown[] | undefined {
  if (isMultilink(value)) return [value.url, value.cached_url];
  if (value.type === "link" && isObject(value.attrs)) return [value.attrs.href];
  if (value.type === "image" && isObject(value.attrs)) return [value.attrs.src];
  return undefined;
}

const image = /\.(?:avif|bmp|gif|heic|jpe?g|png|svg|tiff?|webp)(?:[?#]|$)/i;

/** Checks each use of a picture: it may have a text in one place and none in another. */
export const altMissing: LocalRule = {
  code: "ALT_MISSING",
  level: "warning",
  about: "A picture has no alternative text where it is used, and its asset has none either (if a sync reads that).",
  hint: "Describe the picture in its field, or ignore the field if the picture is decoration.",
  object(value, report) {
    const { src, alt, id } = pictureOf(value);
    if (typeof src !== "string" || !image.test(src)) return;
    if (typeof alt === "string" && alt.trim() !== "") return;
    const [address = ""] = src.split(/[?#]/, 1);
    const name = address.slice(address.lastIndexOf("/") + 1);
    report(`${typeof id === "number" ? id : ""} ${src}`, `The picture ${name} has no alternative text.`);
  },
};

function pictureOf(value: JsonObject): { src: unknown; alt: unknown; id: unknown } {
  if (value.type === "image" && isObject(value.attrs)) return { src: value.attrs.src, alt: value.attrs.alt, id: null };
  return { src: isAsset(value) ? value.filename : undefined, alt: value.alt, id: value.id };
}

export function assetIdOf(wrong: string): number | undefined {
  const id = /^\d+/.exec(wrong)?.[0];
  return id === undefined ? undefined : Number(id);
}

const plainField = /^(?:seo|meta|og)_?(title|description)$/i;

export const seoEmpty: LocalRule = {
  code: "SEO_EMPTY",
  level: "info",
  about: "A story's title or description for search engines is empty, though its content type has a field for it.",
  hint: "Write one, unless the site's code uses another field instead.",
  field(name, value, report, isTop) {
    if (!isTop) return;
    const plain = plainField.exec(name)?.[1];
    if (plain !== undefined && isEmptyText(value))
      report(plain, `The ${plain.toLowerCase()} for search engines is empty.`);
    if (!isObject(value) || typeof value.plugin !== "string" || !/seo|meta/i.test(value.plugin)) return;
    const missing = ["title", "description"].filter((key) => key in value && isEmptyText(value[key]));
    if (missing.length === 0) return;
    const verb = missing.length > 1 ? "are" : "is";
    report(missing.join(), `The ${missing.join(" and the ")} for search engines ${verb} empty.`);
  },
};

function isEmptyText(value: unknown): boolean {
  return value === null || (typeof value === "string" && value.trim() === "");
}

/** Reports each unknown kind of node or mark once per rich text. */
export const richTextUnknown: LocalRule = {
  code: "RICH_TEXT_UNKNOWN",
  level: "info",
  about: "A rich text has a node or a mark that Markdown and HTML show as plain text.",
  hint: "Render the field's JSON in the site's own code, or use only the editor's default nodes and marks.",
  object(value, report) {
    if (!isRichText(value)) return;
    for (const what of unknownIn(value)) report(what, `The rich text has an unknown ${what}.`);
  },
};

function unknownIn(document: JsonObject): Set<string> {
  const found = new Set<string>();
  const open: unknown[] = [document];
  while (open.length > 0) {
    const node = open.pop();
    if (!isObject(node)) continue;
    const { type, text, content, marks } = node;
    const isText = typeof text === "string" && text !== "" && !Array.isArray(content);
    if (typeof type === "string" && !isText && !isKnownNodeType(type)) found.add(`node "${type.slice(0, 60)}"`);
    if (Array.isArray(marks)) {
      for (const mark of marks) {
        if (isObject(mark) && typeof mark.type === "string" && !isKnownMarkType(mark.type)) {
          found.add(`mark "${mark.type.slice(0, 60)}"`);
        }
      }
    }
    if (Array.isArray(content)) for (const child of content) open.push(child);
  }
  return found;
}
