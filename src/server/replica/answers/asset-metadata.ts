import type { AssetMetadataRecord } from "../../../contract/records.js";
import type { GenerationView } from "../generation-view.js";
import type { BodyPiece } from "./answer.js";
import { collectAssets } from "./collect-references.js";

/**
 * The `assets` of `resolve_assets=1`: of each asset in the contents, the platform's own record, byte for byte,
 * where the snapshot holds it (`assets.metadata`). Where it holds none, a record is made of the asset field, and of
 * the type and size of the stored bytes.
 */
export function assetMetadataPieces(view: GenerationView, contents: readonly unknown[]): BodyPiece[] {
  const entries = new Map<number, BodyPiece>();
  for (const content of contents) {
    for (const [id, field] of collectAssets(content)) {
      if (entries.has(id)) continue;
      entries.set(id, view.assetMetadata.get()(id) ?? JSON.stringify(metadataOf(view, id, field)));
    }
  }
  return [...entries.values()];
}

function metadataOf({ reader }: GenerationView, id: number, field: Record<string, unknown>): AssetMetadataRecord {
  const { alt = null, title = null, copyright = null, focus = null, source = null, filename = "" } = field;
  const stored = typeof filename === "string" ? reader.asset(filename) : undefined;
  const file = stored?.hash == null ? undefined : stored;
  return {
    id,
    content_type: file?.type ?? null,
    content_length: file?.bytes ?? null,
    alt,
    title,
    copyright,
    focus,
    s3_filename: filename,
    meta_data: field.meta_data ?? { alt, title, source, copyright },
  };
}
