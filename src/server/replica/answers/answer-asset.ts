import type { AssetRecord } from "../../../snapshot/manifest.js";
import type { StoredBytes } from "../../../snapshot/store/store.js";
import { errorAnswer, listsTag, namesTag, notFound, type ReplicaAnswer, type StreamedAnswer } from "./answer.js";

export interface AssetConditions {
  ifMatch?: string | undefined;
  ifNoneMatch?: string | undefined;
  range?: string | undefined;
  ifRange?: string | undefined;
}

/** Types that can contain script. Browsers treat `text/xsl` as XML too. */
const activeTypes =
  /^\s*(?:text\/(?:html|xml|xsl|xslt|xml-[\w-]+)|application\/(?:pdf|xml|xslt|xml-[\w-]+)|[^;]*\+xml|multipart\/[^;]*)\s*(?:;|$)/i;

/** GET /f/…. The path is only looked up among the assets: it never becomes a file name. */
export async function answerAsset(
  asset: AssetRecord | undefined,
  readAsset: (asset: AssetRecord) => Promise<StoredBytes | undefined>,
  { ifMatch, ifNoneMatch, range: asked, ifRange }: AssetConditions,
): Promise<ReplicaAnswer | StreamedAnswer> {
  if (asset === undefined || asset.hash === null) return notFound();
  const etag = `"${asset.hash}"`;
  const headers = {
    "Content-Type": asset.type,
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "public, max-age=0",
    "Accept-Ranges": "bytes",
    ETag: etag,
    ...(activeTypes.test(asset.type) && { "Content-Security-Policy": "sandbox" }),
  };
  if (ifMatch !== undefined && !listsTag(ifMatch, etag)) return errorAnswer(412, { error: "The asset has changed" });
  if (ifNoneMatch?.trim() === "*" || namesTag(ifNoneMatch, etag)) return { status: 304, headers, body: [] };
  // A client with part of another version must not get this one's rest (RFC 9110, section 13.1.5).
  const isOfOther = ifRange !== undefined && ifRange.trim() !== etag;
  const range = isOfOther ? undefined : parseByteRange(asked, asset.bytes);
  if (range === "unsatisfiable") {
    const size = { "Accept-Ranges": "bytes", "Content-Range": `bytes */${asset.bytes}` };
    return errorAnswer(416, { error: `The asset has ${asset.bytes} bytes` }, size);
  }
  const stored = await readAsset(asset);
  if (stored === undefined) return notFound();
  if (range === undefined) return { status: 200, headers, body: { size: stored.size, pieces: () => stored.pieces() } };
  return {
    status: 206,
    headers: { ...headers, "Content-Range": `bytes ${range.start}-${range.end - 1}/${asset.bytes}` },
    body: { size: range.end - range.start, pieces: () => stored.pieces(range) },
  };
}

/** The bytes from `start` up to but excluding `end`. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Parses one byte range (RFC 9110, section 14); undefined, as it permits, means everything. */
export function parseByteRange(header: string | undefined, size: number): ByteRange | "unsatisfiable" | undefined {
  const [, first = "", last = ""] = /^\s*bytes=\s*(\d*)-(\d*)\s*$/i.exec(header ?? "") ?? [];
  if (first === "" && last === "") return undefined;
  if (first === "") return atLeastOne({ start: Math.max(0, size - Number(last)), end: size });
  if (last !== "" && Number(last) < Number(first)) return undefined;
  return atLeastOne({ start: Number(first), end: last === "" ? size : Math.min(Number(last) + 1, size) });
}

function atLeastOne(range: ByteRange): ByteRange | "unsatisfiable" {
  return range.start < range.end ? range : "unsatisfiable";
}
