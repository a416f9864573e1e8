import type { JsonObject } from "../resolve/content-shape.js";
import { attribute } from "./rich-text-node.js";

/** Characters that browsers remove from an address before they read its scheme. */
const ignored = /[\u0000-\u0020\u007f-\u009f\u2028\u2029]/g;
const scriptScheme = /^(?:javascript|vbscript|data):/i;

export function safeAddress(address: string): string {
  return scriptScheme.test(address.replace(ignored, "")) ? "" : address;
}

export function markAddress(attrs: JsonObject): string {
  return whole(attrs, fromRoot(attrs, attribute(attrs, "href")));
}

export function multilinkAddress(link: JsonObject): string {
  const url = fromRoot(link, attribute(link, "url") || attribute(link, "cached_url"));
  return whole(link, link.linktype === "email" ? attribute(link, "email") || url : url);
}

/** The address of a link to a story that is not there is its old slug, `en/home`: it leads from the root of the site. */
function fromRoot({ linktype }: JsonObject, address: string): string {
  const isSlug = linktype === "story" && address !== "" && !/^(?:[/?#]|[a-z][a-z0-9+.-]*:)/i.test(address);
  return isSlug ? `/${address.replace(/^(?:\.{1,2}\/)+/, "")}` : address;
}

/** With `mailto:` or the anchor. */
function whole(link: JsonObject, address: string): string {
  if (link.linktype === "email") return address === "" || /^mailto:/i.test(address) ? address : `mailto:${address}`;
  const anchor = attribute(link, "anchor");
  return anchor === "" || address.includes("#") ? address : `${address}#${anchor}`;
}
