import { coveringStories } from "../assets/covering-stories.js";
import type { Version } from "../config/config.js";
import { askInPieces, createBatchSize } from "../crawl/batch-size.js";
import type { CrawlResult } from "../crawl/crawl.js";
import { type EditionSpec, editionSpecs, languagesOf } from "../crawl/editions.js";
import { createPin } from "../crawl/pin.js";
import { missingPart } from "../crawl/read-parts.js";
import { storiesPerPage } from "../crawl/spending.js";
import { editionQuery } from "../crawl/story-query.js";
import { isOffprintError, OffprintError, type Problem } from "../errors.js";
import type { ManifestDraft } from "../snapshot/generations.js";
import { parts as partNames } from "../snapshot/layout.js";
import { readPart } from "../snapshot/read-part.js";
import { replacePart } from "../snapshot/update-part.js";
import type { SyncRun } from "./sync-run.js";

/**
 * Puts what the upstream knows of the assets into the draft, where `assets.metadata` wants it. No index shows when it
 * changes, so all of it is read whenever stories are: as few stories as name every asset are asked for once more.
 *
 * @returns why it could not be read, or was answered at another cv than the stories; what was read before is kept then
 */
export async function bringAssetMetadata(
  run: SyncRun,
  draft: ManifestDraft,
  { cv }: Pick<CrawlResult, "cv">,
): Promise<Problem[]> {
  const part = partNames.assetMetadata;
  delete draft.parts[part];
  if (!run.config.assets.metadata) return [];
  const { store } = run.output;
  const ask = asker(run, cv);
  const records = new Map<number, string>();
  const known = new Set<number>();
  let reason = "the space does not offer resolve_assets";
  let asked = 0;
  let isOffered = false;
  try {
    const { languages } = languagesOf(run.config, draft.space.languages);
    for (const spec of editionSpecs(run.config, languages)) {
      const stories = draft.parts[partNames.stories(spec.name)];
      if (stories === undefined) continue;
      const uuids = await coveringStories(readPart(store, partNames.stories(spec.name), stories), known);
      const answered = await ask.stories(spec, uuids);
      asked += uuids.length;
      isOffered ||= answered.isOffered;
      for (const { text, value } of answered.records) records.set(value.id, text);
    }
    // The closing probe came before: only the pin tells whether the space has moved since.
    const [moved] = ask.pin.reasons;
    if (moved !== undefined) throw new OffprintError("UPSTREAM_INCONSISTENT", moved);
  } catch (error) {
    if (!isOffprintError(error) || !error.code.startsWith("UPSTREAM_")) throw error;
    asked = 1;
    isOffered = false;
    reason = error.message;
  }
  if (isOffered || asked === 0) {
    const lines = [...records].sort(([a], [b]) => a - b).map(([, text]) => text);
    draft.parts[part] = await replacePart(store, part, lines, run.config.output.shardBytes);
    return [];
  }
  const kept = run.readable?.parts[part];
  if (kept === undefined) draft.notIncluded = [...draft.notIncluded, { part, reason }];
  else draft.parts[part] = kept;
  return [missingPart({ part, reason }, kept)];
}

/** Asks for stories of an edition, and gives what the answers tell of their assets. */
function asker({ config, source, onProgress }: SyncRun, cv: number | null) {
  const { upstream, pacing } = source;
  const pin = createPin(cv, pacing);
  const size = createBatchSize(storiesPerPage(config), (message) => onProgress({ kind: "note", message }));
  const read = (version: Version, query: Parameters<typeof upstream.assetMetadata>[0], splits: boolean) =>
    version === "published"
      ? pin.read((at) => upstream.assetMetadata(at === undefined ? query : { ...query, cv: at }, { splits }))
      : pin.readUnpinned(() => upstream.assetMetadata(query, { splits }));
  const stories = async (spec: EditionSpec, uuids: readonly string[]) => {
    let isOffered = false;
    const records = await askInPieces(size, uuids, async (piece) => {
      const query = { ...editionQuery(spec, config.source.include), by_uuids: [...piece], per_page: size.stories };
      const { body } = await read(spec.version, query, piece.length > 1);
      isOffered ||= body !== null;
      return body ?? [];
    });
    return { records, isOffered };
  };
  return { pin, stories };
}
