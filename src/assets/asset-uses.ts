import { assetUrls } from "../resolve/asset-urls.js";

/** The canonical JSON line of a record before and after; null where there was or is none. */
export interface RecordChange {
  before: string | null;
  after: string | null;
}

/** How many more (or fewer) records name each URL than before. A record counts once, however often it names a URL. */
export interface AssetUses {
  note(change: RecordChange): void;
  gains: Map<string, number>;
}

export function countAssetUses(): AssetUses {
  const gains = new Map<string, number>();
  const add = (line: string | null, count: number): void => {
    if (line === null || !mayNameAsset(line)) return;
    for (const url of assetUrls(JSON.parse(line))) gains.set(url, (gains.get(url) ?? 0) + count);
  };
  return {
    gains,
    note({ before, after }) {
      add(before, -1);
      add(after, 1);
    },
  };
}

/**
 * Whether a canonical line can hold what {@link assetUrls} finds: an asset's path, a file name, an image or an asset link.
 * Looking for these in the text is many times faster than parsing it.
 */
function mayNameAsset(line: string): boolean {
  return (
    line.includes("/f/") ||
    /"filename":"[^"]/.test(line) ||
    line.includes('"type":"image"') ||
    line.includes('"linktype":"asset"')
  );
}
