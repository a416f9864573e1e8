import { parse } from "parse5";
import { attributesOf, elementsOf } from "./html-elements.js";

/** One page of a sitemap. */
export interface SitemapEntry {
  /** `loc`, as it stands there. */
  address: string;
  /** `xhtml:link rel="alternate"`, by language in lower case. */
  alternates: ReadonlyMap<string, string>;
}

/**
 * The entries of a sitemap, and of an index of sitemaps. XML is read as HTML here: the elements have the same names, and
 * that one without an end tag holds its successors makes no difference, because `url` ends them all.
 */
export function readSitemap(xml: string): SitemapEntry[] {
  const entries: { address: string; alternates: Map<string, string> }[] = [];
  for (const place of elementsOf(parse(xml))) {
    const entry = entries.at(-1);
    if (place.element.tagName === "loc") {
      const text = place.element.childNodes.map((child) => ("value" in child ? child.value : "")).join("");
      entries.push({ address: text.trim(), alternates: new Map() });
    } else if (place.element.tagName === "xhtml:link" && entry !== undefined) {
      const { hreflang = "", href = "" } = attributesOf(place);
      entry.alternates.set(hreflang.toLowerCase(), href);
    }
  }
  return entries;
}
