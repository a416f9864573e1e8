import { isObject } from "../../../lib/shape.js";
import { isAsset, type JsonObject } from "../../resolve/content-shape.js";
import type { LocalRule } from "../facts/rule.js";

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
