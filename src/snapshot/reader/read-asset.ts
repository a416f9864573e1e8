import { damagedFile } from "../damaged-file.js";
import { assetFile } from "../layout.js";
import type { AssetRecord } from "../manifest.js";
import type { Store, StoredBytes } from "../store/store.js";

/**
 * The bytes of an asset, to be read by pieces; undefined while the snapshot has none (download is off, or it could
 * not be fetched). Nothing is read before the first piece is asked for.
 *
 * @throws OffprintError `SNAPSHOT_DAMAGED` when the record names bytes and the file is missing or has another size.
 */
export async function readAsset(store: Pick<Store, "read">, record: AssetRecord): Promise<StoredBytes | undefined> {
  if (record.hash === null) return undefined;
  const file = assetFile(record.hash, record.name);
  const stored = await store.read(file);
  if (stored === undefined) throw damagedFile(file, `is missing: expected ${record.bytes} bytes`);
  if (stored.size !== record.bytes) throw damagedFile(file, `has ${stored.size} bytes: expected ${record.bytes}`);
  return stored;
}
