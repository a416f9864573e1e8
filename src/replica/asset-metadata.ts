import type { AssetMetadataRecord } from "../contract/records.js";
import type { Reader } from "../reader/reader.js";
import { collectAssets } from "./collect-references.js";

/**
 * What `resolve_assets=1` tells of the assets in the contents, each id once. A snapshot does not hold the platform's own
 * metadata records: they are made of the asset fields and of what is known of the stored bytes.
 */
export function assetMetadata(reader: Reader, contents: readonly unknown[]): string[] {
  const entries = new Map<number, string>();
  for (const content of contents) {
    for (const [id, field] of collectAssets(content)) {
      if (!entries.has(id)) entries.set(id, JSON.stringify(metadataOf(reader, id, field)));
    }
  }
  return [...entries.values()];
}

function metadataOf(reader: Reader, id: number, field: Record<string, unknown>): AssetMetadataRecord {
  const { alt = null, title = null, copyright = null, focus = null, source = null, filename = "" } = field;
  const stored = typeof filename === "string" ? reader.asset(filename) : undefined;
  const known = stored === undefined || stored.hash === null ? undefined : stored;
  return {
    id,
    content_type: known?.type ?? null,
    content_length: known?.bytes ?? null,
    alt,
    title,
    copyright,
    focus,
    s3_filename: filename,
    meta_data: field.meta_data ?? { alt, title, source, copyright },
  };
}
