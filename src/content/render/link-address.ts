import type { JsonObject } from "../resolve/content-shape.js";
import { attribute } from "./rich-text-node.js";

/** Characters that browsers remove from an address before they read its scheme. */
const ignored = /[\u0000-\u0020\u007f-\u009f\u2028\u2029]/g;
const scriptScheme = /^(?:javascript|vbscript|data):/i;

export function safeAddress(address: string): string {
  return scriptScheme.test(address.replace(ignored, "")) ? "" : address;
}

export function markAddress(attrs: JsonObject): string {
  const href = fromRoot(attrs, attribute(attrs, "href"));
  if (attrs.linktype === "email") return href === "" || /^mailto:/i.test(href) ? href : `mailto:${href}`;
  return withAnchor(href, attribute(attrs, "anchor"));
}

export function multilinkAddress(link: JsonObject): string {
  const url = fromRoot(link, attribute(link, "url") || attribute(link, "cached_url"));
  if (link.linktype === "email") {
    const email = attribute(link, "email") || url;
    return email === "" || /^mailto:/i.test(email) ? email : `mailto:${email}`;
  }
  return withAnchor(url, attribute(link, "anchor"));
}

/** The address of a link to a story that is not there is its old slug, `en/home`: it leads from the root of the site. */
function fromRoot({ linktype }: JsonObject, address: string): string {
  const isSlug = linktype === "story" && address !== "" && !/^(?:[/?#]|[a-z][a-z0-9+.-]*:)/i.test(address);
  return isSlug ? `/${address.replace(/^(?:\.{1,2}\/)+/, "")}` : address;
}

function withAnchor(address: string, anchor: string): string {
  if (anchor === "" || address.includes("#")) return address;
  return `${address}#${anchor}`;
}
