import type { Config } from "../config/config.js";
import { originalAssetUrl } from "../content/resolve/asset-urls.js";
import { Lru } from "../lib/collections/lru.js";
import { contentHash } from "../lib/content-hash.js";
import { readAsset } from "../snapshot/generation-files.js";
import { assetFile, parts } from "../snapshot/layout.js";
import type { AssetRecord, Manifest } from "../snapshot/manifest.js";
import { readLines } from "../snapshot/read-part.js";
import { type ReadLines, readRecords } from "../snapshot/read-records.js";
import type { Store } from "../snapshot/store/store.js";
import { createByteCache } from "./byte-cache.js";
import type { InMemory } from "./loaded-stories.js";

export interface AssetFiles {
  /** The record of an asset, by its original address. */
  record(url: string): Promise<AssetRecord | undefined>;
  /** The record if asked for recently; undefined if it must be loaded first. */
  recordInMemory(url: string): InMemory<AssetRecord> | undefined;
  /** The address below `assets.baseUrl`, or undefined to keep the original one. */
  address(record: AssetRecord | undefined): string | undefined;
  /** The bytes of an asset by either address; undefined if the snapshot has none. */
  bytes(address: string): Promise<Uint8Array | undefined>;
}

const keptRecords = 4096;

export function openAssetFiles(
  store: Store,
  { parts: all }: Pick<Manifest, "parts">,
  { baseUrl }: Pick<Config["assets"], "baseUrl">,
  cacheBytes: number,
): AssetFiles {
  const entry = all[parts.assets] ?? { records: 0, shards: [] };
  const cache = createByteCache<readonly string[]>(cacheBytes, (lines) => 2 * lines.join("").length);
  const cachedLines: ReadLines = (from, part, shard) => cache.get(shard.hash, () => readLines(from, part, shard));
  const base = baseUrl === undefined || baseUrl.endsWith("/") ? baseUrl : `${baseUrl}/`;

  const recordOf = async (url: string): Promise<AssetRecord | undefined> => {
    const key = contentHash(url);
    const line = (await readRecords(store, parts.assets, entry, new Set([key]), cachedLines)).get(key);
    return line === undefined ? undefined : (JSON.parse(line) as AssetRecord);
  };
  const lately = new Lru<string, InMemory<AssetRecord>>(keptRecords);
  const record = async (url: string): Promise<AssetRecord | undefined> => {
    const original = originalAssetUrl(url) ?? url;
    // `https://host/f/a.png` and `http://host/f/a.png` are one asset; perhaps only one of them could be fetched.
    const other = original.replace(/^https?:/i, (scheme) => (/s/i.test(scheme) ? "http:" : "https:"));
    const own = await recordOf(original);
    const value = own?.hash ? own : ((await recordOf(other)) ?? own);
    lately.set(url, { value });
    return value;
  };

  return {
    record,
    recordInMemory: (url) => lately.get(url),
    address(found) {
      if (base === undefined || found === undefined || found.hash === null) return undefined;
      const [, hash = "", name = ""] = assetFile(found.hash, found.name).split("/");
      return `${base}${hash}/${encodeURIComponent(name)}`;
    },
    async bytes(address) {
      const file = base !== undefined && address.startsWith(base) ? fileBelow(address.slice(base.length)) : undefined;
      if (file !== undefined) return store.get(file);
      const found = await record(address);
      const stored = found === undefined ? undefined : await readAsset(store, found);
      if (stored === undefined) return undefined;
      const pieces: Uint8Array[] = [];
      for await (const piece of stored.pieces()) pieces.push(piece);
      return Buffer.concat(pieces);
    },
  };
}

/** Asset names are shorter, and file systems allow no longer ones. */
const longestName = 255;

/** The file of an address `<hash>/<name>`; undefined for other texts. */
function fileBelow(rest: string): string | undefined {
  const match = /^([0-9a-f]{32})\/([^/\\?#]+)(?:[?#].*)?$/s.exec(rest);
  if (match === null) return undefined;
  try {
    const name = decodeURIComponent(match[2]!);
    const isFile = name.length <= longestName && !/[/\\\u0000-\u001f\u007f]|^\.\.?$/.test(name);
    return isFile ? assetFile(match[1]!, name) : undefined;
  } catch {
    return undefined;
  }
}
