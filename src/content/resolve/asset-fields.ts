import type { AssetMetadataRecord } from "../../contract/records.js";
import { costLimits } from "../../lib/cost-limits.js";
import { isObject } from "../../lib/shape.js";
import { originalAssetUrl } from "./asset-urls.js";
import { isAsset, isEmpty, type JsonObject, setOwn } from "./content-shape.js";
import type { ObjectStep } from "./resolve-content.js";

/** Texts that an editor may write both in the field that uses an asset and in the asset itself. */
export const metadataTexts: readonly string[] = ["alt", "title", "source", "copyright", "focus"];
/** Keys that only the asset itself has. */
export const metadataFacts: readonly string[] = ["content_type", "content_length"];

/** Fills in what is empty in an asset field: texts, facts, each key of `meta_data`. */
export function assetMetadataStep(metadata: (id: number) => AssetMetadataRecord | undefined): ObjectStep {
  return (value) => {
    // A number that keeps its text is an object.
    const id: unknown = isObject(value.id) ? value.id.valueOf() : value.id;
    if (typeof id !== "number" || !isAsset(value)) return value;
    const known = metadata(id);
    return known === undefined ? value : merged(value, known);
  };
}

function merged(field: JsonObject, known: AssetMetadataRecord): JsonObject {
  const custom = isObject(known.meta_data) ? known.meta_data : {};
  const result = { ...field };
  for (const key of metadataTexts) fill(result, key, isEmpty(known[key]) ? custom[key] : known[key]);
  for (const key of metadataFacts) fill(result, key, known[key]);
  const own = { ...(isObject(field.meta_data) ? field.meta_data : {}) };
  for (const key of Object.keys(custom)) fill(own, key, custom[key]);
  if (Object.keys(own).length > 0) result.meta_data = own;
  return result;
}

function fill(target: JsonObject, key: string, value: unknown): void {
  const there = Object.hasOwn(target, key) ? target[key] : undefined;
  if (isEmpty(there) && !isEmpty(value)) setOwn(target, key, value);
}

/** How large a picture is shown, in CSS pixels: whole numbers from 1 to `costLimits.imageSide`. */
export interface ImageSize {
  width: number;
  height: number;
}

interface RecordedSize {
  /** null: the snapshot has no file of it, or an older snapshot did not store it. */
  hash?: string | null | undefined;
  width?: number | undefined;
  height?: number | undefined;
}

/** `https://a.storyblok.com/f/39898/3310x2192/e4ec08624e/demo.jpg` */
const sizeInPath = /^(?:https?:)?\/\/[^/?#]+\/f\/\d+\/(\d{1,6})x(\d{1,6})\/[^/?#]/i;

export function imageSize(width: number, height: number): ImageSize | undefined {
  const isSide = (side: number) => Number.isInteger(side) && side > 0 && side <= costLimits.imageSide;
  return isSide(width) && isSide(height) ? { width, height } : undefined;
}

/** `/f/<space>/<width>x<height>/…` */
export function sizeInAddress(url: string): ImageSize | undefined {
  const [, width, height] = sizeInPath.exec(url) ?? [];
  return imageSize(Number(width), Number(height));
}

/** The size that an original's address says, else that of its file. @param record asked where the address says none */
export function sizeOfAsset(url: string, record: (url: string) => RecordedSize | undefined): ImageSize | undefined {
  const said = sizeInAddress(url);
  if (said !== undefined) return said;
  const { hash, width = 0, height = 0 } = record(url) ?? {};
  return hash === null ? undefined : imageSize(width, height);
}

/**
 * Gives asset fields `src`, `width` and `height`, and images of rich text their size. What is there stays; so does an
 * image with one side, because the other would distort it. @param sizeOf asked with addresses of the content
 */
export function imageSizeStep(sizeOf: (address: string) => ImageSize | undefined): ObjectStep {
  return (value) => {
    if (value.type === "image" && isObject(value.attrs)) {
      const { attrs } = value;
      const found = typeof attrs.src === "string" && !hasSize(attrs) ? sizeOf(attrs.src) : undefined;
      return found === undefined ? value : { ...value, attrs: { ...attrs, ...found } };
    }
    const { filename } = value;
    if (typeof filename !== "string" || filename === "" || !isAsset(value)) return value;
    const described: JsonObject = isEmpty(value.src) ? { ...value, src: filename } : { ...value };
    return hasSize(value) ? described : { ...described, ...sizeOf(filename) };
  };
}

/** The original that content shows, also as a replaced file. A variant of the image service has its own size. */
export function showsOriginal(address: string, isReplaced: (originalUrl: string) => boolean): string | undefined {
  const original = originalAssetUrl(address);
  if (original === undefined) return undefined;
  const isItself = address.trim().replace(/#.*$/s, "").replace(/^\/\//, "https://") === original;
  return isItself || isReplaced(original) ? original : undefined;
}

function hasSize({ width, height }: JsonObject): boolean {
  return !isEmpty(width) || !isEmpty(height);
}
