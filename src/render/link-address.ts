import type { JsonObject } from "../resolve/content-shape.js";
import { attribute } from "./rich-text-node.js";

/** What browsers strip from an address before they look for its scheme. */
const ignored = /[\u0000-\u0020\u007f-\u009f\u2028\u2029]/g;
const scriptScheme = /^(?:javascript|vbscript|data):/i;

/** The address, or "" where following it would run text as a program. */
export function safeAddress(address: string): string {
  return scriptScheme.test(address.replace(ignored, "")) ? "" : address;
}

/** Where a rich text link leads, from its attributes: with `mailto:` and with its anchor. */
export function markAddress(attrs: JsonObject): string {
  const href = attribute(attrs, "href");
  if (attrs.linktype === "email") return href === "" || /^mailto:/i.test(href) ? href : `mailto:${href}`;
  return withAnchor(href, attribute(attrs, "anchor"));
}

/** Where a link field leads; "" when it is empty. */
export function multilinkAddress(link: JsonObject): string {
  const url = attribute(link, "url") || attribute(link, "cached_url");
  if (link.linktype === "email") {
    const email = attribute(link, "email") || url;
    return email === "" || /^mailto:/i.test(email) ? email : `mailto:${email}`;
  }
  return withAnchor(url, attribute(link, "anchor"));
}

function withAnchor(address: string, anchor: string): string {
  if (anchor === "" || address.includes("#")) return address;
  return `${address}#${anchor}`;
}
