import type { Reader } from "../reader/reader.js";
import { notFound, type ReplicaAnswer } from "./answer.js";

/** The record of a stored asset. */
export type StoredAsset = NonNullable<ReturnType<Reader["asset"]>>;

/** Types that can carry script: a browser must not run what came from content. */
const activeTypes = /^(?:image\/svg\+xml|text\/html|application\/(?:pdf|xhtml\+xml|xml)|text\/xml)\b/;

/** Finds assets by the path of their URL, whatever the host; made once for each generation. */
export function createAssetFinder(): (reader: Reader, pathname: string) => StoredAsset | undefined {
  const byPath = new WeakMap<Reader, ReadonlyMap<string, StoredAsset>>();
  return (reader, pathname) => {
    const assets = byPath.get(reader) ?? assetsByPath(reader);
    byPath.set(reader, assets);
    return assets.get(pathname) ?? assets.get(withoutImageService(pathname));
  };
}

/**
 * GET /f/…: the stored bytes. The image service (`/m/…` behind the path) is answered with the original. The path is only
 * ever looked up among the snapshot's assets; it never becomes the name of a file.
 *
 * @param ifNoneMatch The request's `If-None-Match`.
 */
export async function answerAsset(
  asset: StoredAsset | undefined,
  assetBytes: (asset: StoredAsset) => Promise<Uint8Array | undefined>,
  ifNoneMatch: string | undefined,
): Promise<ReplicaAnswer> {
  if (asset === undefined || asset.hash === null) return notFound();
  const etag = `"${asset.hash}"`;
  const headers = {
    "Content-Type": asset.type,
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "public, max-age=0",
    ETag: etag,
    ...(activeTypes.test(asset.type) ? { "Content-Security-Policy": "sandbox" } : {}),
  };
  if (ifNoneMatch === etag) return { status: 304, headers, body: [] };
  const bytes = await assetBytes(asset);
  return bytes === undefined ? notFound() : { status: 200, headers, body: [bytes] };
}

function assetsByPath(reader: Reader): ReadonlyMap<string, StoredAsset> {
  const assets = new Map<string, StoredAsset>();
  for (const asset of reader.assets()) {
    const url = URL.canParse(asset.url, "https://asset.invalid")
      ? new URL(asset.url, "https://asset.invalid")
      : undefined;
    if (url === undefined) continue;
    const known = assets.get(url.pathname);
    // The same path on two hosts: the one that has bytes is the one to answer with.
    if (known === undefined || known.hash === null) assets.set(url.pathname, asset);
  }
  return assets;
}

/** `/f/1/2x3/abc/name.jpg` of `/f/1/2x3/abc/name.jpg/m/200x0/filters:quality(80)` and of `…/name.jpg/m`. */
function withoutImageService(pathname: string): string {
  const at = `${pathname}/`.indexOf("/m/");
  return at < 0 ? pathname : pathname.slice(0, at);
}
