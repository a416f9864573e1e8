import { bufferOver } from "../../../lib/buffer-over.js";
import type { AssetIndex } from "../query/asset-index.js";
import type { BodyPiece } from "./answer.js";

/** What ends a URL inside JSON: quotes, escapes, blanks, and what Markdown and HTML put behind one. */
const urlEnds = new Set(`"\\ )<>'?#`);

/**
 * Puts the replica's own origin in place of the origin of every asset URL whose bytes the replica has, wherever in
 * a JSON text it stands (fields, rich text, Markdown, image service behind the path). URLs of anything else stay.
 *
 * @param hosts `//a.example/` each, as {@link AssetIndex} has them.
 * @param origin `http://127.0.0.1:4400`
 */
export function withLocalAssets(
  body: readonly BodyPiece[],
  hosts: readonly string[],
  findAsset: AssetIndex["find"],
  origin: string,
): BodyPiece[] {
  return body.map((piece) => {
    const bytes = typeof piece === "string" ? undefined : bufferOver(piece);
    const found = hosts.filter((host) => (bytes ?? piece).includes(host as never));
    if (found.length === 0) return piece;
    let text = bytes === undefined ? String(piece) : bytes.toString("utf8");
    for (const host of found) text = withLocalHost(text, host, findAsset, origin);
    return text;
  });
}

/** Characters of an asset's path that are looked at: without a bound, hosts one behind the other cost their square. */
const longestPath = 2048;

function withLocalHost(text: string, host: string, findAsset: AssetIndex["find"], origin: string): string {
  const parts: string[] = [];
  let copied = 0;
  let end = 0;
  for (let at = text.indexOf(host); at >= 0; at = text.indexOf(host, at + 1)) {
    const pathStart = at + host.length - 1;
    // Inside a URL without an end in sight, the end is the same for every host.
    if (end <= pathStart) end = urlEnd(text, pathStart);
    if (end - pathStart > longestPath || findAsset(text.slice(pathStart, end))?.hash == null) continue;
    const scheme = /https?:$/.exec(text.slice(Math.max(0, at - 6), at))?.[0] ?? "";
    parts.push(text.slice(copied, at - scheme.length), origin);
    copied = pathStart;
  }
  parts.push(text.slice(copied));
  return parts.join("");
}

function urlEnd(text: string, start: number): number {
  let end = start;
  while (end < text.length && !urlEnds.has(text[end]!)) end += 1;
  return end;
}
