import { type ImageSize, sizeInAddress } from "../../content/resolve/image-size.js";
import { costLimits } from "../../lib/cost-limits.js";
import type { AssetRecord } from "../../snapshot/manifest.js";
import type { Store } from "../../snapshot/store/store.js";
import { hasReadableHeader, pictureSize } from "./picture-header.js";

/** Whether the size of an asset has to be read from its bytes: its address does not say it, and its record neither. */
export function lacksSize({ url, hash, type, width }: AssetRecord): boolean {
  return hash !== null && width === undefined && hasReadableHeader(type) && sizeInAddress(url) === undefined;
}

/**
 * The size of a stored picture from its first bytes, at most `costLimits.imageHeaderBytes` of them; undefined where they
 * do not say one.
 *
 * @param file name in the store
 * @throws OffprintError `OUTPUT_UNUSABLE` when the file cannot be read
 */
export async function storedSize(
  store: Pick<Store, "read">,
  file: string,
  type: string,
): Promise<ImageSize | undefined> {
  const stored = await store.read(file);
  if (stored === undefined) return undefined;
  let head = Buffer.alloc(0);
  for await (const piece of stored.pieces({ start: 0, end: Math.min(stored.size, costLimits.imageHeaderBytes) })) {
    head = Buffer.concat([head, piece]);
    const found = pictureSize(type, head);
    if (found !== "more") return found;
  }
  return undefined;
}
