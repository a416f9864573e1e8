import { sizeInAddress } from "../../content/resolve/image-size.js";
import { percentDecoded } from "../../lib/percent-decoded.js";

const longest = 100;
const longestExtension = 16;
const reserved = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9]|conin|conout|clock)(?:[.-]|$)/i;

/**
 * The file name for an asset: the last segment of its URL's path, made safe for every disk and for
 * a URL, plus the size from its address: `demo-3310x2192.jpg`.
 *
 * ASCII letters, digits, `.`, `_` and `-` stay; every run of other characters becomes one `-`. The
 * name never begins or ends with `.` or `-` and never is a device name. It has at most 100
 * characters and keeps its extension; `file` if nothing is left. Different URLs may get the same
 * name: the folder is named by the hash of the bytes.
 */
export function assetName(url: URL): string {
  const segment = url.pathname.slice(url.pathname.lastIndexOf("/") + 1);
  const safe = percentDecoded(segment).replace(/[^A-Za-z0-9._-]+/g, "-");
  const { stem, extension } = splitName(safe);
  const size = sizeInAddress(url.href);
  const ending = `${size === undefined ? "" : `-${size.width}x${size.height}`}${extension}`;
  const trimmed = trimEnds(stem).slice(0, longest - ending.length);
  const name = `${trimEnds(trimmed) || "file"}${ending}`;
  return reserved.test(name) ? `file-${name.slice(-(longest - 5))}` : name;
}

/** The extension of a file name in lower case, without its dot; "" when it has none. */
export function extensionOf(name: string): string {
  return splitName(name).extension.slice(1).toLowerCase();
}

function splitName(name: string): { stem: string; extension: string } {
  const dot = name.lastIndexOf(".");
  const extension = dot < 0 ? "" : name.slice(dot);
  const isExtension = extension.length > 1 && extension.length <= longestExtension && !extension.includes("-", 1);
  return isExtension ? { stem: name.slice(0, dot), extension } : { stem: name, extension: "" };
}

/** The text without dots and dashes at its ends. A pattern with `+$` would be quadratic for thousands of dots. */
function trimEnds(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isEdge(text.charCodeAt(start))) start++;
  while (end > start && isEdge(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

function isEdge(code: number): boolean {
  return code === 0x2e || code === 0x2d;
}
