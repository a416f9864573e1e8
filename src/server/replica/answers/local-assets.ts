import { bufferOver } from "../../../lib/buffer-over.js";
import type { AssetIndex } from "../query/asset-index.js";
import type { BodyPiece } from "./answer.js";

/** Characters that end a URL in JSON, Markdown or HTML. */
const urlEnds = new Set(`"\\ )<>'?#`);

/** Replaces the origin of stored assets (`hosts`: `//a.example/` each) anywhere in a JSON text. */
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

/** Longest asset path to examine. Without a limit, adjacent hosts would take quadratic time. */
const longestPath = 2048;

function withLocalHost(text: string, host: string, findAsset: AssetIndex["find"], origin: string): string {
  const parts: string[] = [];
  let copied = 0;
  let end = 0;
  for (let at = text.indexOf(host); at >= 0; at = text.indexOf(host, at + 1)) {
    const pathStart = at + host.length - 1;
    // Inside a very long URL, the end is the same for every host.
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
