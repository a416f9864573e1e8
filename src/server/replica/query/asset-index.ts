import type { AssetRecord } from "../../../snapshot/manifest.js";
import type { ShardBytes } from "../../../snapshot/reader/reader.js";
import { recordText } from "../../../snapshot/reader/shard-bytes.js";
import type { Sliced } from "./slices.js";

/** The assets of one generation by the path of their URL, whatever the host. */
export interface AssetIndex {
  /** The path may have a suffix of the image service (`/m/200x0/…`), which is ignored. */
  find(pathname: string): AssetRecord | undefined;
  /** The hosts of the assets that the generation has bytes of: `//a.example/` each. */
  hosts: readonly string[];
}

/** Indexes the assets part of a generation. */
export function* indexAssets(shards: readonly ShardBytes[]): Sliced<AssetIndex> {
  const byPath = new Map<string, AssetRecord>();
  const hosts = new Set<string>();
  for (const asset of assetRecords(shards)) {
    yield;
    const host = /^(?:https?:)?\/\/([^/]+)\//i.exec(asset.url)?.[1];
    if (asset.hash !== null && host !== undefined) hosts.add(`//${host}/`);
    if (!URL.canParse(asset.url, "https://asset.invalid")) continue;
    const { pathname } = new URL(asset.url, "https://asset.invalid");
    // The same path on two hosts: the one that has bytes is the one to answer with.
    const known = byPath.get(pathname);
    if (known === undefined || known.hash === null) byPath.set(pathname, asset);
  }
  return {
    find: (pathname) => byPath.get(pathname) ?? byPath.get(withoutImageService(pathname)),
    hosts: [...hosts],
  };
}

function* assetRecords(shards: readonly ShardBytes[]): Iterable<AssetRecord> {
  for (const shard of shards) {
    for (let index = 0; index < shard.starts.length; index += 1) yield JSON.parse(recordText(shard, index));
  }
}

/** `/f/1/2x3/abc/name.jpg` of `/f/1/2x3/abc/name.jpg/m/200x0/filters:quality(80)` and of `…/name.jpg/m`. */
function withoutImageService(pathname: string): string {
  const at = `${pathname}/`.indexOf("/m/");
  return at < 0 ? pathname : pathname.slice(0, at);
}
