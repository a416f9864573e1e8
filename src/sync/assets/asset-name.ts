import { sizeInAddress } from "../../content/resolve/asset-fields.js";
import { percentDecoded } from "../../lib/percent-decoded.js";

const longest = 100;
const longestExtension = 16;
const reserved = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9]|conin|conout|clock)(?:[.-]|$)/i;

/**
 * The last segment of the path plus the size from the address, safe for every disk and URL: `demo-3310x2192.jpg`.
 * Never begins or ends with `.` or `-`, nor is a device name. Names may repeat: the folder has the hash.
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
