import { damagedFile } from "../snapshot/damaged-file.js";
import { assetFile } from "../snapshot/layout.js";
import type { AssetRecord } from "../snapshot/manifest.js";
import type { Store } from "../store/store.js";

/**
 * The bytes of an asset; undefined while the snapshot has none (download is off, or it could not be fetched).
 *
 * @throws OffprintError `SNAPSHOT_DAMAGED` when the record names bytes and the file is missing or has another size.
 */
export async function assetBytes(store: Store, record: AssetRecord): Promise<Uint8Array | undefined> {
  if (record.hash === null) return undefined;
  const file = assetFile(record.hash, record.name);
  const bytes = await store.get(file);
  if (bytes === undefined) throw damagedFile(file, `is missing: expected ${record.bytes} bytes`);
  if (bytes.byteLength !== record.bytes) {
    throw damagedFile(file, `has ${bytes.byteLength} bytes: expected ${record.bytes}`);
  }
  return bytes;
}
