import type { AssetRecord } from "../../../snapshot/manifest.js";
import type { ShardBytes } from "../../../snapshot/reader/reader.js";
import { recordText } from "../../../snapshot/reader/shard-bytes.js";
import type { Sliced } from "./slices.js";

/** The assets of a generation by the path of their URL, whichever host it has. */
export interface AssetIndex {
  all: readonly AssetRecord[];
  /** Ignores an image service suffix of the path (`/m/200x0/…`). */
  find(pathname: string): AssetRecord | undefined;
  /** Hosts of the stored assets: `//a.example/` each. */
  hosts: readonly string[];
}

export function* indexAssets(shards: readonly ShardBytes[]): Sliced<AssetIndex> {
  const all: AssetRecord[] = [];
  const byPath = new Map<string, AssetRecord>();
  const hosts = new Set<string>();
  for (const asset of assetRecords(shards)) {
    yield;
    all.push(asset);
    const host = /^(?:https?:)?\/\/([^/]+)\//i.exec(asset.url)?.[1];
    if (asset.hash !== null && host !== undefined) hosts.add(`//${host}/`);
    const pathname = assetPath(asset.url);
    if (pathname === undefined) continue;
    // If two hosts share a path, prefer the asset with stored bytes.
    const known = byPath.get(pathname);
    if (known === undefined || known.hash === null) byPath.set(pathname, asset);
  }
  return {
    all,
    find: (pathname) => byPath.get(pathname) ?? byPath.get(withoutImageService(pathname)),
    hosts: [...hosts],
  };
}

/** The path of an asset's address, whichever host it has. Undefined for what is no address. */
export function assetPath(url: string): string | undefined {
  const base = "https://asset.invalid";
  return URL.canParse(url, base) ? new URL(url, base).pathname : undefined;
}

function* assetRecords(shards: readonly ShardBytes[]): Iterable<AssetRecord> {
  for (const shard of shards) {
    for (let index = 0; index < shard.starts.length; index += 1) yield JSON.parse(recordText(shard, index));
  }
}

/** Returns `/f/1/2x3/abc/name.jpg` for `/f/1/2x3/abc/name.jpg/m/200x0/…` and `…/name.jpg/m`. */
function withoutImageService(pathname: string): string {
  const at = `${pathname}/`.indexOf("/m/");
  return at < 0 ? pathname : pathname.slice(0, at);
}
