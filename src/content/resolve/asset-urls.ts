import { isObject } from "../../lib/shape.js";
import type { ChangeCount } from "../../snapshot/part-changes.js";
import { isAsset } from "./content-shape.js";
import type { TextStep } from "./resolve-content.js";
import { visitValue } from "./rewrite-value.js";

const absolute = /^(?:https?:)?\/\/[^/\s]/i;
/** A string that as a whole is the URL of an asset: old image and file fields are plain strings. */
const wholeUrl = /^(?:https?:)?\/\/(?:[a-z0-9.-]+(?::\d+)?|img2\.storyblok\.com(?:\/[^\s/?#]+)+)\/f\/\d+\/\S+$/i;
/** The same with spaces in the name of the file. */
const urlOfSpacedName =
  /^(?:https?:)?\/\/[a-z0-9.-]+(?::\d+)?\/f\/\d+\/(?:[^\s/]+\/)+[^\s/][^\n\r/"<>?#]*\.[a-z0-9]{2,5}$/i;
/** The end of a file name within a text: what comes after it is no part of it. */
const nameInText = /\.[a-z][a-z0-9]{1,4}[.,;:!?)]?\s/i;
/** The same somewhere in a longer text, as in Markdown fields; the punctuation after it belongs to the text. */
const urlInText =
  /(?:https?:)?\/\/(?:[a-z0-9.-]+(?::\d+)?|img2\.storyblok\.com(?:\/[^\s/"'<>?#]+)+)\/f\/\d+\/[^\s"'<>()[\]{}|\\^`]*[^\s"'<>()[\]{}|\\^`.,;:!?*_~]/gi;
/** The image service's own host, with the variant before the path of the original: `//img2.…/800x0/filters:…/f/…`. */
const variantHost = /^https:\/\/img2\.storyblok\.com\/(?:[^?#]*?\/)?(?=f\/\d+\/)/i;
const originalHost = "https://a.storyblok.com/";
const spacePath = /\/f\/\d+\//i;

/** With `https:`, without the image service's suffix `/m/…` and a fragment. Undefined for no absolute http(s) URL. */
export function originalAssetUrl(url: string): string | undefined {
  const trimmed = url.trim();
  if (!absolute.test(trimmed)) return undefined;
  const full = trimmed.startsWith("//") ? `https:${trimmed}` : trimmed;
  const hash = full.indexOf("#");
  const whole = hash === -1 ? full : full.slice(0, hash);
  return withoutImageService(whole.replace(variantHost, originalHost));
}

/**
 * The originals of all assets that a record names, each once in document order: asset fields, images and links, and
 * plain strings and texts that hold `https://…/f/<space>/…`, also protocol-relative.
 */
export function assetUrls(value: unknown): string[] {
  const found = new Set<string>();
  const add = (url: unknown): void => {
    const original = typeof url === "string" && url !== "" ? originalAssetUrl(url) : undefined;
    if (original !== undefined) found.add(original);
  };
  // The address in an asset field is one as a whole, whatever it holds; its text comes after its field.
  const whole = new Set<unknown>();
  visitValue(value, (item) => {
    if (typeof item === "string") {
      if (!whole.has(item)) for (const url of urlsOfText(item)) add(url);
    } else if (isObject(item)) {
      const url = namedAsset(item);
      if (typeof url === "string" && absolute.test(url)) whole.add(url);
      add(url);
    }
  });
  return [...found];
}

/** Replaces the URLs that {@link assetUrls} finds. @param replacement of an original's; undefined leaves the URL */
export function assetUrlStep(replacement: (originalUrl: string) => string | undefined): TextStep {
  const replace = (url: string): string => {
    const original = originalAssetUrl(url);
    return (original === undefined ? undefined : replacement(original)) ?? url;
  };
  return (text, key) => (urlKeys.has(key) && absolute.test(text) ? replace(text) : replaceInText(text, replace));
}

/** The text under these keys is a URL as a whole: in asset fields, images and links. */
const urlKeys = new Set<string | number>(["filename", "src", "href", "url", "cached_url"]);

export function namedAsset(item: Record<string, unknown>): unknown {
  if (isAsset(item)) return item.filename;
  if (item.type === "image" && isObject(item.attrs)) return item.attrs.src;
  if (item.linktype !== "asset") return undefined;
  return item.href || item.url || item.cached_url;
}

function urlsOfText(text: string): readonly string[] {
  if (!text.includes("/f/")) return [];
  return isWholeUrl(text) ? [text] : (text.match(urlInText) ?? []);
}

function isWholeUrl(text: string): boolean {
  // A text with spaces is a URL only if they stand in a file name at its end.
  return /\s/.test(text) ? urlOfSpacedName.test(text) && !nameInText.test(text) : wholeUrl.test(text);
}

function replaceInText(text: string, replace: (url: string) => string): string {
  if (!text.includes("/f/")) return text;
  return isWholeUrl(text) ? replace(text) : text.replace(urlInText, replace);
}

/** The URL without `/m/800x0/filters:…` at its end, which asks the image service for a variant of the file. */
function withoutImageService(url: string): string {
  const start = spacePath.exec(url);
  if (start === null) return url;
  let from = start.index + start[0].length;
  for (;;) {
    const end = url.indexOf("/", from);
    if (end === -1) return url;
    const isFile = url.slice(from, end).includes(".");
    if (isFile && (url.startsWith("/m/", end) || url.slice(end) === "/m")) return url.slice(0, end);
    from = end + 1;
  }
}

/** By how much the number of records that name each URL has changed. A record counts once for each URL. */
export interface AssetUses extends ChangeCount {
  gains: Map<string, number>;
}

export function countAssetUses(): AssetUses {
  const gains = new Map<string, number>();
  const gain = (url: string, count: number): void => {
    const known = gains.get(url);
    // A URL in a text is a part of it, and would keep all of it in memory: a copy does not.
    gains.set(known === undefined ? (JSON.parse(JSON.stringify(url)) as string) : url, (known ?? 0) + count);
  };
  const noteLine = (line: string | null, count: number): void => {
    if (line === null || !assetName.test(line)) return;
    for (const url of assetUrls(JSON.parse(line))) gain(url, count);
  };
  return {
    gains,
    note({ before, after }) {
      noteLine(before, -1);
      noteLine(after, 1);
    },
    add(counted) {
      for (const [url, count] of counted) gains.set(url, (gains.get(url) ?? 0) + count);
    },
  };
}

/**
 * Where {@link assetUrls} may find something in a line. Searching it is many times faster than parsing it,
 * and searching once takes a third of the time that a search for each takes.
 */
const assetName = /\/f\/|"(?:filename":"[^"]|type":"image"|linktype":"asset")/;
